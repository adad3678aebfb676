// Finding the repository, its refs, and the commits that name session checkpoints.

#include <algorithm>
#include <array>

#include "base/sha256.hpp"
#include "git/git_output.hpp"
#include "session_store/session_author.hpp"
#include "session_store/session_store.hpp"

namespace plankeep::sessions {
namespace {

using base::Result;
using git::take_until;

constexpr std::string_view kRemotes = "refs/remotes/";

// "origin" of "refs/remotes/origin/entire/checkpoints/v1"; nullopt: another ref.
std::optional<std::string_view> remote_of_branch(std::string_view ref) {
  if (!ref.starts_with(kRemotes) || !ref.ends_with(core::kSessionBranch)) return std::nullopt;
  ref.remove_prefix(kRemotes.size());
  ref.remove_suffix(core::kSessionBranch.size());
  if (ref.size() < 2 || !ref.ends_with('/')) return std::nullopt;
  ref.remove_suffix(1);
  return ref;
}

enum class RefKind { checkpoints, entire, head, other };

RefKind kind_of_ref(std::string_view ref) {
  if (ref.starts_with(core::kSessionRefs)) {
    // Version 2 of the layout was an experiment that Entire itself has withdrawn.
    return ref.substr(core::kSessionRefs.size()).starts_with("v2/") ? RefKind::other : RefKind::checkpoints;
  }
  if (!ref.starts_with(git::kBranchRefs))
    return remote_of_branch(ref) ? RefKind::checkpoints : RefKind::other;
  ref.remove_prefix(git::kBranchRefs.size());
  if (ref == core::kSessionBranch) return RefKind::checkpoints;
  return ref.starts_with("entire/") ? RefKind::entire : RefKind::head;
}

bool comes_first(const SessionRef& a, const SessionRef& b, std::string_view elected) {
  const auto rank = [&](const SessionRef& ref) {
    if (ref.name.starts_with(git::kBranchRefs)) return 0;
    const auto remote = remote_of_branch(ref.name);
    if (!elected.empty() && remote == elected) return 1;
    return remote == "origin" ? 2 : 3;
  };
  return std::pair(rank(a), a.name) < std::pair(rank(b), b.name);
}

}  // namespace

Result<std::optional<SessionRepository>> open_repository(git::Git& git, const std::string& folder) {
  TRY_ASSIGN(const system::Finished finished,
             git.run(folder, {"rev-parse", "--path-format=absolute", "--git-common-dir",
                              "--show-object-format", "--revs-only", "HEAD"}));
  if (finished.status != 0) {
    if (git::no_work_tree(finished)) return std::optional<SessionRepository>();
    return base::fail(git::refused(finished));
  }
  SessionRepository repository;
  repository.folder = folder;
  std::string_view rest = finished.output;
  std::string last = git::take_last_line(rest);
  if (git::is_id(last)) {
    repository.head = std::move(last);
    last = git::take_last_line(rest);
  }
  repository.object_format = std::move(last);
  if (rest.ends_with('\n')) rest.remove_suffix(1);
  repository.common_dir = rest;
  if (!rest.starts_with('/') || !repository.object_format.starts_with("sha"))
    return base::fail(base::ErrorKind::io, "unexpected output from git rev-parse");
  return std::optional(std::move(repository));
}

RefListing stamp_refs(std::string told, std::string_view head) {
  RefListing listing;
  listing.told = std::move(told);
  base::Sha256 stamp;
  base::Sha256 heads_stamp;
  heads_stamp.add(head);
  bool any = false;
  // Lines of one kind stand together: each run of them is taken at once.
  const std::string_view text = listing.told;
  std::size_t from = 0;
  RefKind kind = RefKind::other;
  const auto take_run = [&](std::size_t end) {
    const std::string_view run = text.substr(from, end - from);
    from = end;
    if (run.empty()) return;
    if (kind == RefKind::checkpoints) {
      any = true;
      stamp.add(run);
    } else if (kind == RefKind::head) {
      heads_stamp.add(run);
    }
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view name = text.substr(at, end - at);
    name.remove_prefix(std::min(name.find(' '), name.size() - 1) + 1);
    if (name.ends_with('\n')) name.remove_suffix(1);
    if (const RefKind next = kind_of_ref(name); next != kind) {
      take_run(at);
      kind = next;
    }
    at = end;
  }
  take_run(text.size());
  if (any) listing.stamp = stamp.hex();
  listing.heads_stamp = heads_stamp.hex();
  return listing;
}

SessionRefs sort_refs(std::string_view told, std::string_view side_told, std::string_view elected) {
  SessionRefs refs;
  if (!side_told.empty()) {
    SessionRefs side = sort_refs(side_told, {}, elected);
    refs.side_checkpoints = std::move(side.checkpoints);
    refs.side_branches = std::move(side.branches);
    refs.problems = std::move(side.problems);
  }
  while (!told.empty()) {
    std::string_view line = take_until(told, '\n');
    const std::string_view object = take_until(line, ' ');
    if (!git::is_id(object)) continue;
    SessionRef ref{std::string(line), std::string(object)};
    switch (kind_of_ref(line)) {
      case RefKind::checkpoints:
        if (!line.starts_with(core::kSessionRefs)) {
          refs.branches.push_back(std::move(ref));
        } else if (core::id_in_session_ref(line)) {
          refs.checkpoints.push_back(std::move(ref));
        } else {
          refs.problems.push_back(ref.name + ": is not the name of a session checkpoint");
        }
        break;
      case RefKind::entire:
        if (core::shadow_branch(line.substr(git::kBranchRefs.size()))) refs.shadows.push_back(std::move(ref));
        break;
      case RefKind::head:
        refs.heads.push_back(std::move(ref));
        break;
      case RefKind::other:
        break;
    }
  }
  std::sort(refs.branches.begin(), refs.branches.end(),
            [&](const SessionRef& a, const SessionRef& b) { return comes_first(a, b, elected); });
  return refs;
}

Result<RefListing> list_refs(SessionObjects& objects) {
  // Of each remote only one branch is asked for; a star matches one part of a name.
  TRY_ASSIGN(system::Finished finished,
             objects.run({"for-each-ref", "--format=%(objectname) %(refname)",
                          std::string(core::kSessionRefs), std::string(git::kBranchRefs),
                          std::string(kRemotes) + "*/" + std::string(core::kSessionBranch)}));
  if (finished.status != 0) return base::fail(git::refused(finished));
  RefListing listing = stamp_refs(std::move(finished.output), objects.repository().head);
  // Another remote, another choice between what several have.
  if (const std::string& elected = objects.repository().elected; !elected.empty() && !listing.stamp.empty())
    listing.stamp = base::sha256_hex(listing.stamp + "\nelected " + elected);
  if (objects.repository().side.empty()) return listing;
  TRY_ASSIGN(system::Finished side,
             objects.run_in_side({"for-each-ref", "--format=%(objectname) %(refname)",
                                  std::string(core::kSessionRefs),
                                  std::string(kRemotes) + "*/" + std::string(core::kSessionBranch)}));
  // What cannot be read there can be fetched again.
  if (side.status != 0 || side.output.empty()) return listing;
  listing.side_told = std::move(side.output);
  listing.stamp = base::sha256_hex(listing.stamp + "\n" + listing.side_told);
  return listing;
}

Result<SessionRefs> read_refs(SessionObjects& objects) {
  TRY_ASSIGN(const RefListing listing, list_refs(objects));
  SessionRefs refs = sort_refs(listing.told, listing.side_told, objects.repository().elected);
  objects.set_tips(tips_of(refs));
  return refs;
}

std::vector<std::string> tips_of(const SessionRefs& refs) {
  std::vector<std::string> tips;
  tips.reserve(refs.checkpoints.size() + refs.branches.size());
  for (const SessionRef& ref : refs.checkpoints) tips.push_back(ref.object);
  for (const SessionRef& ref : refs.branches) tips.push_back(ref.object);
  for (const SessionRef& ref : refs.side_checkpoints) tips.push_back(ref.object);
  for (const SessionRef& ref : refs.side_branches) tips.push_back(ref.object);
  return tips;
}

Result<std::vector<ShadowSession>> read_shadows(SessionObjects& objects) {
  // Three lines for each ref. Without "unfold" a trailer that goes on in the next line would shift them.
  const std::string format =
      "--format=%(objectname) %(refname) %(authordate:unix)%0a"
      "%(trailers:key=Entire-Session,valueonly,unfold,separator=%x20)%0a%(contents:subject)";
  TRY_ASSIGN(const system::Finished finished,
             objects.run({"for-each-ref", "--sort=refname", "--sort=-authordate", format,
                          std::string(git::kBranchRefs) + "entire/"}));
  if (finished.status != 0) return base::fail(git::refused(finished));
  std::vector<ShadowSession> shadows;
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    std::string_view line = take_until(rest, '\n');
    const std::string_view sessions = take_until(rest, '\n');
    const std::string_view subject = take_until(rest, '\n');
    ShadowSession shadow;
    shadow.tip = take_until(line, ' ');
    std::string_view name = take_until(line, ' ');
    if (!git::is_id(shadow.tip) || !name.starts_with(git::kBranchRefs)) continue;
    name.remove_prefix(git::kBranchRefs.size());
    const auto parts = core::shadow_branch(name);
    if (!parts) continue;
    shadow.branch = name;
    shadow.parts = *parts;
    shadow.time = time_in_seconds(line);
    const std::string_view session = first_value(sessions);
    if (core::is_client_session(session)) shadow.session_id = session;
    shadow.subject = subject;
    shadows.push_back(std::move(shadow));
  }
  return shadows;
}

