#include "session_store/session_index.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "git/git_output.hpp"
#include "session_store/side_repository.hpp"

namespace plankeep::sessions {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kCacheFolder = "plankeep";

std::string origin_of(const FoundSession& one) {
  return one.source + " " + one.object;
}

}  // namespace

Result<std::unique_ptr<SessionIndex>> SessionIndex::open(git::Git& git, system::FileSystem& files,
                                                         const std::string& folder,
                                                         const std::string& elected) {
  TRY_ASSIGN(auto repository, open_repository(git, folder));
  if (!repository) return std::unique_ptr<SessionIndex>();
  repository->side = side_repository(files, repository->common_dir);
  repository->elected = elected;
  std::unique_ptr<SessionIndex> index(new SessionIndex(git, std::move(*repository)));
  TRY_ASSIGN(index->listing_, list_refs(index->objects_));
  TRY(index->open_cache(files));
  // A cache that fails where it was sound a moment ago: do without.
  Status fresh = index->refresh();
  if (fresh) fresh = index->refresh_links();
  if (!fresh && index->not_cached_.empty()) {
    index->not_cached_ = fresh.error().message;
    TRY_ASSIGN(index->cache_, records::SessionCache::in_memory());
    TRY(index->refresh());
    fresh = index->refresh_links();
  }
  TRY(fresh);
  return index;
}

const SessionRefs& SessionIndex::refs() {
  if (!refs_) {
    refs_ = sort_refs(listing_.told, listing_.side_told, repository_.elected);
    objects_.set_tips(tips_of(*refs_));
  }
  return *refs_;
}

std::vector<std::unique_ptr<SessionStore>>& SessionIndex::stores() {
  if (!stores_) stores_ = stores_of(objects_, refs());
  return *stores_;
}

Status SessionIndex::open_cache(system::FileSystem& files) {
  const auto in_folder = [&]() -> Status {
    TRY_ASSIGN(const auto common, files.open_folder(repository_.common_dir));
    TRY_ASSIGN(folder_, common->make_folder(kCacheFolder));
    TRY_ASSIGN(cache_, records::SessionCache::open(*folder_));
    return {};
  };
  // In a repository without any nothing is written.
  if (is_empty()) {
    not_cached_ = "there is nothing to keep";
  } else if (const Status opened = in_folder(); !opened) {
    not_cached_ = opened.error().message;
  }
  if (!not_cached_.empty()) {
    TRY_ASSIGN(cache_, records::SessionCache::in_memory());
  }
  return {};
}

Status SessionIndex::refresh() {
  TRY_ASSIGN(const std::string stamp, cache_->stamp());
  if (stamp == listing_.stamp) return {};
  TRY_ASSIGN(auto known, cache_->known());
  TRY_ASSIGN(FoundSessions found, list_all(stores()));
  std::vector<FoundSession> changed;
  for (FoundSession& one : found.found) {
    const auto before = known.find(one.id);
    const bool same = before != known.end() && before->second == origin_of(one);
    if (before != known.end()) known.erase(before);
    if (!same) changed.push_back(std::move(one));
  }
  records::SessionCacheUpdate update;
  for (const auto& [id, origin] : known) update.gone.push_back(id);
  TRY_ASSIGN(update.rows, read_rows(objects_, changed));
  update.problems = refs().problems;
  update.problems.insert(update.problems.end(), found.problems.begin(), found.problems.end());
  update.stamp = listing_.stamp;
  return cache_->update(update);
}

Status SessionIndex::refresh_links() {
  if (is_empty()) return {};
  TRY_ASSIGN(const std::string stamp, cache_->link_stamp());
  if (stamp == listing_.heads_stamp) return {};
  TRY_ASSIGN(std::vector<std::string> known, cache_->link_tips());
  records::SessionLinkUpdate update;
  for (const SessionRef& head : refs().heads) update.tips.push_back(head.object);
  if (!repository_.head.empty()) update.tips.push_back(repository_.head);
  std::sort(update.tips.begin(), update.tips.end());
  update.tips.erase(std::unique(update.tips.begin(), update.tips.end()), update.tips.end());
  // Commits that no branch leads to any more would linger: then all is read anew.
  update.anew = true;
  if (!known.empty() && !update.tips.empty()) {
    std::string input;
    for (const std::string& tip : known) input += tip + "\n";
    for (const std::string& tip : update.tips) input += "^" + tip + "\n";
    TRY_ASSIGN(const system::Finished lost, objects_.run({"rev-list", "-1", "--stdin"}, input));
    update.anew = lost.status != 0 || !lost.output.empty();
  }
  if (update.anew) known.clear();
  TRY_ASSIGN(update.links, read_links(objects_, update.tips, known));
  update.stamp = listing_.heads_stamp;
  return cache_->update_links(update);
}

