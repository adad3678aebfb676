#include "worktree/snapshot_message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/enum_names.hpp"
#include "git/git_output.hpp"
#include "worktree/percent.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kOurs = "Plankeep-Snapshot: 1";
// Right behind it, for list(): kFirstLines.
constexpr std::string_view kExtra = "Plankeep-Extra";
constexpr std::string_view kWorkTree = "Plankeep-Work-Tree";
constexpr std::string_view kBranchKey = "Plankeep-Branch";
constexpr std::string_view kIndexKey = "Plankeep-Index";
constexpr std::string_view kSharedIndex = "Plankeep-Shared-Index";
constexpr std::string_view kAbsent = "Plankeep-Absent";
constexpr std::string_view kModes = "Plankeep-Modes";
constexpr std::string_view kMode = "Plankeep-Mode";
constexpr std::string_view kLeftOut = "Plankeep-Left-Out";
// In place of a value that is not there.
constexpr std::string_view kNone = "none";

constexpr auto kWhys = base::enum_names<LeftOut::Why>({{LeftOut::Why::too_large, "too large"},
                                                       {LeftOut::Why::nested_repository, "nested repository"},
                                                       {LeftOut::Why::submodule, "submodule"},
                                                       {LeftOut::Why::unreadable, "unreadable"},
                                                       {LeftOut::Why::refused, "name refused by git"},
                                                       {LeftOut::Why::secret, "looks like a secret"},
                                                       {LeftOut::Why::foreign, "belongs to another tool"}});

std::string line(std::string_view key, std::string_view value) {
  return std::string(key) + ": " + std::string(value) + "\n";
}

std::string octal(std::uint32_t bits) {
  std::array<char, 16> text{};
  const auto [end, ec] = std::to_chars(text.data(), text.data() + text.size(), bits, 8);
  (void)ec;
  return std::string(text.data(), end);
}

std::uint32_t bits_of(std::string_view text) {
  std::uint32_t bits = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), bits, 8);
  return bits & 07777U;
}

void read_committer(std::string_view line, Snapshot& snapshot) {
  // "name <mail> 1700000000 +0000"
  const std::size_t zone = line.rfind(' ');
  const std::size_t time = zone == std::string_view::npos || zone == 0 ? zone : line.rfind(' ', zone - 1);
  if (time == std::string_view::npos) return;
  std::int64_t seconds = 0;
  const std::string_view digits = line.substr(time + 1, zone - time - 1);
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  snapshot.time.milliseconds = seconds * base::kSecond;
}

void read_line(std::string_view line, Snapshot& snapshot) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return;
  const std::string_view key = line.substr(0, colon);
  std::string_view value = line.substr(colon + 2);
  if (key == kExtra && is_id(value)) {
    snapshot.extra = std::string(value);
  } else if (key == kWorkTree) {
    snapshot.work_tree = percent_decoded(value);
  } else if (key == kBranchKey) {
    snapshot.branch = value == kNone ? std::string() : percent_decoded(value);
  } else if (key == kIndexKey) {
    snapshot.index.emplace();
    if (is_id(value)) snapshot.index->id = std::string(value);
  } else if (key == kSharedIndex && snapshot.index) {
    snapshot.index->shared_name = percent_decoded(take_until(value, ' '));
    snapshot.index->shared_id = std::string(value);
  } else if (key == kAbsent && snapshot.index) {
    snapshot.index->absent = is_id(value) ? std::string(value) : std::string();
  } else if (key == kModes) {
    snapshot.permissions.plain = bits_of(take_until(value, ' '));
    snapshot.permissions.executable = bits_of(value);
  } else if (key == kMode) {
    const std::uint32_t bits = bits_of(take_until(value, ' '));
    snapshot.permissions.others.emplace(percent_decoded(value), bits);
  } else if (key == kLeftOut) {
    const std::size_t end = value.find(": ");
    const auto why = kWhys.parse(value.substr(0, end));
    if (end != std::string_view::npos && why)
      snapshot.left_out.push_back({percent_decoded(value.substr(end + 2)), *why});
  }
}

}  // namespace

std::string_view name_of(LeftOut::Why why) {
  return kWhys.name_of(why);
}

std::string snapshot_message(const std::string& subject, const Captured& captured, const std::string& extra,
                             const std::string& work_tree) {
  std::string message = subject + "\n\n" + std::string(kOurs) + "\n";
  if (!extra.empty()) message += line(kExtra, extra);
  if (!work_tree.empty()) message += line(kWorkTree, percent_encoded(work_tree));
  if (captured.branch)
    message +=
        line(kBranchKey, captured.branch->empty() ? std::string(kNone) : percent_encoded(*captured.branch));
  if (captured.index) {
    const IndexCopy& index = *captured.index;
    message += line(kIndexKey, index.id.empty() ? kNone : std::string_view(index.id));
    if (!index.shared_name.empty())
      message += line(kSharedIndex, percent_encoded(index.shared_name) + " " + index.shared_id);
    if (index.absent)
      message += line(kAbsent, index.absent->empty() ? kNone : std::string_view(*index.absent));
  }
  const Permissions& permissions = captured.permissions;
  if (permissions.plain != 0)
    message += line(kModes, octal(permissions.plain) + " " + octal(permissions.executable));
  for (const auto& [path, bits] : permissions.others)
    message += line(kMode, octal(bits) + " " + percent_encoded(path));
  for (const LeftOut& one : captured.left_out)
    message += line(kLeftOut, std::string(name_of(one.why)) + ": " + percent_encoded(one.path));
  return message;
}

void read_first_lines(std::string_view message, Snapshot& snapshot) {
  while (!message.empty()) {
    std::string_view line = take_until(message, '\n');
    // git indents all but the first.
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with(kExtra) || line.starts_with(kWorkTree)) read_line(line, snapshot);
  }
}

Result<Snapshot> read_snapshot(std::string_view text, const std::string& what) {
  Snapshot snapshot;
  std::vector<std::string> parents;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    if (line.empty()) break;
    const std::string_view key = take_until(line, ' ');
    if (key == "tree") snapshot.tree = std::string(line);
    if (key == "parent") parents.emplace_back(line);
    if (key == "committer") read_committer(line, snapshot);
  }
  bool ours = false;
  while (!text.empty()) {
    const std::string_view line = take_until(text, '\n');
    if (line == kOurs) {
      ours = true;
    } else if (ours) {
      read_line(line, snapshot);
    }
  }
  if (!parents.empty() && parents.front() != snapshot.extra) snapshot.head = parents.front();
  if (!ours || !is_id(snapshot.tree))
    return base::fail(ErrorKind::corrupt, what + " is not a snapshot made by plankeep");
  return snapshot;
}

}  // namespace plankeep::git
