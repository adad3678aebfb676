#include "git/blame.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;

// In a partial clone a content that is not there is an error, never fetched.
GitRun blame_run() {
  GitRun how;
  how.variables = {"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"};
  how.timeout = kBlameTimeout;
  return how;
}

char escaped_byte(std::string_view& rest) {
  const char letter = rest.front();
  rest.remove_prefix(1);
  constexpr std::string_view kLetters = "abtnvfr";
  constexpr std::string_view kBytes = "\a\b\t\n\v\f\r";
  if (const std::size_t at = kLetters.find(letter); at != std::string_view::npos) return kBytes[at];
  if (letter < '0' || letter > '7') return letter;
  unsigned byte = static_cast<unsigned>(letter - '0');
  for (int i = 0; i < 2 && !rest.empty() && rest.front() >= '0' && rest.front() <= '7'; ++i) {
    byte = byte * 8 + static_cast<unsigned>(rest.front() - '0');
    rest.remove_prefix(1);
  }
  return static_cast<char>(byte);
}

// Git quotes names with control characters, quotes and backslashes as C does.
std::string plain_path(std::string_view name) {
  if (name.size() < 2 || name.front() != '"' || name.back() != '"') return std::string(name);
  name = name.substr(1, name.size() - 2);
  std::string path;
  while (!name.empty()) {
    const char next = name.front();
    name.remove_prefix(1);
    path += next == '\\' && !name.empty() ? escaped_byte(name) : next;
  }
  return path;
}

bool is_no_commit(std::string_view id) {
  return id.find_first_not_of('0') == std::string_view::npos;
}

// What git says of a commit once, for all its lines.
struct CommitWords {
  std::string author;
  base::Instant time;
  std::string subject;
};

void read_words(std::string_view line, CommitWords& words) {
  const std::string_view key = take_until(line, ' ');
  if (key == "author") words.author = std::string(line);
  if (key == "author-time") words.time = instant_of_seconds(line).value_or(base::Instant{});
  if (key == "summary") words.subject = std::string(line);
}

Result<std::string> blame(Git& git, const WorkTree& tree, const std::string& path,
                          const std::vector<std::string>& options) {
  std::vector<std::string> words{"-c", "core.quotePath=false", "blame", "--no-textconv"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", path});
  TRY_ASSIGN(system::Finished finished, git.run(tree.top, words, {}, blame_run()));
  if (finished.status == 0) return std::move(finished.output);
  if (finished.errors.find("no such path") != std::string::npos ||
      finished.errors.find("no such ref: HEAD") != std::string::npos ||
      finished.errors.find("cannot stat path") != std::string::npos)
    return base::fail(ErrorKind::not_found, "git has no file " + path);
  if (finished.errors.find("has only") != std::string::npos) {
    std::string_view said = finished.errors;
    std::string message(take_until(said, '\n'));
    if (message.starts_with("fatal: ")) message.erase(0, std::string_view("fatal: ").size());
    return base::fail(ErrorKind::invalid_input, message);
  }
  return base::fail(refused(finished));
}

}  // namespace

std::vector<BlamedLines> read_blame(std::string_view told) {
  std::vector<BlamedLines> all;
  std::map<std::string, CommitWords, std::less<>> known;
  std::string id;
  while (!told.empty()) {
    const std::string_view line = take_until(told, '\n');
    if (line.starts_with('\t')) {
      if (!all.empty() && all.back().text.empty()) all.back().text = std::string(line.substr(1));
      continue;
    }
    std::string_view rest = line;
    const std::string_view first = take_until(rest, ' ');
    if (is_id(first)) {
      // "<id> <line in the commit> <line now> <count>"; lines behind the first of a group have no count.
      const std::string_view original = take_until(rest, ' ');
      take_until(rest, ' ');
      std::int64_t count = 0;
      if (rest.empty() || !read_number(rest, count)) continue;
      BlamedLines& lines = all.emplace_back();
      id = std::string(first);
      if (!is_no_commit(id)) lines.commit = id;
      (void)read_number(original, lines.line);
      lines.count = count;
      continue;
    }
    if (all.empty()) continue;
    if (first == "filename") {
      all.back().path = plain_path(rest);
    } else {
      read_words(line, known[id]);
    }
  }
  for (BlamedLines& lines : all) {
    const auto words = known.find(lines.commit);
    if (words == known.end()) continue;
    lines.author = words->second.author;
    lines.time = words->second.time;
    lines.subject = words->second.subject;
  }
  return all;
}

