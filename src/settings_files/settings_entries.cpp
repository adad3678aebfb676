#include "settings_files/settings_entries.hpp"

#include <algorithm>
#include <utility>

#include "clients/shell_words.hpp"

namespace plankeep::clients {
namespace {

using base::JsonType;

constexpr std::string_view kProgram = "plankeep";

// The command of a hook; clients take it from their own key, and some from the usual one as well.
const std::string* command_of(const SettingsFormat& format, const JsonNode& hook) {
  for (const std::string_view key : {format.command_key, kCommandKey}) {
    const JsonNode* command = hook.find(key);
    if (command != nullptr && command->is_string()) return &command->text;
  }
  return nullptr;
}

bool is_ours(const SettingsFormat& format, const JsonNode& hook) {
  const std::string* command = command_of(format, hook);
  return command != nullptr && !words_of_ours(format, "hook", *command).empty();
}

// Words end at an operator, so the end of the text is asked too.
bool ends_with_word(std::string_view command, std::string_view word) {
  return command.ends_with(" " + std::string(word));
}

OurHook our_hook(const SettingsFormat& format, const JsonNode& node, const std::string& event) {
  OurHook hook;
  hook.event = event;
  hook.command = *command_of(format, node);
  const std::vector<std::string> words = words_of_ours(format, "hook", hook.command);
  hook.by_hand = words.size() != 4 || !ends_with_word(hook.command, event);
  return hook;
}

void erase_if(JsonNode& node, bool (*unwanted)(const SettingsFormat&, const JsonNode&),
              const SettingsFormat& format) {
  node.items.erase(std::remove_if(node.items.begin(), node.items.end(),
                                  [&](const JsonNode& item) { return unwanted(format, item); }),
                   node.items.end());
}

// Takes our hooks out of an event's list, with the groups that held nothing else.
void strip_list(const SettingsFormat& format, JsonNode& list) {
  if (!list.is_array()) return;
  if (format.layout == SettingsLayout::flat) return erase_if(list, is_ours, format);
  std::vector<JsonNode> kept;
  for (JsonNode& group : list.items) {
    bool emptied = false;
    if (group.is_object()) {
      for (JsonNode& member : group.items) {
        if (member.key != kHooksKey || !member.is_array()) continue;
        const std::size_t before = member.items.size();
        erase_if(member, is_ours, format);
        emptied = before > 0 && member.items.empty();
      }
    }
    if (!emptied) kept.push_back(std::move(group));
  }
  list.items = std::move(kept);
}

bool is_empty_list(const SettingsFormat& /*format*/, const JsonNode& node) {
  return node.is_array() && node.items.empty();
}

}  // namespace

std::vector<std::string> words_of_ours(const SettingsFormat& format, std::string_view verb,
                                       std::string_view command) {
  if (command.find(kProgram) == std::string_view::npos) return {};
  std::vector<std::string> words = shell_words(command);
  if (words.size() < 3 || words[1] != verb || words[2] != format.client) return {};
  const std::size_t slash = words[0].rfind('/');
  const std::string name = slash == std::string::npos ? words[0] : words[0].substr(slash + 1);
  if (name != kProgram) return {};
  return words;
}

std::optional<std::size_t> index_of(const JsonNode& object, std::string_view key) {
  if (!object.is_object()) return std::nullopt;
  for (std::size_t i = 0; i < object.items.size(); ++i) {
    if (object.items[i].key == key) return i;
  }
  return std::nullopt;
}

std::vector<OurHook> find_our_hooks(const SettingsFormat& format, const JsonNode& root) {
  std::vector<OurHook> found;
  const auto hooks = index_of(root, kHooksKey);
  if (!hooks || !root.items[*hooks].is_object()) return found;
  const std::vector<JsonNode>& events = root.items[*hooks].items;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (!events[e].is_array()) continue;
    const JsonPath list{*hooks, e};
    for (std::size_t g = 0; g < events[e].items.size(); ++g) {
      const JsonNode& group = events[e].items[g];
      const JsonPath group_path{*hooks, e, g};
      if (format.layout == SettingsLayout::flat) {
        if (!is_ours(format, group)) continue;
        found.push_back(our_hook(format, group, events[e].key));
        found.back().list = list;
        found.back().group = found.back().hook = group_path;
        continue;
      }
      const auto inner = index_of(group, kHooksKey);
      if (!inner || !group.items[*inner].is_array()) continue;
      const std::vector<JsonNode>& commands = group.items[*inner].items;
      for (std::size_t h = 0; h < commands.size(); ++h) {
        if (!is_ours(format, commands[h])) continue;
        found.push_back(our_hook(format, commands[h], events[e].key));
        found.back().list = list;
        found.back().group = group_path;
        found.back().hook = {*hooks, e, g, *inner, h};
        found.back().alone = commands.size() == 1;
      }
    }
  }
  return found;
}

std::optional<StatusLine> find_status_line(const SettingsFormat& format, const JsonNode& root) {
  if (!format.status_line) return std::nullopt;
  const JsonNode* line = root.find(kStatusLineKey);
  if (line == nullptr || line->type == JsonType::null) return std::nullopt;
  StatusLine status;
  const JsonNode* command = line->find(kCommandKey);
  if (command == nullptr || !command->is_string()) return status;
  status.command = command->text;
  const std::vector<std::string> words = words_of_ours(format, "statusline", command->text);
  if (words.empty()) return status;
  status.ours = true;
  status.program = words[0];
  const bool wraps = words.size() >= 5 && words[3] == "--then";
  if (wraps) status.then = words[4];
  status.by_hand = words.size() != (wraps ? 5 : 3) ||
                   !ends_with_word(command->text, wraps ? shell_quoted(*status.then) : format.client);
  return status;
}

JsonNode without_ours(const SettingsFormat& format, JsonNode root,
                      const std::optional<std::string>& hidden_status_line) {
  const auto status = find_status_line(format, root);
  std::vector<JsonNode> kept;
  for (JsonNode& member : root.items) {
    if (format.versioned && member.key == kVersionKey && member.text == "1") continue;
    if (member.key == kHooksKey && member.is_object()) {
      for (JsonNode& list : member.items) strip_list(format, list);
      erase_if(member, is_empty_list, format);
      if (member.items.empty()) continue;
    }
    if (member.key == kStatusLineKey && status && status->ours) {
      if (!status->then || status->then == hidden_status_line) continue;
      for (JsonNode& part : member.items) {
        if (part.key == kCommandKey) part.text = *status->then;
      }
    }
    kept.push_back(std::move(member));
  }
  root.items = std::move(kept);
  return root;
}

}  // namespace plankeep::clients
