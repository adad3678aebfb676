#include "git/work_content.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "base/sha256.hpp"
#include "git/file_modes.hpp"
#include "git/git_words.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileKind;

constexpr int kDeepestSubmodule = 8;
constexpr std::uint64_t kChunk = std::uint64_t{4} << 20;
constexpr std::uint64_t kCacheLimit = std::uint64_t{512} << 20;
constexpr std::size_t kRemembered = 8;
constexpr std::size_t kDigestDigits = 64;
// Some file systems keep whole or even seconds only.
constexpr std::int64_t kUnreliableNs = 2'000'000'000;

constexpr std::string_view kHeader = "plankeep-files 1";
constexpr const char* kCacheFolder = "files";
constexpr const char* kLast = "last";
constexpr std::uint32_t kMayExecute = 0100;

const std::vector<std::string>& list_words() {
  static const std::vector<std::string> kWords{
      "ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard"};
  return kWords;
}

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

WorkContent::WorkContent(system::Processes& processes, system::FileSystem& files,
                         std::chrono::milliseconds budget)
    : processes_(processes), files_(files), git_(processes, files), budget_(budget) {}

// The files of the work tree and of its submodules, as git lists them.
struct WorkContent::Lister {
  WorkContent& content;
  const LeaveOut& leave_out;
  Listing files;

  [[nodiscard]] Status add(const std::string& prefix, std::string_view output, int depth);
  [[nodiscard]] Status add_submodule(const std::string& path, std::string_view commit, int depth);
};

Status WorkContent::check_time() const {
  if (std::chrono::steady_clock::now() - start_ < budget_) return {};
  return base::fail(ErrorKind::busy,
                    "reading the files took longer than " + std::to_string(budget_.count()) + " ms");
}

Result<std::optional<std::string>> WorkContent::look(const std::string& folder, const LeaveOut& leave_out) {
  start_ = std::chrono::steady_clock::now();
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  reliable_before_ns_ = std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count() - kUnreliableNs;
  read_some_ = false;
  now_.clear();
  digest_.clear();
  TRY_ASSIGN(GitRunning listing, git_.start(folder, list_words()));
  TRY_ASSIGN(auto place, open_snapshots(processes_, files_, folder));
  if (!place) return std::optional<std::string>();
  place_ = std::move(*place);
  chain_ = std::make_unique<FolderChain>(files_, place_.top);
  TRY_ASSIGN(system::Finished listed, listing.finish());
  const auto real = files_.real_path(folder);
  // core.worktree: the listing is of the folder alone.
  if (!real || *real != place_.top) {
    TRY_ASSIGN(listed, git_.run(place_.top, list_words()));
  }
  if (listed.status != 0) return base::fail(refused(listed));
  Lister lister{*this, leave_out, {}};
  TRY(lister.add({}, listed.output, 0));

  const Files before = read_cache(kLast);
  Status looked;
  for (const auto& [path, entry] : lister.files) {
    looked = look_at(path, entry, before);
    if (!looked) break;
  }
  if (!looked) {
    // What was not reached is as it was believed to be, for the next look to begin with.
    for (const auto& [path, known] : before) now_.emplace(path, known);
  }
  if (read_some_) (void)write_cache(kLast);
  TRY(looked);
  digest_ = digest_of(now_);
  return std::optional(digest_);
}

// git-ls-files: "H 100644 <id> 0" TAB path NUL; "S": skip-worktree; an unmerged path ("M") up to three times.
// Others: "? " path NUL, with a "/" at its end where it is a repository.
Status WorkContent::Lister::add(const std::string& prefix, std::string_view output, int depth) {
  while (!output.empty()) {
    std::string_view line = take_until(output, '\0');
    if (line.size() < 3 || line[1] != ' ')
      return base::fail(ErrorKind::io, "git ls-files says something else than files");
    const char tag = line.front();
    line.remove_prefix(2);
    Listed listed;
    if (tag != '?') {
      std::string_view facts = take_until(line, '\t');
      listed.mode = take_until(facts, ' ');
      listed.id = take_until(facts, ' ');
      listed.sparse = tag == 'S';
    }
    if (line.ends_with('/')) continue;
    std::string path = prefix + std::string(line);
    if (path.starts_with(kStagingBeside) || (leave_out && leave_out(path))) continue;
    if (listed.mode == kGitlinkMode) {
      TRY(add_submodule(path, listed.id, depth));
    } else {
      files.emplace_hint(files.end(), std::move(path), std::move(listed));
    }
  }
  return {};
}

