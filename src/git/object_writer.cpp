#include "git/object_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::chrono::seconds kAtLeast{20};
constexpr std::size_t kBytesASecond = std::size_t{4} << 20;  // of a slow disk

// A promisor's missing objects stay missing; git before 2.45 knows only the second one.
const std::vector<std::string>& no_network() {
  static const std::vector<std::string> variables{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"};
  return variables;
}

GitRun local_run() {
  GitRun how;
  how.variables = no_network();
  return how;
}

// What git says when somebody else was there first, and when gc took what nobody named yet.
bool is_moved(std::string_view said) {
  if (said.find("exists; cannot create") != std::string_view::npos) return false;
  constexpr std::array<std::string_view, 3> kWords{"cannot lock ref", "nonexistent object",
                                                   "reference already exists"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [said](std::string_view words) { return said.find(words) != std::string_view::npos; });
}

bool may_stand_in_a_line(std::string_view text) {
  return !text.empty() && text.find_first_of(std::string_view("\n\0 ", 3)) == std::string_view::npos;
}

}  // namespace

Result<ObjectWriter> ObjectWriter::open(Git& git, WorkTree tree) {
  const std::optional<ObjectFormat> format = object_format(tree.object_format);
  if (!format)
    return base::fail(ErrorKind::corrupt, "the repository names its objects by " + tree.object_format,
                      "plankeep writes to repositories with sha1 and sha256");
  return ObjectWriter(git, std::move(tree), *format);
}

Result<std::vector<std::optional<ReadObject>>> ObjectWriter::read(const std::vector<std::string>& names) {
  std::vector<std::optional<ReadObject>> objects;
  if (names.empty()) return objects;
  std::string input;
  for (const std::string& name : names) input += name + '\n';
  TRY_ASSIGN(const system::Finished finished,
             git_.run(tree_.top, {"cat-file", "--batch"}, input, local_run()));
  if (finished.status != 0) return base::fail(refused(finished));
  // "<id> <kind> <size>" LF bytes LF; a line that ends with another word for what is not there.
  std::string_view rest = finished.output;
  objects.reserve(names.size());
  while (objects.size() < names.size()) {
    if (rest.empty()) return base::fail(ErrorKind::io, "unexpected output from git cat-file");
    std::string_view line = take_until(rest, '\n');
    const std::string_view id = take_until(line, ' ');
    const std::string_view kind = take_until(line, ' ');
    std::uint64_t size = 0;
    if (!is_object_id(format_, id) || !read_number(line, size)) {
      objects.emplace_back();
      continue;
    }
    if (size >= rest.size()) return base::fail(ErrorKind::io, "unexpected output from git cat-file");
    objects.push_back(ReadObject{std::string(id), std::string(kind), std::string(rest.substr(0, size))});
    rest.remove_prefix(size + 1);
  }
  return objects;
}

Status ObjectWriter::store(Pack pack) {
  const std::size_t count = pack.objects();
  if (count == 0) return {};
  const bool keep = count >= kKeepPackObjects || pack.size() >= kKeepPackBytes;
  const std::string stream = std::move(pack).finish();
  std::vector<std::string> words{"-c", "core.fsync=loose-object,pack,pack-metadata", "-c",
                                 "core.fsyncMethod=batch"};
  if (keep)
    words.insert(words.end(), {"index-pack", "--stdin"});
  else
    words.insert(words.end(), {"unpack-objects", "-q"});
  GitRun how = local_run();
  how.timeout = kAtLeast + std::chrono::seconds(stream.size() / kBytesASecond);
  TRY_ASSIGN(const system::Finished finished, git_.run(tree_.top, words, stream, how));
  if (finished.status != 0) return base::fail(refused(finished));
  return {};
}

Result<RefOutcome> ObjectWriter::update(const std::vector<RefUpdate>& updates) {
  std::string input = "start\n";
  for (const RefUpdate& update : updates) {
    const bool ids = is_object_id(format_, update.new_id) &&
                     (update.old_id.empty() || is_object_id(format_, update.old_id));
    if (!may_stand_in_a_line(update.ref) || !update.ref.starts_with("refs/") || !ids)
      return base::fail(ErrorKind::internal, "no update of a ref: " + update.ref);
    input += (update.old_id.empty() ? "create " : "update ") + update.ref + ' ' + update.new_id;
    if (!update.old_id.empty()) input += ' ' + update.old_id;
    input += '\n';
  }
  input += "prepare\ncommit\n";
  TRY_ASSIGN(const system::Finished finished,
             git_.run(tree_.top,
                      {"-c", "core.fsync=reference", "-c", "core.fsyncMethod=fsync", "-c",
                       "core.logAllRefUpdates=false", "update-ref", "--no-deref", "--stdin"},
                      input, local_run()));
  if (finished.status == 0) return RefOutcome::done;
  if (is_moved(finished.errors)) return RefOutcome::moved;
  return base::fail(refused(finished));
}

Result<std::vector<std::string>> ObjectWriter::unreached(const std::vector<std::string>& commits,
                                                         const std::vector<std::string>& tips) {
  std::vector<std::string> found;
  if (commits.empty()) return found;
  std::string input;
  for (const std::string& tip : tips) input += '^' + tip + '\n';
  for (const std::string& commit : commits) input += commit + '\n';
  TRY_ASSIGN(const system::Finished finished,
             git_.run(tree_.top, {"rev-list", "--stdin"}, input, local_run()));
  if (finished.status != 0) return base::fail(refused(finished));
  std::set<std::string_view> told;
  for (std::string_view rest = finished.output; !rest.empty();) told.insert(take_until(rest, '\n'));
  for (const std::string& commit : commits)
    if (told.contains(commit)) found.push_back(commit);
  return found;
}

Result<std::vector<std::vector<std::string>>> ObjectWriter::changed_paths(
    const std::vector<std::string>& commits) {
  std::vector<std::vector<std::string>> changed;
  if (commits.empty()) return changed;
  std::string input;
  for (const std::string& commit : commits) input += commit + '\n';
  TRY_ASSIGN(const system::Finished finished,
             git_.run(tree_.top,
                      {"diff-tree", "--stdin", "-r", "--root", "-m", "--first-parent", "--name-only", "-z",
                       "--no-renames", "--no-ext-diff", "--always"},
                      input, local_run()));
  if (finished.status != 0) return base::fail(refused(finished));
  // "<commit>" NUL, then "<path>" NUL for each.
  for (std::string_view rest = finished.output; !rest.empty();) {
    const std::string_view part = take_until(rest, '\0');
    if (changed.size() < commits.size() && part == commits[changed.size()]) {
      changed.emplace_back();
    } else if (changed.empty()) {
      return base::fail(ErrorKind::corrupt, "git does not say which commit changed " + std::string(part));
    } else {
      changed.back().emplace_back(part);
    }
  }
  if (changed.size() != commits.size())
    return base::fail(ErrorKind::corrupt, "git does not say what each commit changed");
  return changed;
}

}  // namespace plankeep::git
