#include "session_store/session_tree.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/hex.hpp"
#include "base/utf8.hpp"
#include "model/session.hpp"

namespace plankeep::sessions {
namespace {

using base::ErrorKind;
using base::Result;

// What HFS+ leaves out when it compares names: zero-width and direction marks.
bool is_ignored_by_hfs(char32_t c) {
  return (c >= 0x200C && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x206A && c <= 0x206F) ||
         c == 0xFEFF;
}

// As the systems that fold names compare them.
std::string folded(std::string_view name) {
  std::string plain;
  for (std::size_t at = 0; at < name.size();) {
    const base::CodePoint point = base::decode_at(name, at);
    if (!is_ignored_by_hfs(point.value)) base::append_utf8(plain, base::to_lower(point.value));
    at += point.length;
  }
  // NTFS knows streams behind a colon and drops dots and spaces at the end.
  plain.resize(std::min(plain.find(':'), plain.size()));
  while (plain.size() > 1 && (plain.back() == '.' || plain.back() == ' ')) plain.pop_back();
  return plain;
}

std::string place_of(std::string_view where, std::string_view name) {
  return std::string(where) + (where.empty() ? "" : "/") + std::string(name);
}

}  // namespace

Result<std::vector<TreeEntry>> parse_tree(std::string_view bytes, std::size_t id_bytes) {
  // "<mode> <name>" NUL <id>, again and again.
  constexpr std::size_t kLongestMode = 6;
  std::vector<TreeEntry> entries;
  while (!bytes.empty()) {
    const std::size_t space = bytes.find(' ');
    const std::size_t end = bytes.find('\0');
    if (end == std::string_view::npos || space > kLongestMode || space > end ||
        bytes.size() - end - 1 < id_bytes)
      return base::fail(ErrorKind::corrupt, "is no tree");
    const auto* raw = reinterpret_cast<const unsigned char*>(bytes.data());
    if (entries.size() == kMostTreeEntries)
      return base::fail(ErrorKind::invalid_input, "has more than 100,000 entries");
    entries.push_back({std::string(bytes.substr(0, space)),
                       std::string(bytes.substr(space + 1, end - space - 1)),
                       base::to_hex(std::span(raw + end + 1, id_bytes))});
    bytes.remove_prefix(end + 1 + id_bytes);
  }
  return entries;
}

bool is_tricky_name(std::string_view name) {
  if (name.empty() || name.find('/') != std::string_view::npos) return true;
  const std::string plain = folded(name);
  return plain.empty() || plain == "." || plain == ".." || plain == ".git" || plain.starts_with("git~");
}

SoundEntries sound_entries(std::vector<TreeEntry> entries, std::string_view where) {
  SoundEntries sound;
  std::set<std::string> names;
  std::set<std::string> twice;
  for (const TreeEntry& entry : entries) {
    if (!names.insert(entry.name).second) twice.insert(entry.name);
  }
  for (TreeEntry& entry : entries) {
    const char* wrong = nullptr;
    if (is_tricky_name(entry.name)) {
      wrong = "is not a name that may be read";
    } else if (twice.contains(entry.name)) {
      wrong = "appears twice";
    } else if (entry.mode == "120000") {
      wrong = "is a symbolic link";
    } else if (entry.mode == "160000") {
      wrong = "is a submodule";
    } else if (!entry.is_file() && !entry.is_folder()) {
      wrong = "has an unknown mode";
    }
    if (wrong != nullptr) {
      constexpr std::size_t kMostProblems = 100;
      if (sound.problems.size() < kMostProblems)
        sound.problems.push_back(place_of(where, entry.name) + ": " + wrong);
      continue;
    }
    sound.entries.push_back(std::move(entry));
  }
  return sound;
}

Result<RootEntries> root_entries(std::string_view tree, std::size_t id_bytes) {
  TRY_ASSIGN(std::vector<TreeEntry> all, parse_tree(tree, id_bytes));
  SoundEntries sound = sound_entries(std::move(all), "");
  RootEntries root;
  root.problems = std::move(sound.problems);
  for (TreeEntry& entry : sound.entries) {
    const auto slot = entry.is_folder() ? core::session_slot(entry.name) : std::nullopt;
    if (entry.is_file() && entry.name == "metadata.json") {
      root.metadata = std::move(entry.id);
    } else if (slot && root.slots.size() < core::kMostSessionSlots) {
      root.slots.emplace(*slot, std::move(entry.id));
    } else if (slot) {
      return base::fail(ErrorKind::invalid_input, "has more than 10,000 sessions");
    } else if (entry.is_folder() && entry.name == "tasks") {
      root.tasks = std::move(entry.id);
    } else if (entry.is_folder() && entry.name == "plankeep") {
      root.ours = std::move(entry.id);
    } else {
      root.unknown.push_back(std::move(entry.name));
    }
  }
  return root;
}

Result<SlotEntries> slot_entries(std::string_view tree, std::size_t id_bytes, std::string_view where) {
  TRY_ASSIGN(std::vector<TreeEntry> all, parse_tree(tree, id_bytes));
  SoundEntries sound = sound_entries(std::move(all), where);
  SlotEntries slot;
  slot.problems = std::move(sound.problems);
  std::string old_log;
  for (TreeEntry& entry : sound.entries) {
    if (entry.is_folder()) {
      if (entry.name != "assets") slot.unknown.push_back(std::move(entry.name));
      continue;
    }
    if (entry.name == "metadata.json") {
      slot.metadata = std::move(entry.id);
    } else if (entry.name == "content_hash.txt") {
      slot.content_hash = std::move(entry.id);
    } else if (entry.name == "prompt.txt") {
      slot.prompt = std::move(entry.id);
    } else if (entry.name == "context.md") {
      slot.context = std::move(entry.id);
    } else if (entry.name == "transcript.jsonl") {
      slot.compact = std::move(entry.id);
    } else if (entry.name == "full.log") {
      old_log = std::move(entry.id);
    } else if (const auto part = core::transcript_part(entry.name)) {
      slot.parts.emplace(*part, std::move(entry.id));
    } else {
      slot.unknown.push_back(std::move(entry.name));
    }
  }
  if (slot.parts.empty() && !old_log.empty()) slot.parts.emplace(0, std::move(old_log));
  return slot;
}

}  // namespace plankeep::sessions