Status WorkContent::Lister::add_submodule(const std::string& path, std::string_view commit, int depth) {
  TRY_ASSIGN(const system::FileInfo git, content.chain_->info(path + "/.git"));
  if (git.kind == FileKind::missing) {
    files.emplace(path, Listed{std::string(kGitlinkMode), std::string(commit), false});
    return {};
  }
  if (depth >= kDeepestSubmodule)
    return base::fail(ErrorKind::io, path + " is a submodule too deep inside submodules");
  TRY(content.check_time());
  const std::string folder = content.place_.top + "/" + path;
  GitRun how;
  // A damaged submodule must not be taken for a folder of the repository around it.
  how.variables = {"GIT_CEILING_DIRECTORIES=" + folder.substr(0, folder.rfind('/'))};
  TRY_ASSIGN(const system::Finished listed, content.git_.run(folder, list_words(), {}, how));
  if (listed.status != 0) return base::fail(base::with_context(refused(listed), "submodule " + path));
  return add(path + "/", listed.output, depth + 1);
}

Status WorkContent::look_at(const std::string& path, const Listed& listed, const Files& before) {
  const auto keep = [&](Known known) { now_.emplace_hint(now_.end(), path, std::move(known)); };
  if (listed.mode == kGitlinkMode) {
    keep({listed.mode, 0, 0, 0, 0, listed.id});
    return {};
  }
  TRY_ASSIGN(const system::FileInfo info, chain_->info(path));
  if (info.kind == FileKind::missing && listed.sparse) {
    keep({listed.mode, 0, 0, 0, 0, listed.id});
    return {};
  }
  const bool link = info.kind == FileKind::symlink;
  if (!link && info.kind != FileKind::regular) return {};
  Known known;
  known.mode = link ? kLinkMode : (info.mode & kMayExecute) != 0 ? "100755" : "100644";
  known.size = info.size;
  known.mtime_ns = info.mtime_ns;
  known.ctime_ns = info.ctime_ns;
  known.inode = info.mtime_ns < reliable_before_ns_ ? info.inode : 0;
  const auto last = before.find(path);
  const bool same = last != before.end() && known.inode != 0 && last->second.inode == known.inode &&
                    last->second.size == known.size && last->second.mtime_ns == known.mtime_ns &&
                    last->second.ctime_ns == known.ctime_ns && (last->second.mode == kLinkMode) == link;
  if (same) {
    known.id = last->second.id;
    keep(std::move(known));
    return {};
  }
  TRY(check_time());
  TRY_ASSIGN(system::Folder* const folder, chain_->folder_of(path));
  const std::string name(name_part(path));
  auto id = link ? folder->read_link(name).map(base::sha256_hex) : read_id(*folder, name, info.size);
  if (!id && id.error().kind == ErrorKind::not_found) return {};  // it went just now
  if (!id) return base::fail(std::move(id.error()));
  known.id = std::move(*id);
  read_some_ = read_some_ || known.inode != 0;
  keep(std::move(known));
  return {};
}

Result<std::string> WorkContent::read_id(system::Folder& folder, const std::string& name,
                                         std::uint64_t size) const {
  base::Sha256 digest;
  for (std::uint64_t offset = 0;; offset += kChunk) {
    TRY_ASSIGN(const std::string bytes, folder.read_range(name, offset, kChunk));
    digest.add(bytes);
    if (bytes.size() < kChunk || offset + kChunk > 2 * size + kChunk) break;  // it grows while we read
    TRY(check_time());
  }
  return digest.hex();
}

std::string WorkContent::digest_of(const Files& files) {
  std::string list;
  for (const auto& [path, known] : files)
    list.append(known.mode).append(1, ' ').append(known.id).append(1, ' ').append(path).append(1, '\0');
  return base::sha256_hex(list);
}

