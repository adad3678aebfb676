#include "settings_files/settings.hpp"

#include <algorithm>
#include <utility>

#include "base/enum_names.hpp"
#include "base/text.hpp"
#include "clients/shell_words.hpp"
#include "settings_files/json_edit.hpp"
#include "settings_files/settings_entries.hpp"

namespace plankeep::clients {
namespace {

using base::ErrorKind;
using base::JsonType;
using base::Result;
using base::Status;

constexpr std::string_view kNothing = "{}\n";
constexpr std::string_view kThen = " --then ";

tl::unexpected<base::Error> unexpected_at(std::string_view text, const JsonNode& node,
                                          std::string_view what) {
  return base::fail(ErrorKind::invalid_input, place_of(text, node.begin) + ": expected " + std::string(what));
}

Status check_object(const JsonEdit& edit) {
  if (edit.root().is_object()) return {};
  return unexpected_at(edit.text(), edit.root(), "an object ({...})");
}

JsonPath joined(JsonPath path, std::size_t step) {
  path.push_back(step);
  return path;
}

JsonValue hook_value(const SettingsFormat& format, const HookEntry& entry, std::string_view command,
                     bool with_matcher) {
  JsonValue hook = JsonValue::object();
  if (format.named) hook.member("name", JsonValue::string("plankeep"));
  if (format.typed) hook.member("type", JsonValue::string("command"));
  if (with_matcher && !entry.matcher.empty()) hook.member(kMatcherKey, JsonValue::string(entry.matcher));
  hook.member(format.command_key, JsonValue::string(command));
  hook.member(format.timeout_key, JsonValue::number(std::int64_t{entry.seconds} * format.timeout_units));
  return hook;
}

JsonValue group_value(const SettingsFormat& format, const HookEntry& entry, std::string_view command) {
  if (format.layout == SettingsLayout::flat) return hook_value(format, entry, command, true);
  JsonValue group = JsonValue::object();
  if (!entry.matcher.empty()) group.member(kMatcherKey, JsonValue::string(entry.matcher));
  group.member(kHooksKey, JsonValue::array().element(hook_value(format, entry, command, false)));
  return group;
}

bool same_matcher(const JsonNode& group, std::string_view wanted) {
  const JsonNode* matcher = group.find(kMatcherKey);
  if (matcher == nullptr) return wanted.empty();
  if (!matcher->is_string()) return false;
  return matcher->text == wanted || (wanted.empty() && matcher->text == "*");
}

// Takes one hook of ours out, with the group and the event that it leaves empty.
Status take_out(JsonEdit& edit, const OurHook& ours, const JsonNode* original_hooks) {
  TRY(edit.remove(ours.alone ? ours.group : ours.hook));
  const JsonNode& list = edit.at(ours.list);
  const bool was_there = original_hooks != nullptr && original_hooks->find(list.key) != nullptr;
  if (list.items.empty() && !was_there) return edit.remove(ours.list);
  return {};
}

class Adding {
 public:
  Adding(const SettingsFormat& format, const SettingsOptions& options, JsonEdit edit)
      : format_(format), options_(options), edit_(std::move(edit)) {}

  Result<SettingsChange> run() {
    TRY(check_object(edit_));
    TRY(check_lists());
    TRY(take_out_unwanted());
    if (format_.versioned && edit_.root().find(kVersionKey) == nullptr)
      TRY(edit_.append({}, kVersionKey, JsonValue::number(1)));
    for (const HookEntry& entry : format_.entries) TRY(put(entry));
    change_.entries.insert(change_.entries.end(), taken_out_.begin(), taken_out_.end());
    if (format_.status_line) TRY(put_status_line());
    change_.text = edit_.text();
    return std::move(change_);
  }

 private:
  // Where the client expects an object or a list, something else is nothing that we may replace.
  Status check_lists() {
    const JsonNode* hooks = edit_.root().find(kHooksKey);
    if (hooks == nullptr) return {};
    if (!hooks->is_object()) return unexpected_at(edit_.text(), *hooks, "an object ({...}) as \"hooks\"");
    for (const HookEntry& entry : format_.entries) {
      const JsonNode* list = hooks->find(entry.event);
      if (list != nullptr && !list->is_array())
        return unexpected_at(edit_.text(), *list, "a list ([...]) as \"" + std::string(entry.event) + "\"");
    }
    return {};
  }

