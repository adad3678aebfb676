#include "remotes/remotes.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "git/git_output.hpp"
#include "remotes/remote_url.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// What the user lets git use, without the transports that start a program. git takes an empty list for
// "none".
std::string allowed_protocols(std::string_view allowed) {
  std::string kept;
  while (!allowed.empty()) {
    const std::string_view one = take_until(allowed, ':');
    if (one.empty() || one == "ext" || one == "fd") continue;
    kept.append(kept.empty() ? "" : ":").append(one);
  }
  return kept;
}

// What the remote said, without credentials.
std::vector<std::string> words_of_remote(const system::Finished& finished) {
  std::vector<std::string> lines = lines_of_remote(finished.errors);
  for (std::string& line : lines) line = without_credentials(line);
  return lines;
}

// The first fatal line of what git said, else its last "error: " line, else its first line, and the remote's
// own words; without credentials.
base::Error failed(const Remote& remote, const system::Finished& finished) {
  std::string said;
  for (std::string_view rest = finished.errors; !rest.empty();) {
    const std::string_view line = take_until(rest, '\n');
    if (line.starts_with("remote:")) continue;
    if (said.empty() || line.starts_with("fatal: ") || line.starts_with("error: ")) said = line;
    if (line.starts_with("fatal: ")) break;
  }
  if (said.empty()) said = words_of(finished);
  said = without_credentials(said);
  const std::vector<std::string> words = words_of_remote(finished);
  constexpr std::size_t kMostWords = 3;
  if (!words.empty())
    said += " (the remote says: " +
            base::first_joined(words, kMostWords, [](const std::string& line) { return line; }) + ")";
  return {ErrorKind::io, "remote " + remote.name + ": " + base::printable(said), {}, {}};
}

bool may_be_a_word(std::string_view name) {
  return !name.empty() && !name.starts_with('-') && std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '=';
  });
}

}  // namespace

Remotes::Remotes(Git& git, const system::Environment& environment, std::string folder,
                 std::chrono::milliseconds deadline)
    : git_(git), folder_(std::move(folder)), deadline_(deadline) {
  // git/git turns git's own prompt off. What is left are windows, and ssh, which asks at the terminal.
  variables_ = {"GIT_ASKPASS=false", "SSH_ASKPASS=false", "SSH_ASKPASS_REQUIRE=force",
                "GCM_INTERACTIVE=never", "GIT_NO_LAZY_FETCH=1"};
  // The variable overrides what is configured.
  if (const auto allowed = environment.variable("GIT_ALLOW_PROTOCOL"))
    variables_.push_back("GIT_ALLOW_PROTOCOL=" + allowed_protocols(*allowed));
}