Result<std::unique_ptr<system::Folder>> WorkContent::cache_folder() {
  Snapshots snapshots(processes_, files_, place_, {});
  TRY_ASSIGN(const auto own, snapshots.own_folder());
  return own->make_folder(kCacheFolder);
}

// Each file: "<mode> <size> <mtime> <ctime> <inode> <id> <path>" NUL. A line that is something else ends it.
WorkContent::Files WorkContent::read_cache(const std::string& name) {
  Files files;
  auto folder = files_.open_folder(place_.git_dir + "/plankeep/" + kCacheFolder);
  if (!folder) return files;
  const auto text = (*folder)->read(name, kCacheLimit);
  if (!text) return files;
  std::string_view rest = *text;
  if (take_until(rest, '\0') != kHeader) return files;
  while (rest.find('\0') != std::string_view::npos) {
    std::string_view line = take_until(rest, '\0');
    Known known;
    known.mode = take_until(line, ' ');
    const bool numbers = read_number(take_until(line, ' '), known.size) &&
                         read_number(take_until(line, ' '), known.mtime_ns) &&
                         read_number(take_until(line, ' '), known.ctime_ns) &&
                         read_number(take_until(line, ' '), known.inode);
    known.id = take_until(line, ' ');
    if (!numbers || !is_id(known.id) || line.empty()) break;
    files.emplace_hint(files.end(), std::string(line), std::move(known));
  }
  return files;
}

Status WorkContent::write_cache(const std::string& name) {
  std::string text(kHeader);
  text += '\0';
  for (const auto& [path, known] : now_) {
    text.append(known.mode).append(1, ' ').append(std::to_string(known.size)).append(1, ' ');
    text.append(std::to_string(known.mtime_ns)).append(1, ' ');
    text.append(std::to_string(known.ctime_ns)).append(1, ' ');
    text.append(std::to_string(known.inode)).append(1, ' ');
    text.append(known.id).append(1, ' ').append(path).append(1, '\0');
  }
  TRY_ASSIGN(const auto folder, cache_folder());
  const std::string temporary = name + ".new";
  {
    TRY_ASSIGN(const auto file, folder->create(temporary));
    TRY(file->write(text));
  }
  return folder->rename_cache(temporary, name);
}

Status WorkContent::remember() {
  if (digest_.empty()) return base::fail(ErrorKind::internal, "nothing was looked at");
  TRY_ASSIGN(const auto folder, cache_folder());
  TRY_ASSIGN(const system::FileInfo there, folder->info(digest_));
  if (there.kind == FileKind::regular) return {};
  TRY(write_cache(digest_));
  TRY_ASSIGN(const std::vector<std::string> names, folder->list());
  std::vector<std::pair<std::int64_t, std::string>> looks;
  for (const std::string& name : names) {
    if (name.size() != kDigestDigits || !is_id(name)) continue;
    TRY_ASSIGN(const system::FileInfo info, folder->info(name));
    looks.emplace_back(info.mtime_ns, name);
  }
  std::sort(looks.begin(), looks.end(), std::greater<>());
  for (std::size_t i = kRemembered; i < looks.size(); ++i) TRY(folder->remove(looks[i].second));
  return {};
}

std::optional<std::vector<ContentChange>> WorkContent::changes_since(const std::string& digest) {
  if (digest_.empty() || digest.size() != kDigestDigits || !is_id(digest)) return std::nullopt;
  const Files before = read_cache(digest);
  if (digest_of(before) != digest) return std::nullopt;
  std::vector<ContentChange> changes;
  using Kind = ContentChange::Kind;
  for (const auto& [path, known] : now_) {
    const auto old = before.find(path);
    if (old == before.end()) {
      changes.push_back({Kind::added, path});
    } else if (old->second.id != known.id || old->second.mode != known.mode) {
      changes.push_back({Kind::changed, path});
    }
  }
  for (const auto& [path, known] : before) {
    if (now_.find(path) == now_.end()) changes.push_back({Kind::removed, path});
  }
  std::sort(changes.begin(), changes.end(),
            [](const ContentChange& a, const ContentChange& b) { return a.path < b.path; });
  return changes;
}

}  // namespace plankeep::git