  const HookEntry* entry_for(std::string_view event) const {
    for (const HookEntry& entry : format_.entries) {
      if (entry.event == event) return &entry;
    }
    return nullptr;
  }

  // Events that we do not use (any more), second entries, and those among other people's hooks behind a
  // matcher that is not ours to change.
  Status take_out_unwanted() {
    for (;;) {
      const std::vector<OurHook> found = find_our_hooks(format_, edit_.root());
      std::vector<std::string> seen;
      const OurHook* unwanted = nullptr;
      for (const OurHook& ours : found) {
        const HookEntry* entry = entry_for(ours.event);
        const bool second = std::find(seen.begin(), seen.end(), ours.event) != seen.end();
        const bool elsewhere =
            entry != nullptr && !ours.alone && !same_matcher(edit_.at(ours.group), entry->matcher);
        if (entry == nullptr || second || elsewhere) {
          unwanted = &ours;
          break;
        }
        seen.push_back(ours.event);
      }
      if (unwanted == nullptr) return {};
      taken_out_.push_back({unwanted->event, EntryState::removed});
      TRY(take_out(edit_, *unwanted, nullptr));
    }
  }

  Status put(const HookEntry& entry) {
    const std::string command = hook_command(format_, options_.program, entry.event);
    for (const OurHook& ours : find_our_hooks(format_, edit_.root())) {
      if (ours.event != entry.event) continue;
      const std::string before = edit_.text();
      TRY(correct(ours, entry, command));
      const bool same = edit_.text() == before;
      change_.entries.push_back({ours.event, same ? EntryState::present : EntryState::updated});
      return {};
    }
    change_.entries.push_back({std::string(entry.event), EntryState::added});
    if (!index_of(edit_.root(), kHooksKey)) TRY(edit_.append({}, kHooksKey, JsonValue::object()));
    const JsonPath hooks{*index_of(edit_.root(), kHooksKey)};
    if (!index_of(edit_.at(hooks), entry.event)) TRY(edit_.append(hooks, entry.event, JsonValue::array()));
    const JsonPath list = joined(hooks, *index_of(edit_.at(hooks), entry.event));
    return edit_.append(list, {}, group_value(format_, entry, command));
  }

  Status correct(const OurHook& ours, const HookEntry& entry, const std::string& command) {
    if (!same_matcher(edit_.at(ours.group), entry.matcher)) {
      const auto matcher = index_of(edit_.at(ours.group), kMatcherKey);
      if (entry.matcher.empty()) {
        TRY(edit_.remove(joined(ours.group, *matcher)));
      } else {
        TRY(set(ours.group, kMatcherKey, JsonValue::string(entry.matcher)));
      }
    }
    // A matcher that came or went ahead of the list of hooks has moved it.
    JsonPath hook = ours.hook;
    if (format_.layout == SettingsLayout::groups)
      hook[hook.size() - 2] = *index_of(edit_.at(ours.group), kHooksKey);
    if (format_.command_key != kCommandKey) {
      if (const auto usual = index_of(edit_.at(hook), kCommandKey)) TRY(edit_.remove(joined(hook, *usual)));
    }
    const JsonValue wanted = hook_value(format_, entry, command, false);
    for (std::size_t i = 0; i < wanted.items.size(); ++i) TRY(set(hook, wanted.keys[i], wanted.items[i]));
    return {};
  }

  Status set(const JsonPath& object, std::string_view key, const JsonValue& value) {
    const auto at = index_of(edit_.at(object), key);
    if (!at) return edit_.append(object, key, value);
    const JsonNode& node = edit_.at(object).items[*at];
    if (node.type == value.type && node.text == value.text) return {};
    return edit_.replace(joined(object, *at), value);
  }

  std::string status_command(const std::optional<std::string>& then) const {
    std::string command = shell_quoted(options_.program) + " statusline " + std::string(format_.client);
    if (then) command.append(kThen).append(shell_quoted(*then));
    return command;
  }