Result<BlamedLines> blame_line(Git& git, const WorkTree& tree, const std::string& path, std::int64_t line) {
  const std::string number = std::to_string(line);
  TRY_ASSIGN(const std::string told, blame(git, tree, path, {"--porcelain", "-L", number + "," + number}));
  std::vector<BlamedLines> lines = read_blame(told);
  if (lines.empty()) return base::fail(ErrorKind::io, "unexpected output from git blame");
  return std::move(lines.front());
}

Result<std::vector<BlamedLines>> blame_file(Git& git, const WorkTree& tree, const std::string& path) {
  TRY_ASSIGN(const std::string told, blame(git, tree, path, {"--incremental"}));
  std::map<std::pair<std::string, std::string>, BlamedLines> merged;
  for (BlamedLines& lines : read_blame(told)) {
    BlamedLines& one = merged[{lines.commit, lines.path}];
    const std::int64_t count = one.count + lines.count;
    if (one.count == 0 || lines.line < one.line) one = std::move(lines);
    one.count = count;
  }
  std::vector<BlamedLines> all;
  all.reserve(merged.size());
  for (auto& [key, lines] : merged) all.push_back(std::move(lines));
  std::stable_sort(all.begin(), all.end(),
                   [](const BlamedLines& a, const BlamedLines& b) { return a.count > b.count; });
  return all;
}

namespace {

// "%H%n%an%n%at%n%s"
BlamedLines words_of_log(std::string_view told) {
  BlamedLines lines;
  lines.commit = std::string(take_until(told, '\n'));
  lines.author = std::string(take_until(told, '\n'));
  lines.time = instant_of_seconds(take_until(told, '\n')).value_or(base::Instant{});
  lines.subject = std::string(take_until(told, '\n'));
  return lines;
}

std::vector<std::string> last_commit_words() {
  return {"--literal-pathspecs", "log",        "-1",           "--no-show-signature",
          "--no-color",          "--no-notes", "--no-mailmap", "--format=%H%n%an%n%at%n%s"};
}

}  // namespace

Result<BlamedLines> last_change(Git& git, const WorkTree& tree, const std::string& path) {
  if (tree.head.empty()) return base::fail(ErrorKind::not_found, "git has no file " + path);
  std::vector<std::string> words = last_commit_words();
  words.insert(words.end(), {"HEAD", "--", path});
  TRY_ASSIGN(const system::Finished finished, git.run(tree.top, words, {}, blame_run()));
  if (finished.status != 0) return base::fail(refused(finished));
  BlamedLines lines = words_of_log(finished.output);
  if (!is_id(lines.commit)) return base::fail(ErrorKind::not_found, "git has no file " + path);
  lines.path = path;
  return lines;
}

std::set<std::string> shallow_ends(system::FileSystem& files, const WorkTree& tree) {
  constexpr std::uint64_t kLimit = std::uint64_t{16} << 20;
  std::set<std::string> ends;
  const auto folder = files.open_folder(tree.common_dir);
  if (!folder) return ends;
  const auto text = (*folder)->read("shallow", kLimit);
  if (!text) return ends;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = take_until(rest, '\n');
    if (is_id(line)) ends.emplace(line);
  }
  return ends;
}

Result<std::optional<BlamedLines>> commit_words(Git& git, const WorkTree& tree, const std::string& sha) {
  if (!is_id(sha)) return std::optional<BlamedLines>();
  std::vector<std::string> words = last_commit_words();
  words.insert(words.end(), {"--no-walk", sha, "--"});
  TRY_ASSIGN(const system::Finished finished, git.run(tree.top, words, {}, blame_run()));
  if (finished.status != 0) return std::optional<BlamedLines>();
  BlamedLines lines = words_of_log(finished.output);
  return is_id(lines.commit) ? std::optional(std::move(lines)) : std::nullopt;
}

}  // namespace plankeep::git
