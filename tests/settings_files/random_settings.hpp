#pragma once
// Settings files made at random: other people's hooks and settings, in every layout that a person, an editor
// or a client could give them, comments and trailing commas included.

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "settings_files/settings_format.hpp"

namespace plankeep::test {

/// Writes JSON with random white space and comments, or in one of the tidy layouts.
class RandomJson {
 public:
  RandomJson() : tidy_(*rc::gen::arbitrary<bool>()) {
    newline_ = *rc::gen::element<std::string>("\n", "\n", "\r\n");
    unit_ = *rc::gen::element<std::string>("  ", "    ", "\t", " ");
    one_line_ = *rc::gen::inRange(0, 4) == 0;
    spaced_ = *rc::gen::arbitrary<bool>();
    trailing_ = *rc::gen::inRange(0, 4) == 0;
    comments_ = *rc::gen::arbitrary<bool>();
  }

  std::string settings(const clients::SettingsFormat& format) {
    std::vector<std::string> members;
    if (chance(2)) members.push_back(member("model", "\"gr\\u00fcn \\/ \\\"x\\\"\"", 1));
    if (chance(3))
      members.push_back(member("permissions", list({"\"Bash(ls)\"", "\"plankeep\"", "1e3"}, 1), 1));
    if (chance(2)) members.push_back(member("hooks", hooks(format), 1));
    if (format.status_line && chance(4)) {
      members.push_back(
          member("statusLine",
                 *rc::gen::element<std::string>("null", "{\"command\":\"my 'bar'\"}",
                                                "{ \"type\": \"command\", \"command\": \"a\\/b\" }"),
                 1));
    }
    if (format.versioned && chance(2)) members.push_back(member("version", "1", 1));
    if (chance(3)) members.push_back(member("last", container('{', {}, '}', 1), 1));
    return *rc::gen::element<std::string>("", "", "\xEF\xBB\xBF") + gap(0) + container('{', members, '}', 0) +
           *rc::gen::element<std::string>("", newline_, newline_ + newline_) + (chance(5) ? gap(0) : "");
  }

 private:
  static bool chance(int in) { return *rc::gen::inRange(0, in) == 0; }

  std::string hooks(const clients::SettingsFormat& format) {
    std::vector<std::string> events;
    for (const clients::HookEntry& entry : format.entries) {
      if (!chance(4)) continue;
      std::vector<std::string> groups;
      const int count = *rc::gen::inRange(0, 3);
      for (int i = 0; i < count; ++i) groups.push_back(group(format));
      events.push_back(member(std::string(entry.event), container('[', groups, ']', 2), 2));
    }
    if (chance(4)) events.push_back(member("Unheard", list({"7"}, 2), 2));
    return container('{', events, '}', 1);
  }

  std::string group(const clients::SettingsFormat& format) {
    const std::string hook =
        container('{',
                  {member("type", "\"command\"", 5),
                   member(std::string(format.command_key),
                          *rc::gen::element<std::string>("\"lint --fix\"", "\"plankeeper hook x Stop\"",
                                                         "\"echo plankeep hook\""),
                          5)},
                  '}', 4);
    if (format.layout == clients::SettingsLayout::flat) return hook;
    std::vector<std::string> members;
    if (chance(2)) members.push_back(member("matcher", "\"Bash\"", 4));
    members.push_back(member("hooks", container('[', {hook}, ']', 4), 4));
    return container('{', members, '}', 3);
  }

  std::string list(const std::vector<std::string>& items, int depth) {
    return container('[', items, ']', depth);
  }

  std::string member(const std::string& key, const std::string& value, int depth) {
    if (tidy_) return "\"" + key + "\":" + (spaced_ || !one_line_ ? " " : "") + value;
    return "\"" + key + "\"" + gap(depth) + ":" + gap(depth) + value;
  }

  std::string container(char opening, const std::vector<std::string>& items, char closing, int depth) {
    std::string text(1, opening);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (tidy_ && !one_line_) text += comment_line(depth + 1) + indent(depth + 1);
      if (tidy_ && one_line_ && i > 0 && spaced_) text += " ";
      if (!tidy_) text += gap(depth);
      text += items[i];
      if (!tidy_) text += gap(depth);
      if (i + 1 < items.size() || trailing_) text += ",";
      if (tidy_ && !one_line_ && comments_ && chance(4))
        text += *rc::gen::element<std::string>(" // why", " /* a */");
    }
    if (!tidy_) return text + gap(depth) + closing;
    if (!one_line_ && !items.empty()) text += indent(depth);
    return text + closing;
  }

  std::string comment_line(int depth) {
    if (!comments_ || !chance(5)) return {};
    return indent(depth) + "// a comment, {\"not\": \"plankeep hook codex Stop\"}";
  }

  std::string indent(int depth) const {
    std::string text = newline_;
    for (int i = 0; i < depth; ++i) text += unit_;
    return text;
  }

  std::string gap(int depth) {
    if (tidy_) return {};
    std::string text;
    const int pieces = *rc::gen::weightedElement<int>({{4, 0}, {3, 1}, {1, 2}});
    for (int i = 0; i < pieces; ++i) {
      text += *rc::gen::element<std::string>(" ", newline_, indent(depth), "\t", "\n\n  ", "\r\n");
      if (comments_ && chance(3))
        text += *rc::gen::element<std::string>("/* b */", "// c\n", "/* d\n e */", "//\r\n");
    }
    return text;
  }

  bool tidy_;
  bool one_line_ = false;
  bool spaced_ = true;
  bool trailing_ = false;
  bool comments_ = false;
  std::string newline_;
  std::string unit_;
};

}  // namespace plankeep::test