Result<std::vector<core::SessionRow>> SessionIndex::list(const records::SessionQuery& query) {
  auto rows = cache_->list(query);
  if (rows || folder_ == nullptr || !not_cached_.empty() || rows.error().kind == ErrorKind::busy) return rows;
  // Damaged inside: what it held is in git.
  cache_.reset();
  TRY_ASSIGN(cache_, records::SessionCache::anew(*folder_));
  TRY(refresh());
  TRY(refresh_links());
  return cache_->list(query);
}
Result<std::vector<core::SessionLink>> SessionIndex::links_of(const std::string& id) {
  return cache_->links_of(id);
}
Result<std::vector<core::SessionLink>> SessionIndex::links_from(const std::string& commit) {
  return cache_->links_from(commit);
}
Result<std::vector<std::string>> SessionIndex::problems() {
  return cache_->problems();
}

Result<std::optional<std::string>> SessionIndex::commit_named(const std::string& revision) {
  TRY_ASSIGN(const system::Finished told,
             objects_.run({"rev-parse", "-q", "--verify", "--end-of-options", revision + "^{commit}"}));
  std::string sha = git::without_line_feed(told.output);
  if (told.status != 0 || !git::is_id(sha)) return std::optional<std::string>();
  return std::optional(std::move(sha));
}

Result<std::optional<std::string>> SessionIndex::of_commit(const std::string& revision) {
  TRY_ASSIGN(const auto named, commit_named(revision));
  if (!named) return named;
  const std::string& sha = *named;
  TRY_ASSIGN(std::vector<core::SessionLink> links, cache_->links_from(sha));
  // One that no branch leads to is asked itself.
  if (links.empty()) {
    TRY_ASSIGN(links, read_links(objects_, {sha}, {}));
    std::erase_if(links, [&](const core::SessionLink& link) { return link.commit != sha; });
  }
  if (links.empty())
    return base::fail(ErrorKind::not_found, "commit " + sha.substr(0, 10) + " names no session checkpoint");
  const auto own = std::count_if(links.begin(), links.end(),
                                 [](const core::SessionLink& link) { return !link.mentioned; });
  if (own > 1 || (own == 0 && links.size() > 1)) {
    return base::fail(ErrorKind::ambiguous,
                      "commit " + sha.substr(0, 10) + " names several session checkpoints: " +
                          base::joined(links, ", ", [](const core::SessionLink& link) { return link.id; }));
  }
  const auto first =
      std::find_if(links.begin(), links.end(), [](const core::SessionLink& link) { return !link.mentioned; });
  return std::optional(first == links.end() ? links.front().id : first->id);
}

Result<std::string> SessionIndex::resolve(const std::string& text) {
  constexpr std::size_t kMostShown = 20;
  if (core::may_mean_session(text)) {
    TRY_ASSIGN(const auto meant, cache_->meant_by(text, kMostShown + 1));
    if (meant.size() == 1) return meant.front();
    if (meant.size() > 1) {
      return base::fail(ErrorKind::ambiguous,
                        "\"" + text + "\" means several session checkpoints: " +
                            base::first_joined(meant, kMostShown, [](const std::string& id) { return id; }),
                        "give more of the id");
    }
  }
  if (core::is_client_session(text)) {
    TRY_ASSIGN(const auto ids, cache_->of_session(text));
    if (!ids.empty()) return ids.front();
  }
  TRY_ASSIGN(const auto id, of_commit(text));
  if (id) return *id;
  return base::fail(ErrorKind::not_found, "checkpoint not found: " + text,
                    "to list all: plankeep session list --all");
}

Result<StoredCheckpoint> SessionIndex::read(const std::string& id) {
  TRY_ASSIGN(const auto found, find_in(stores(), id));
  if (found) return read_checkpoint(objects_, found->found);
  return base::fail(ErrorKind::not_found, "checkpoint not found: " + id,
                    "to list all: plankeep session list --all");
}

Result<SessionAuthor> SessionIndex::author(const FoundSession& one) {
  for (const auto& store : stores()) {
    TRY_ASSIGN(const auto found, store->find(one.id));
    if (found && found->source == one.source && found->object == one.object) return store->author(one);
  }
  return SessionAuthor();
}

Result<FoundSessions> SessionIndex::all() {
  TRY_ASSIGN(FoundSessions found, list_all(stores()));
  found.problems.insert(found.problems.begin(), refs().problems.begin(), refs().problems.end());
  return found;
}

}  // namespace plankeep::sessions