Result<std::vector<core::SessionLink>> read_links(SessionObjects& objects,
                                                  const std::vector<std::string>& tips,
                                                  const std::vector<std::string>& known) {
  std::vector<core::SessionLink> links;
  std::string input;
  for (const std::string& tip : tips) input += tip + "\n";
  if (input.empty()) return links;
  for (const std::string& tip : known) input += "^" + tip + "\n";
  TRY_ASSIGN(
      const system::Finished finished,
      objects.run(
          {"log", "-z", "--no-show-signature", "--no-color", "--no-notes", "--no-mailmap", "--ignore-missing",
           "--fixed-strings", "--grep=Entire-Checkpoint:",
           "--format=%H%n%(trailers:key=Entire-Checkpoint,valueonly,unfold,separator=%x20)%n%B", "--stdin"},
          input));
  if (finished.status != 0) return base::fail(git::refused(finished));
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    std::string_view record = take_until(rest, '\0');
    const std::string commit(take_until(record, '\n'));
    std::string_view values = take_until(record, '\n');
    if (!git::is_id(commit)) continue;
    std::vector<std::string> own;
    while (!values.empty()) {
      const std::string_view id = take_until(values, ' ');
      if (core::session_id_kind(id) && std::find(own.begin(), own.end(), id) == own.end())
        own.emplace_back(id);
    }
    for (const std::string& id : own) links.push_back({id, commit, false});
    for (const std::string& id : core::mentioned_checkpoints(record)) {
      if (std::find(own.begin(), own.end(), id) == own.end()) links.push_back({id, commit, true});
    }
  }
  return links;
}

}  // namespace plankeep::sessions