  Status put_status_line() {
    const auto status = find_status_line(format_, edit_.root());
    if (!status) {
      const bool hides = options_.hidden_status_line.has_value();
      change_.status_line = hides ? StatusLineState::other : StatusLineState::added;
      if (hides && !options_.wrap_status_line) return {};
      if (hides) change_.status_line = StatusLineState::wrapped;
      JsonValue value = JsonValue::object();
      value.member("type", JsonValue::string("command"));
      value.member(kCommandKey, JsonValue::string(status_command(options_.hidden_status_line)));
      // "statusLine": null is none.
      if (const auto at = index_of(edit_.root(), kStatusLineKey)) return edit_.replace({*at}, value);
      return edit_.append({}, kStatusLineKey, value);
    }
    std::string wanted;
    if (status->ours) {
      wanted = status_command(status->then);
      change_.status_line = wanted == status->command ? StatusLineState::present : StatusLineState::updated;
      if (wanted == status->command) return {};
    } else {
      change_.status_line = StatusLineState::other;
      if (!options_.wrap_status_line || status->command.empty()) return {};
      change_.status_line = StatusLineState::wrapped;
      wanted = status_command(status->command);
    }
    const JsonPath line{*index_of(edit_.root(), kStatusLineKey)};
    return set(line, kCommandKey, JsonValue::string(wanted));
  }

  const SettingsFormat& format_;
  const SettingsOptions& options_;
  JsonEdit edit_;
  SettingsChange change_;
  std::vector<EntryChange> taken_out_;
};

class Removing {
 public:
  Removing(const SettingsFormat& format, const std::optional<std::string>& hidden, JsonEdit edit)
      : format_(format), hidden_(hidden), edit_(std::move(edit)) {}

  // A copy that cannot be read tells nothing.
  void know(const std::optional<std::string>& original) {
    if (!original) return;
    auto tree = parse_json_tree(*original);
    if (!tree || !tree->root.is_object()) return;
    // From after we came: it says nothing of before.
    const auto status = find_status_line(format_, tree->root);
    if (!find_our_hooks(format_, tree->root).empty() || (status && status->ours)) return;
    original_ = std::move(tree->root);
    original_text_ = *original;
  }

  Result<SettingsChange> run() {
    TRY(check_object(edit_));
    TRY(restore_status_line());
    const JsonNode* original_hooks = original_ ? original_->find(kHooksKey) : nullptr;
    for (;;) {
      std::vector<OurHook> found = find_our_hooks(format_, edit_.root());
      std::erase_if(found, [](const OurHook& ours) { return ours.by_hand; });
      if (found.empty()) break;
      change_.entries.push_back({found.back().event, EntryState::removed});
      TRY(take_out(edit_, found.back(), original_hooks));
    }
    std::reverse(change_.entries.begin(), change_.entries.end());
    if (const auto hooks = index_of(edit_.root(), kHooksKey); hooks && original_hooks == nullptr) {
      if (!change_.entries.empty() && edit_.at({*hooks}).items.empty()) TRY(edit_.remove({*hooks}));
    }
    TRY(drop_version());
    change_.text = edit_.text();
    return std::move(change_);
  }

 private:
  Status drop_version() {
    if (!format_.versioned || change_.entries.empty()) return {};
    const auto version = index_of(edit_.root(), kVersionKey);
    if (!version || edit_.at({*version}).text != "1") return {};
    const bool ours = original_ ? original_->find(kVersionKey) == nullptr : edit_.root().items.size() == 1;
    return ours ? edit_.remove({*version}) : Status{};
  }

  Status restore_status_line() {
    const auto status = find_status_line(format_, edit_.root());
    if (!status || !status->ours || status->by_hand) return {};
    const std::size_t at = *index_of(edit_.root(), kStatusLineKey);
    const JsonNode* before = original_ ? original_->find(kStatusLineKey) : nullptr;
    const bool null_before = before != nullptr && before->type == JsonType::null;
    if (!status->then || (status->then == hidden_ && (before == nullptr || null_before))) {
      change_.status_line = StatusLineState::removed;
      return null_before ? edit_.replace_raw({at}, "null") : edit_.remove({at});
    }
    change_.status_line = StatusLineState::restored;
    const JsonPath command{at, *index_of(edit_.at({at}), kCommandKey)};
    const JsonNode* known = before != nullptr ? before->find(kCommandKey) : nullptr;
    if (known != nullptr && known->is_string() && known->text == *status->then)
      return edit_.replace_raw(
          command, std::string_view(original_text_).substr(known->begin, known->end - known->begin));
    return edit_.replace(command, JsonValue::string(*status->then));
  }