Result<system::Finished> Remotes::ask(const Remote& remote, std::vector<std::string> words,
                                      std::string_view input, const std::string& git_dir) {
  // As the newest git would: HEAD of the remote is none of our business.
  std::vector<std::string> all{"-c", "protocol.ext.allow=never",
                               "-c", "protocol.fd.allow=never",
                               "-c", "remote." + remote.name + ".followRemoteHEAD=never"};
  all.insert(all.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
  GitRun how;
  how.variables = variables_;
  if (!git_dir.empty()) how.variables.push_back("GIT_DIR=" + git_dir);
  how.timeout = deadline_;
  auto finished = git_.run(folder_, all, input, how);
  if (!finished && finished.error().kind == ErrorKind::busy) {
    return base::fail(
        ErrorKind::busy,
        "remote " + remote.name + " did not finish within " + std::to_string(deadline_.count() / 1000) + " s",
        "what was done by then is kept; try again");
  }
  return finished;
}

Result<std::vector<std::string>> Remotes::names() {
  TRY_ASSIGN(const system::Finished finished, git_.run(folder_, {"remote"}));
  if (finished.status != 0) return base::fail(refused(finished));
  std::vector<std::string> names;
  for (std::string_view rest = finished.output; !rest.empty();) {
    const std::string_view name = take_until(rest, '\n');
    if (may_be_a_word(name)) names.emplace_back(name);
  }
  return names;
}

Result<Remote> Remotes::get(const std::string& name) {
  TRY_ASSIGN(const std::vector<std::string> all, names());
  if (std::find(all.begin(), all.end(), name) == all.end()) {
    return base::fail(ErrorKind::not_found, "no remote " + base::printable(without_credentials(name)),
                      all.empty() ? "to add one: git remote add origin URL" : "to list all: git remote");
  }
  Remote remote{name, {}, {}};
  TRY_ASSIGN(const system::Finished fetch,
             git_.run(folder_, {"remote", "get-url", "--end-of-options", name}));
  if (fetch.status != 0) return base::fail(failed(remote, fetch));
  remote.url = without_line_feed(fetch.output);
  TRY_ASSIGN(const system::Finished push,
             git_.run(folder_, {"remote", "get-url", "--push", "--all", "--end-of-options", name}));
  if (push.status != 0) return base::fail(failed(remote, push));
  for (std::string_view rest = push.output; !rest.empty();)
    remote.push_urls.emplace_back(take_until(rest, '\n'));
  return remote;
}

Result<std::vector<AdvertisedRef>> Remotes::list(const Remote& remote,
                                                 const std::vector<std::string>& patterns) {
  std::vector<std::string> words{"ls-remote", "--refs", "--quiet", "--end-of-options", remote.name};
  words.insert(words.end(), patterns.begin(), patterns.end());
  TRY_ASSIGN(const system::Finished finished, ask(remote, std::move(words)));
  if (finished.status != 0) return base::fail(failed(remote, finished));
  return read_advertised_refs(finished.output);
}

Status Remotes::push(const Remote& remote, const std::vector<RefPush>& refs, PushTold& told) {
  for (std::size_t at = 0; at < refs.size(); at += kRefsAtOnce) {
    std::vector<std::string> words{"-c",
                                   "remote." + remote.name + ".mirror=false",
                                   "push",
                                   "--porcelain",
                                   "--no-verify",
                                   "--no-follow-tags",
                                   "--recurse-submodules=no",
                                   "--end-of-options",
                                   remote.name};
    const std::size_t end = std::min(refs.size(), at + kRefsAtOnce);
    for (std::size_t i = at; i < end; ++i) words.push_back(refs[i].commit + ":" + refs[i].ref);
    TRY_ASSIGN(const system::Finished finished, ask(remote, std::move(words)));
    const std::vector<PushedRef> some = read_push_report(finished.output);
    told.refs.insert(told.refs.end(), some.begin(), some.end());
    // Where no ref was refused, git failed as a whole, perhaps at one of several URLs.
    const bool has_reason = std::any_of(some.begin(), some.end(), [](const PushedRef& one) {
      return one.outcome == PushOutcome::behind || one.outcome == PushOutcome::refused;
    });
    if (has_reason) {
      std::vector<std::string> said = words_of_remote(finished);
      std::move(said.begin(), said.end(), std::back_inserter(told.remote_said));
    }
    if (finished.status != 0 && !has_reason) return base::fail(failed(remote, finished));
    // A ref that git left out must not count as pushed.
    for (std::size_t i = at; i < end; ++i) {
      const std::string& ref = refs[i].ref;
      if (std::none_of(some.begin(), some.end(), [&](const PushedRef& one) { return one.ref == ref; }))
        told.refs.push_back({ref, PushOutcome::refused, "git did not report what became of it"});
    }
  }
  return {};
}

Status Remotes::fetch(const Remote& remote, const std::vector<std::string>& what, const FetchInto& into) {
  if (what.empty()) return {};
  std::string input;
  for (const std::string& one : what) input += one + '\n';
  std::vector<std::string> words{"-c", "fetch.writeCommitGraph=false"};
  // It borrows the user's objects, but the remote need not be told of them.
  if (!into.git_dir.empty()) words.insert(words.end(), {"-c", "core.alternateRefsCommand=true"});
  if (into.objects) words.insert(words.end(), {"-c", "fetch.negotiationAlgorithm=noop"});
  words.insert(words.end(), {"fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
                             "--no-auto-maintenance", "--no-recurse-submodules", "--no-prune",
                             "--refmap=", into.without_blobs ? "--filter=blob:none" : "--no-filter",
                             "--stdin", "--end-of-options", remote.name});
  TRY_ASSIGN(const system::Finished finished, ask(remote, std::move(words), input, into.git_dir));
  if (finished.status != 0) return base::fail(failed(remote, finished));
  return {};
}

}  // namespace plankeep::git
