#include "settings_files/server_toml.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "settings_files/toml_scan.hpp"

namespace plankeep::clients {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using Kind = TomlStatement::Kind;

constexpr std::string_view kServers = "mcp_servers";

// The statements of our table, and what is in it that we look at.
struct OurTable {
  bool found = false;
  std::vector<std::pair<std::size_t, std::size_t>> pieces;  // of the text, in order
  std::size_t table_end = 0;                                // behind the last statement of the table itself
  std::optional<std::string> command;
  std::size_t command_begin = 0;
  std::size_t command_end = 0;
  std::optional<std::string> argument;
};

bool begins_with_ours(const std::vector<std::string>& path) {
  return path.size() >= 2 && path[0] == kServers && path[1] == kServerName;
}

base::Error in_another_way() {
  return {ErrorKind::invalid_input,
          "mcp_servers has a form that plankeep cannot edit in place",
          {},
          "use instead: codex mcp add plankeep -- plankeep mcp"};
}

Result<OurTable> find_table(const std::vector<TomlStatement>& statements) {
  OurTable table;
  std::vector<std::string> header;
  bool in_array = false;
  for (const TomlStatement& statement : statements) {
    if (statement.kind != Kind::value) {
      header = statement.path;
      in_array = statement.kind == Kind::array_of_tables;
    }
    std::vector<std::string> path = header;
    if (statement.kind == Kind::value) path.insert(path.end(), statement.path.begin(), statement.path.end());
    const bool ours = begins_with_ours(path);
    // What could be ours in a form that we do not write: [[mcp_servers]], mcp_servers = {...}, and our own
    // table made out of dotted keys or in braces.
    const bool whole = path.size() == 1 && path[0] == kServers && (statement.kind == Kind::value || in_array);
    const bool without_header = ours && !begins_with_ours(header);
    if (whole || (ours && in_array) || without_header) return base::fail(in_another_way());
    if (!ours) continue;
    table.pieces.emplace_back(statement.begin, statement.end);
    if (header.size() != 2) continue;
    if (statement.kind == Kind::table && table.found) return base::fail(in_another_way());
    table.found = true;
    table.table_end = statement.end;
    if (statement.kind != Kind::value || statement.path.size() != 1) continue;
    if (statement.path[0] == "command") {
      table.command = statement.text;
      table.command_begin = statement.value_begin;
      table.command_end = statement.value_end;
    } else if (statement.path[0] == "args") {
      table.argument = statement.first_text;
    }
  }
  // Only tables below ours: then ours is there without a header of its own, and is not ours to judge.
  if (!table.found && !table.pieces.empty()) return base::fail(in_another_way());
  return table;
}

// Whether what cannot be edited names us at all.
bool may_hold_us(std::string_view text, const std::vector<TomlStatement>& statements) {
  bool servers = false;
  return std::any_of(statements.begin(), statements.end(), [&](const TomlStatement& statement) {
    const bool named = !statement.path.empty() && statement.path[0] == kServers;
    if (statement.kind != Kind::value) servers = named;
    const std::string_view words = text.substr(statement.begin, statement.end - statement.begin);
    return (servers || named) && words.find(kServerName) != std::string_view::npos;
  });
}

bool is_ours(const OurTable& table) {
  return table.found && starts_us(table.command.value_or(""), table.argument.value_or(""));
}

// What a file says apart from us, statement by statement.
Result<std::vector<std::string>> rest_of(std::string_view text) {
  TRY_ASSIGN(const auto statements, scan_toml(text));
  TRY_ASSIGN(const OurTable table, find_table(statements));
  std::vector<std::string> rest;
  for (const TomlStatement& statement : statements) {
    const std::pair piece{statement.begin, statement.end};
    if (std::find(table.pieces.begin(), table.pieces.end(), piece) != table.pieces.end()) continue;
    std::string line(text.substr(statement.begin, statement.end - statement.begin));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    rest.push_back(std::move(line));
  }
  return rest;
}

Status check_rest(std::string_view before, std::string_view after) {
  TRY_ASSIGN(const auto old_rest, rest_of(before));
  TRY_ASSIGN(const auto new_rest, rest_of(after));
  if (old_rest == new_rest) return {};
  return base::fail(ErrorKind::internal,
                    "the change would affect more than plankeep's own entry; nothing was changed");
}

std::string newline_of(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace

Result<ServerChange> add_toml_server(const std::optional<std::string>& text, const std::string& program) {
  const std::string before = text.value_or("");
  TRY_ASSIGN(const auto statements, scan_toml(before));
  TRY_ASSIGN(const OurTable table, find_table(statements));
  ServerChange change{before, EntryState::present};
  if (table.found) {
    if (!is_ours(table)) {
      return base::fail(ErrorKind::invalid_input,
                        "[mcp_servers.plankeep] already exists and runs something else",
                        "rename it, then run this command again");
    }
    if (*table.command != program) {
      change.text.replace(table.command_begin, table.command_end - table.command_begin, toml_quoted(program));
      change.state = EntryState::updated;
    }
  } else {
    const std::string newline = newline_of(before);
    if (!before.empty() && before.back() != '\n') change.text += newline;
    if (!before.empty()) change.text += newline;
    change.text += "[" + std::string(kServers) + "." + std::string(kServerName) + "]" + newline;
    change.text += "command = " + toml_quoted(program) + newline;
    change.text += "args = [" + toml_quoted(kServerArgument) + "]" + newline;
    change.state = EntryState::added;
  }
  TRY(check_rest(before, change.text));
  return change;
}

Result<ServerChange> remove_toml_server(const std::string& text, const std::optional<std::string>& original) {
  TRY_ASSIGN(const auto statements, scan_toml(text));
  ServerChange change{text, std::nullopt};
  const auto found = find_table(statements);
  if (!found && !may_hold_us(text, statements)) return change;
  if (!found)
    return base::fail(found.error().kind, found.error().message, "use instead: codex mcp remove plankeep");
  const OurTable& table = *found;
  if (!is_ours(table)) return change;
  change.state = EntryState::removed;
  const bool last = table.pieces.back().second == text.size();
  for (auto piece = table.pieces.rbegin(); piece != table.pieces.rend(); ++piece)
    change.text.erase(piece->first, piece->second - piece->first);
  // The empty line that was put between us and what stood there.
  const std::string newline = newline_of(text);
  const bool empty_line = change.text.ends_with(newline + newline) || change.text == newline;
  if (last && empty_line) change.text.resize(change.text.size() - newline.size());
  // Where nothing else has changed the original knows best, of line ends above all.
  if (original && !has_our_toml_server(*original)) {
    const auto added = add_toml_server(original, *table.command);
    if (added && added->text == text) change.text = *original;
  }
  TRY(check_rest(text, change.text));
  return change;
}

bool has_our_toml_server(std::string_view text) {
  const auto statements = scan_toml(text);
  if (!statements) return false;
  const auto table = find_table(*statements);
  return table && is_ours(*table);
}

}  // namespace plankeep::clients