  const SettingsFormat& format_;
  const std::optional<std::string>& hidden_;
  JsonEdit edit_;
  std::optional<JsonNode> original_;
  std::string original_text_;
  SettingsChange change_;
};

// Apart from us both say the same. Comments are compared where nothing was taken out: one inside an entry of
// ours goes with it.
Status check_rest(const SettingsFormat& format, const std::optional<std::string>& hidden,
                  std::string_view before, const SettingsChange& change) {
  TRY_ASSIGN(const JsonTree old_tree, parse_json_tree(before));
  TRY_ASSIGN(const JsonTree new_tree, parse_json_tree(change.text));
  const bool took_out =
      std::any_of(change.entries.begin(), change.entries.end(),
                  [](const EntryChange& entry) { return entry.state == EntryState::removed; });
  const bool removed_line = change.status_line == StatusLineState::removed;
  const bool same_comments = took_out || removed_line || old_tree.comments == new_tree.comments;
  const auto rest = [&](const JsonNode& root) {
    JsonNode node = without_ours(format, root, hidden);
    // Nothing and null are the same status line.
    node.items.erase(std::remove_if(node.items.begin(), node.items.end(),
                                    [&](const JsonNode& item) {
                                      return format.status_line && item.key == kStatusLineKey &&
                                             item.type == JsonType::null;
                                    }),
                     node.items.end());
    return node;
  };
  if (same_comments && same_value(rest(old_tree.root), rest(new_tree.root))) return {};
  return base::fail(ErrorKind::internal,
                    "the change would affect more than plankeep's own entries; nothing was changed");
}

constexpr auto kEntryStates = base::enum_names<EntryState>({{EntryState::present, "present"},
                                                            {EntryState::added, "added"},
                                                            {EntryState::updated, "updated"},
                                                            {EntryState::removed, "removed"}});

constexpr auto kStatusLineStates =
    base::enum_names<StatusLineState>({{StatusLineState::none, "none"},
                                       {StatusLineState::present, "present"},
                                       {StatusLineState::added, "added"},
                                       {StatusLineState::updated, "updated"},
                                       {StatusLineState::wrapped, "wrapped"},
                                       {StatusLineState::other, "other"},
                                       {StatusLineState::removed, "removed"},
                                       {StatusLineState::restored, "restored"}});

}  // namespace

std::string_view name_of(EntryState state) {
  return kEntryStates.name_of(state);
}

std::string_view name_of(StatusLineState state) {
  return kStatusLineStates.name_of(state);
}

bool complete(const std::vector<EntryChange>& entries, StatusLineState status_line) {
  const bool line = status_line == StatusLineState::none || status_line == StatusLineState::present ||
                    status_line == StatusLineState::other;
  return line && std::all_of(entries.begin(), entries.end(),
                             [](const EntryChange& entry) { return entry.state == EntryState::present; });
}

Result<SettingsChange> add_hooks(const SettingsFormat& format, const std::optional<std::string>& text,
                                 const SettingsOptions& options) {
  const std::string before = text && !is_blank_settings(*text) ? *text : std::string(kNothing);
  TRY_ASSIGN(auto edit, JsonEdit::open(before));
  // A status line in this file hides the other one already.
  const auto status = find_status_line(format, edit.root());
  SettingsOptions effective = options;
  if (status && !status->ours) effective.hidden_status_line.reset();
  TRY_ASSIGN(auto change, Adding(format, effective, std::move(edit)).run());
  TRY(check_rest(format, effective.hidden_status_line, before, change));
  return change;
}

namespace {

// `original` without what we write, if `text` is what adding makes of it: then nothing but us has changed the
// file since entries that somebody wrote by hand were taken over. nullopt otherwise.
std::optional<std::string> before_taking_over(const SettingsFormat& format, const std::string& text,
                                              const std::optional<std::string>& original,
                                              const std::optional<std::string>& hidden_status_line) {
  if (!original) return std::nullopt;
  const auto then = survey_settings(format, *original);
  const auto now = survey_settings(format, text);
  if (!then || !now || then->by_hand().empty() || now->hooks.empty()) return std::nullopt;
  SettingsOptions options;
  options.program = now->hooks.front().program;
  options.wrap_status_line = now->status_line_is_ours && now->status_line_then;
  options.hidden_status_line = hidden_status_line;
  const auto added = add_hooks(format, *original, options);
  if (!added || added->text != text) return std::nullopt;
  const auto rest = remove_hooks(format, *original, std::nullopt, hidden_status_line);
  return rest ? std::optional(rest->text) : std::nullopt;
}

}  // namespace

Result<SettingsChange> remove_hooks(const SettingsFormat& format, const std::string& text,
                                    const std::optional<std::string>& original,
                                    const std::optional<std::string>& hidden_status_line) {
  if (is_blank_settings(text)) {
    SettingsChange nothing;
    nothing.text = text;
    return nothing;
  }
  TRY_ASSIGN(auto edit, JsonEdit::open(text));
  Removing removing(format, hidden_status_line, std::move(edit));
  removing.know(original);
  TRY_ASSIGN(auto change, removing.run());
  const bool removed = change.status_line == StatusLineState::removed;
  TRY(check_rest(format, removed ? hidden_status_line : std::nullopt, text, change));
  if (original && is_blank_settings(*original) && says_nothing(change.text)) change.text = *original;
  if (auto back = before_taking_over(format, text, original, hidden_status_line))
    change.text = std::move(*back);
  return change;
}

// What `touch`, an editor or a crash of the client leaves.
bool is_blank_settings(std::string_view text) {
  if (text.starts_with(base::kByteOrderMark)) text.remove_prefix(base::kByteOrderMark.size());
  return base::trimmed(text).empty();
}

bool says_nothing(std::string_view text) {
  const auto tree = parse_json_tree(text);
  return tree && tree->root.is_object() && tree->root.items.empty() && tree->comments.empty();
}

std::vector<std::pair<std::string, std::string>> SettingsSurvey::by_hand() const {
  std::vector<std::pair<std::string, std::string>> found;
  for (const FoundHook& hook : hooks) {
    if (hook.by_hand) found.emplace_back(hook.event, hook.command);
  }
  if (status_line_by_hand) found.emplace_back(kStatusLineKey, *status_line);
  return found;
}

Result<SettingsSurvey> survey_settings(const SettingsFormat& format, std::string_view text) {
  if (is_blank_settings(text)) return SettingsSurvey();
  TRY_ASSIGN(const JsonTree tree, parse_json_tree(text));
  SettingsSurvey survey;
  for (const OurHook& ours : find_our_hooks(format, tree.root)) {
    FoundHook hook;
    hook.event = ours.event;
    hook.command = ours.command;
    hook.program = words_of_ours(format, "hook", ours.command).front();
    hook.group = ours.group.back();
    hook.index = format.layout == SettingsLayout::flat ? 0 : ours.hook.back();
    hook.by_hand = ours.by_hand;
    survey.hooks.push_back(std::move(hook));
  }
  if (const auto status = find_status_line(format, tree.root)) {
    survey.status_line = status->command;
    survey.status_line_is_ours = status->ours;
    survey.status_line_program = status->program;
    survey.status_line_then = status->then;
    survey.status_line_by_hand = status->by_hand;
  }
  const JsonNode* disabled = tree.root.find("disableAllHooks");
  survey.disabled = disabled != nullptr && disabled->type == JsonType::boolean && disabled->text == "true";
  return survey;
}

std::string hook_command(const SettingsFormat& format, std::string_view program, std::string_view event) {
  return shell_quoted(program) + " hook " + std::string(format.client) + " " + std::string(event);
}

}  // namespace plankeep::clients
