// Whether what is kept of sessions is sound.

#include <algorithm>
#include <map>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "git/git_output.hpp"
#include "secrets/redactor.hpp"
#include "sessions/sessions.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;

void add_finding(SessionCheck& check, const std::string& id, std::string text) {
  ++check.all_findings;
  if (check.findings.size() < kMostSessionFindings) check.findings.push_back({id, std::move(text)});
}

// "2 secrets (github-token)"
std::string secrets_in_words(const secrets::RedactionReport& report) {
  std::size_t count = 0;
  std::vector<std::string> rules;
  for (const auto& [rule, findings] : report.findings) {
    count += findings;
    rules.push_back(rule);
  }
  return base::counted(count, "secret", "secrets") + " (" + base::joined(rules) + ")";
}

void report_secrets(SessionCheck& check, const std::string& id, const std::string& place,
                    const secrets::RedactionReport& report) {
  if (!report.findings.empty()) add_finding(check, id, place + ": " + secrets_in_words(report));
}

// git passes over refs that it cannot read, and says so.
Status find_broken_refs(sessions::SessionObjects& objects, SessionCheck& check) {
  constexpr std::string_view kSays = "warning: ignoring broken ref ";
  TRY_ASSIGN(const system::Finished told,
             objects.run({"for-each-ref", "--format=%(refname)", std::string(core::kSessionRefs),
                          "refs/heads/" + std::string(core::kSessionBranch)}));
  std::string_view rest = told.errors;
  while (!rest.empty()) {
    const std::string_view line = git::take_until(rest, '\n');
    if (!line.starts_with(kSays)) continue;
    const std::string name(line.substr(kSays.size()));
    add_finding(check, core::id_in_session_ref(name).value_or(""), name + ": holds no object's name");
  }
  return {};
}

}  // namespace

Status Sessions::check_deep(const sessions::FoundSession& one, const std::vector<std::string>& told,
                            const SessionCheckRequest& request, const secrets::Redactor* redactor,
                            SessionCheck& check) {
  TRY_ASSIGN(const sessions::StoredCheckpoint checkpoint, sessions::read_checkpoint(index_->objects(), one));
  for (const sessions::StoredSession& session : checkpoint.sessions) {
    const std::string place = std::to_string(session.slot);
    for (const std::string& problem : session.problems) {
      if (std::find(told.begin(), told.end(), problem) == told.end()) add_finding(check, one.id, problem);
    }
    if (redactor != nullptr) {
      for (const std::string& prompt : session.prompts)
        report_secrets(check, one.id, place + "/prompt.txt", redactor->plain(prompt).report());
    }
    if (session.transcript.empty()) {
      if (!session.content_hash.empty())
        add_finding(check, one.id, place + ": has a content_hash.txt and no transcript");
      continue;
    }
    // What is missing was told above.
    if (!session.problems.empty() && session.problems.back().find("full.jsonl") != std::string::npos)
      continue;
    base::Sha256 hash;
    std::string text;
    const Status read = transcript(session, [&](std::string_view part) -> Status {
      hash.add(part);
      check.transcript_bytes += part.size();
      if (redactor != nullptr) text += part;
      return {};
    });
    ++check.transcripts;
    if (!read) {
      add_finding(check, one.id, read.error().message);
      continue;
    }
    if (request.deep && !session.content_hash.empty() && session.content_hash != "sha256:" + hash.hex())
      add_finding(check, one.id, place + "/content_hash.txt: is not the hash of the transcript");
    if (redactor != nullptr)
      report_secrets(check, one.id, place + "/full.jsonl", redactor->json_lines(text).report());
  }
  return {};
}

Result<SessionCheck> Sessions::check(const SessionCheckRequest& request) {
  SessionCheck check;
  TRY_ASSIGN(const sessions::FoundSessions all, index_->all());
  for (const std::string& problem : all.problems) add_finding(check, "", problem);
  TRY(find_broken_refs(index_->objects(), check));
  check.checkpoints = all.found.size();
  // From git, not from the cache: it is what is checked.
  TRY_ASSIGN(const std::vector<core::SessionRow> rows, sessions::read_rows(index_->objects(), all.found));
  for (const core::SessionRow& row : rows) {
    check.sessions += static_cast<std::size_t>(row.slots);
    for (const std::string& problem : row.problems) add_finding(check, row.id, problem);
  }
  if (!request.deep && !request.secrets) return check;
  std::optional<secrets::Redactor> redactor;
  if (request.secrets) {
    TRY_ASSIGN(redactor, secrets::Redactor::make({}));
  }
  for (std::size_t i = 0; i < all.found.size(); ++i)
    TRY(check_deep(all.found[i], rows[i].problems, request, redactor ? &*redactor : nullptr, check));
  return check;
}

}  // namespace plankeep::app
