#include "architecture/include_rules.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plankeep::architecture {
namespace {

struct Room {
  std::string_view name;
  int floor;
};

// Include only from a floor below: never sideways, never up.
constexpr std::array kRooms = {
    Room{"base", 0},          Room{"model", 1},          Room{"system", 1},
    Room{"git_objects", 1},   Room{"charts", 1},         Room{"json_rpc", 1},
    Room{"rules", 2},         Room{"audit", 2},          Room{"markdown", 2},
    Room{"secrets", 2},       Room{"clients", 3},        Room{"merge", 3},
    Room{"git", 3},           Room{"store", 3},          Room{"checkpoint_db", 3},
    Room{"worktree", 4},      Room{"settings_files", 4}, Room{"session_store", 4},
    Room{"session_rules", 4}, Room{"remotes", 4},        Room{"project", 5},
    Room{"tracking", 6},      Room{"install", 6},        Room{"checkpoints", 7},
    Room{"sessions", 7},      Room{"editing", 8},        Room{"commits", 8},
    Room{"rewind", 9},        Room{"verify", 9},         Room{"reports", 9},
    Room{"render", 10},       Room{"policy", 11},        Room{"doctor", 11},
    Room{"board", 11},        Room{"hooks", 12},         Room{"mcp", 13},
    Room{"lsp", 13},          Room{"board_screen", 13},  Room{"cli", 14},
    Room{"fleet", 15},
};

// A foreign header, named by how it begins, and the only places under src/ that may include it.
struct Foreign {
  std::string_view header;
  std::string_view place;
  std::string_view other_place = {};
};

constexpr std::string_view kPosix = "system/posix/";
constexpr std::string_view kMain = "cli/main.cpp";

constexpr std::array kForeign = {
    Foreign{"cmark-gfm", "markdown/"},
    Foreign{"re2/", "markdown/", "secrets/"},
    Foreign{"openssl/", "base/sha256.cpp", "base/sha1.cpp"},
    Foreign{"sqlite3", "checkpoint_db/"},
    Foreign{"zlib.h", "git_objects/loose_object.cpp"},
    Foreign{"tl/", "base/"},
    Foreign{"CLI/", "cli/"},
    Foreign{"nlohmann/", "json_rpc/", "render/"},
    Foreign{"toml++/", "settings_files/toml_scan.cpp"},
    Foreign{"ncurses.h", "board_screen/screen.cpp"},
    Foreign{"wchar.h", "board_screen/screen.cpp"},
    Foreign{"langinfo.h", "board_screen/screen.cpp"},
    Foreign{"libpq-fe.h", "fleet/postgres.cpp"},
    Foreign{"dirent.h", kPosix, kMain},
    Foreign{"fcntl.h", kPosix, kMain},
    Foreign{"poll.h", kPosix, kMain},
    Foreign{"signal.h", kPosix, kMain},
    Foreign{"spawn.h", kPosix},
    Foreign{"sys/", kPosix, kMain},
    Foreign{"termios.h", kPosix, kMain},
    Foreign{"time.h", kPosix},
    Foreign{"unistd.h", kPosix, kMain},
    Foreign{"linux/", kPosix},
    Foreign{"malloc.h", kPosix},
};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view without_leading_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// The line with comment signs in front of it taken off.
std::string_view without_comment_signs(std::string_view line) {
  line = without_leading_blanks(line);
  while (line.starts_with("//") || line.starts_with("/*") || line.starts_with("*")) {
    line.remove_prefix(line.starts_with("*") ? 1 : 2);
    line = without_leading_blanks(line);
  }
  return line;
}

std::string_view room_of(std::string_view path) {
  return path.substr(0, path.find('/'));
}

// <vector>, <cstdint>: the standard library's names have neither a dot nor a slash.
bool is_standard(std::string_view header) {
  return !header.empty() && std::all_of(header.begin(), header.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::optional<std::string> objection_to_foreign(std::string_view path, std::string_view header) {
  if (is_standard(header)) return std::nullopt;
  const auto rule = std::find_if(kForeign.begin(), kForeign.end(),
                                 [&](const Foreign& foreign) { return header.starts_with(foreign.header); });
  if (rule == kForeign.end()) return "no room may include the foreign header <" + std::string(header) + ">";
  if (path.starts_with(rule->place)) return std::nullopt;
  if (!rule->other_place.empty() && path.starts_with(rule->other_place)) return std::nullopt;
  return "<" + std::string(header) + "> belongs to " + std::string(rule->place);
}

std::optional<std::string> objection_to_own(std::string_view path, std::string_view target) {
  const std::string_view from = room_of(path);
  const std::string_view to = room_of(target);
  const auto from_floor = floor_of(from);
  if (!from_floor) return "the folder " + std::string(from) + " is no room of the house";
  const auto to_floor = floor_of(to);
  if (!to_floor || target.find('/') == std::string_view::npos)
    return "\"" + std::string(target) + "\" names no room: write \"room/file.hpp\"";
  if (target.find("..") != std::string_view::npos)
    return "\"" + std::string(target) + "\" climbs with \"..\"";
  if (target.starts_with(kPosix) && !path.starts_with(kPosix) && from != "cli" && path != "fleet/main.cpp")
    return "only cli and fleet/main.cpp build the real ports of " + std::string(kPosix);
  if (from == to || *to_floor < *from_floor) return std::nullopt;
  const std::string way = *to_floor == *from_floor ? "sideways" : "up";
  return std::string(from) + " (floor " + std::to_string(*from_floor) + ") includes " + way + ": " +
         std::string(to) + " (floor " + std::to_string(*to_floor) + ")";
}

}  // namespace

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    std::string_view line = without_comment_signs(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.starts_with("#")) continue;
    line = without_leading_blanks(line.substr(1));
    if (!line.starts_with("include")) continue;
    line = without_leading_blanks(line.substr(std::string_view("include").size()));
    if (line.empty() || (line.front() != '"' && line.front() != '<')) continue;
    const bool quoted = line.front() == '"';
    const std::size_t close = line.find(quoted ? '"' : '>', 1);
    if (close == std::string_view::npos) continue;
    found.push_back({number, std::string(line.substr(1, close - 1)), quoted});
  }
  return found;
}

std::optional<int> floor_of(std::string_view room) {
  for (const Room& known : kRooms)
    if (known.name == room) return known.floor;
  return std::nullopt;
}

std::optional<std::string> objection_to(std::string_view path, const Include& include) {
  return include.quoted ? objection_to_own(path, include.target) : objection_to_foreign(path, include.target);
}

std::optional<std::string> objection_to_file(std::string_view path, std::string_view text,
                                             bool has_own_header) {
  if (path.ends_with(".hpp")) {
    if (!text.starts_with("#pragma once\n")) return "a header begins with #pragma once";
    return std::nullopt;
  }
  if (!has_own_header) return std::nullopt;
  const auto includes = includes_of(text);
  const std::string own = std::string(path.substr(0, path.size() - std::string_view(".cpp").size())) + ".hpp";
  if (includes.empty() || includes.front().target != own)
    return "a .cpp includes its own header first: " + own;
  return std::nullopt;
}

}  // namespace plankeep::architecture
