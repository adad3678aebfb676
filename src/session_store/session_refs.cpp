// The layout "refs": one ref a checkpoint, whose commit's tree is the checkpoint's folder.

#include <algorithm>

#include "base/enum_names.hpp"
#include "git/git_output.hpp"
#include "session_store/session_author.hpp"
#include "session_store/session_store.hpp"

namespace plankeep::sessions {

using base::Result;

Result<SessionAuthor> first_author(SessionObjects& objects, const std::vector<std::string>& which) {
  std::vector<std::string> words{"log",        "-1",           "-z",         "--no-show-signature",
                                 "--no-notes", "--no-mailmap", "--no-color", "--format=%H%n%an%n%ae"};
  words.insert(words.end(), which.begin(), which.end());
  words.emplace_back("--");
  TRY_ASSIGN(const system::Finished finished, objects.run(words));
  SessionAuthor author;
  if (finished.status != 0) return author;
  std::string_view rest = finished.output;
  author.commit = git::take_until(rest, '\n');
  author.name = git::take_until(rest, '\n');
  author.email = git::take_until(rest, '\0');
  return author;
}

namespace {

using Verdict = CommitSignature::Verdict;

constexpr auto kVerdicts = base::enum_names<Verdict>({{Verdict::none, "none"},
                                                      {Verdict::good, "good"},
                                                      {Verdict::untrusted, "untrusted"},
                                                      {Verdict::expired, "expired"},
                                                      {Verdict::expired_key, "expired_key"},
                                                      {Verdict::revoked_key, "revoked_key"},
                                                      {Verdict::bad, "bad"},
                                                      {Verdict::unchecked, "unchecked"}});

// As git-log(1) has it for %G?.
Verdict verdict_of(std::string_view letter) {
  if (letter == "G") return Verdict::good;
  if (letter == "U") return Verdict::untrusted;
  if (letter == "X") return Verdict::expired;
  if (letter == "Y") return Verdict::expired_key;
  if (letter == "R") return Verdict::revoked_key;
  if (letter == "B") return Verdict::bad;
  return letter == "N" || letter.empty() ? Verdict::none : Verdict::unchecked;
}

}  // namespace

std::string_view name_of(CommitSignature::Verdict verdict) {
  return kVerdicts.name_of(verdict);
}

Result<CommitSignature> signature_of(SessionObjects& objects, const std::string& commit) {
  CommitSignature signature;
  if (!git::is_id(commit)) return signature;
  TRY_ASSIGN(const system::Finished finished,
             objects.run({"log", "-1", "-z", "--no-walk", "--no-color", "--no-notes", "--no-mailmap",
                          "--format=%G?%n%GS%n%GK", "--end-of-options", commit, "--"}));
  if (finished.status != 0) return signature;
  std::string_view rest = finished.output;
  signature.verdict = verdict_of(git::take_until(rest, '\n'));
  signature.signer = git::take_until(rest, '\n');
  signature.key = git::take_until(rest, '\0');
  return signature;
}

Result<std::int64_t> first_commit_time(SessionObjects& objects, const std::vector<std::string>& which) {
  std::vector<std::string> words{"log", "-1", "--no-show-signature", "--no-color", "--format=%ct"};
  words.insert(words.end(), which.begin(), which.end());
  TRY_ASSIGN(const system::Finished finished, objects.run(words));
  std::int64_t time = 0;
  if (finished.status != 0 || !git::read_number(git::without_line_feed(finished.output), time)) return 0;
  return time;
}

std::optional<base::Instant> time_in_seconds(std::string_view text) {
  constexpr std::int64_t kLatest = 253'402'300'799;  // the last second of the year 9999
  std::int64_t seconds = 0;
  if (!git::read_number(text, seconds) || seconds < 0 || seconds > kLatest) return std::nullopt;
  return base::Instant{seconds * base::kSecond};
}

namespace {

bool has_smaller_id(const FoundSession& a, const FoundSession& b) {
  return a.id < b.id;
}

class RefsStore : public SessionStore {
 public:
  RefsStore(SessionObjects& objects, std::vector<SessionRef> refs) : objects_(objects) {
    for (SessionRef& ref : refs) {
      auto id = core::id_in_session_ref(ref.name);
      if (!id) continue;
      found_.push_back({std::move(*id), core::SessionLayout::refs, std::move(ref.name), ref.object,
                        ref.object + "^{tree}", ref.object});
    }
    std::sort(found_.begin(), found_.end(), has_smaller_id);
  }

  core::SessionLayout layout() const override { return core::SessionLayout::refs; }

  Result<FoundSessions> list() override { return FoundSessions{found_, {}}; }

  Result<std::optional<FoundSession>> find(const std::string& id) override {
    FoundSession wanted;
    wanted.id = id;
    const auto at = std::lower_bound(found_.begin(), found_.end(), wanted, has_smaller_id);
    if (at == found_.end() || at->id != id) return std::optional<FoundSession>();
    return std::optional(*at);
  }

  // The ref's commit was made by whoever wrote the checkpoint last.
  Result<SessionAuthor> author(const FoundSession& one) override {
    return first_author(objects_, {"--no-walk", one.object});
  }

  Result<std::int64_t> written_at(const FoundSession& one) override {
    return first_commit_time(objects_, {"--no-walk", one.tip, "--"});
  }

 private:
  SessionObjects& objects_;
  std::vector<FoundSession> found_;
};

}  // namespace

std::unique_ptr<SessionStore> make_refs_store(SessionObjects& objects, std::vector<SessionRef> refs) {
  return std::make_unique<RefsStore>(objects, std::move(refs));
}

}  // namespace plankeep::sessions
