#include "settings_files/server_entry.hpp"

#include <utility>

#include "settings_files/json_edit.hpp"
#include "settings_files/server_toml.hpp"
#include "settings_files/settings_entries.hpp"

namespace plankeep::clients {
namespace {

using base::ErrorKind;
using base::JsonType;
using base::Result;
using base::Status;

constexpr std::string_view kEmptySettings = "{}\n";
constexpr std::string_view kArgsKey = "args";
constexpr std::string_view kToolsKey = "tools";

std::string_view servers_key(const ServerFormat& format) {
  return format.layout == ServerLayout::mcp ? "mcp" : "mcpServers";
}

std::string_view text_at(const JsonNode* array, std::size_t which) {
  if (array == nullptr || !array->is_array() || which >= array->items.size()) return {};
  const JsonNode& item = array->items[which];
  return item.is_string() ? std::string_view(item.text) : std::string_view{};
}

// The program that an entry starts; empty when that is not us.
std::string_view program_of(const ServerFormat& format, const JsonNode& entry) {
  const JsonNode* command = entry.find(kCommandKey);
  if (command == nullptr) return {};
  if (format.layout == ServerLayout::mcp) {
    const std::string_view program = text_at(command, 0);
    return starts_us(program, text_at(command, 1)) ? program : std::string_view{};
  }
  if (!command->is_string() || !starts_us(command->text, text_at(entry.find(kArgsKey), 0))) return {};
  return command->text;
}

const JsonNode* find_entry(const ServerFormat& format, const JsonNode& root) {
  const JsonNode* servers = root.find(servers_key(format));
  return servers == nullptr ? nullptr : servers->find(kServerName);
}

JsonValue all_tools() {
  JsonValue tools = JsonValue::array();
  tools.element(JsonValue::string("*"));
  return tools;
}

JsonValue entry_value(const ServerFormat& format, const std::string& program) {
  JsonValue entry = JsonValue::object();
  if (!format.type.empty()) entry.member("type", JsonValue::string(format.type));
  JsonValue words = JsonValue::array();
  if (format.layout == ServerLayout::mcp) {
    words.element(JsonValue::string(program)).element(JsonValue::string(kServerArgument));
    entry.member(kCommandKey, std::move(words));
    JsonValue enabled;
    enabled.type = JsonType::boolean;
    enabled.text = "true";
    entry.member("enabled", std::move(enabled));
    return entry;
  }
  entry.member(kCommandKey, JsonValue::string(program));
  entry.member(kArgsKey, std::move(words.element(JsonValue::string(kServerArgument))));
  if (format.tools) entry.member(kToolsKey, all_tools());
  return entry;
}

Status expect_object(const JsonEdit& edit, const JsonNode& node, std::string_view what) {
  if (node.is_object()) return {};
  return base::fail(ErrorKind::invalid_input,
                    place_of(edit.text(), node.begin) + ": expected an object ({...})" + std::string(what));
}

Status correct(const ServerFormat& format, JsonEdit& edit, const JsonPath& path, const std::string& program) {
  if (program_of(format, edit.at(path)) != program) {
    JsonPath command = path;
    command.push_back(*index_of(edit.at(path), kCommandKey));
    if (format.layout == ServerLayout::mcp) command.push_back(0);
    TRY(edit.replace(command, JsonValue::string(program)));
  }
  if (format.tools && edit.at(path).find(kToolsKey) == nullptr)
    TRY(edit.append(path, kToolsKey, all_tools()));
  return {};
}

// The tree without our entry, and without a list of servers that is empty then.
JsonNode without_entry(const ServerFormat& format, JsonNode root) {
  const auto at = index_of(root, servers_key(format));
  if (!at) return root;
  JsonNode& servers = root.items[*at];
  if (const auto entry = index_of(servers, kServerName))
    servers.items.erase(servers.items.begin() + static_cast<std::ptrdiff_t>(*entry));
  if (servers.items.empty()) root.items.erase(root.items.begin() + static_cast<std::ptrdiff_t>(*at));
  return root;
}

Status check_rest(const ServerFormat& format, std::string_view before, const ServerChange& change) {
  TRY_ASSIGN(const JsonTree old_tree, parse_json_tree(before));
  TRY_ASSIGN(const JsonTree new_tree, parse_json_tree(change.text));
  // A comment inside an entry of ours goes with it.
  const bool same_comments = change.state == EntryState::removed || old_tree.comments == new_tree.comments;
  if (same_comments && same_value(without_entry(format, old_tree.root), without_entry(format, new_tree.root)))
    return {};
  return base::fail(ErrorKind::internal,
                    "the change would affect more than plankeep's own entry; nothing was changed");
}

}  // namespace

bool starts_us(std::string_view command, std::string_view first_argument) {
  const std::size_t slash = command.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? command : command.substr(slash + 1);
  return name == kServerName && first_argument == kServerArgument;
}

Result<ServerChange> add_server(const ServerFormat& format, const std::optional<std::string>& text,
                                const std::string& program) {
  if (format.layout == ServerLayout::toml) return add_toml_server(text, program);
  const std::string before = text && !is_blank_settings(*text) ? *text : std::string(kEmptySettings);
  TRY_ASSIGN(auto edit, JsonEdit::open(before));
  TRY(expect_object(edit, edit.root(), ""));
  ServerChange change;
  const std::string_view key = servers_key(format);
  if (const JsonNode* servers = edit.root().find(key))
    TRY(expect_object(edit, *servers, " as \"" + std::string(key) + "\""));
  if (const JsonNode* entry = find_entry(format, edit.root())) {
    if (program_of(format, *entry).empty()) {
      return base::fail(
          ErrorKind::invalid_input,
          place_of(before, entry->begin) + ": a server named plankeep already exists and runs something else",
          "rename it, then run this command again");
    }
    const std::size_t servers = *index_of(edit.root(), key);
    TRY(correct(format, edit, {servers, *index_of(edit.at({servers}), kServerName)}, program));
    change.state = edit.text() == before ? EntryState::present : EntryState::updated;
  } else {
    if (!index_of(edit.root(), key)) TRY(edit.append({}, key, JsonValue::object()));
    TRY(edit.append({*index_of(edit.root(), key)}, kServerName, entry_value(format, program)));
    change.state = EntryState::added;
  }
  change.text = edit.text();
  TRY(check_rest(format, before, change));
  return change;
}

Result<ServerChange> remove_server(const ServerFormat& format, const std::string& text,
                                   const std::optional<std::string>& original) {
  if (format.layout == ServerLayout::toml) return remove_toml_server(text, original);
  if (is_blank_settings(text)) return ServerChange{text, std::nullopt};
  TRY_ASSIGN(auto edit, JsonEdit::open(text));
  TRY(expect_object(edit, edit.root(), ""));
  ServerChange change{text, std::nullopt};
  const JsonNode* entry = find_entry(format, edit.root());
  if (entry == nullptr || program_of(format, *entry).empty()) return change;
  change.state = EntryState::removed;
  const std::size_t servers = *index_of(edit.root(), servers_key(format));
  TRY(edit.remove({servers, *index_of(edit.at({servers}), kServerName)}));
  bool was_there = false;
  if (original) {
    const auto tree = parse_json_tree(*original);
    was_there = tree && tree->root.find(servers_key(format)) != nullptr;
  }
  if (!was_there && edit.at({servers}).items.empty()) TRY(edit.remove({servers}));
  change.text = edit.text();
  TRY(check_rest(format, text, change));
  if (original && is_blank_settings(*original) && says_nothing(change.text)) change.text = *original;
  return change;
}

bool has_our_server(const ServerFormat& format, std::string_view text) {
  if (format.layout == ServerLayout::toml) return has_our_toml_server(text);
  const auto tree = parse_json_tree(text);
  if (!tree) return false;
  const JsonNode* entry = find_entry(format, tree->root);
  return entry != nullptr && !program_of(format, *entry).empty();
}

}  // namespace plankeep::clients
