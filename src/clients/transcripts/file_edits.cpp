#include "clients/transcripts/file_edits.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/json_reader.hpp"
#include "base/text.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

constexpr std::string_view kPatchBegin = "*** Begin Patch";

template <std::size_t N>
bool is_one_of(std::string_view key, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), key) != names.end();
}

constexpr std::array<std::string_view, 6> kPaths{"file_path",     "filePath", "path",
                                                 "notebook_path", "filepath", "absolute_path"};
constexpr std::array<std::string_view, 4> kContents{"content", "file_text", "contents", "new_source"};
constexpr std::array<std::string_view, 3> kBefore{"old_string", "oldString", "old_str"};
constexpr std::array<std::string_view, 3> kAfter{"new_string", "newString", "new_str"};
constexpr std::array<std::string_view, 4> kPatches{"input", "patch", "patchText", "command"};
constexpr std::array<std::string_view, 11> kSubjects{"file_path", "filePath",    "path",  "notebook_path",
                                                     "url",       "command",     "cmd",   "pattern",
                                                     "query",     "description", "prompt"};

class ArgumentsReader {
 public:
  std::vector<FileEdit> read(std::string_view arguments) {
    JsonReader in(arguments);
    if (in.peek() == JsonType::string) {
      std::string text;
      if (!in.string(text)) return {};
      if (text.starts_with(kPatchBegin)) return file_edits_in_patch(text);
      // Arguments as a text that is JSON again; once, not for ever.
      if (nested_ || !text.starts_with('{')) return {};
      ArgumentsReader inner;
      inner.nested_ = true;
      return inner.read(text);
    }
    if (in.peek() != JsonType::object) return {};
    if (!in.object([&](std::string_view key) { return field(in, key); })) return {};
    return take();
  }

 private:
  Status field(JsonReader& in, std::string_view key) {
    const JsonType type = in.peek();
    if (type == JsonType::array && key == "edits") return edits(in);
    if (type == JsonType::array && key == "command") return words(in);
    if (type != JsonType::string) return in.skip();
    if (is_one_of(key, kPaths)) return in.string(path_);
    if (is_one_of(key, kContents)) return in.string(content_.emplace());
    if (is_one_of(key, kBefore)) return in.string(edit_.before);
    if (is_one_of(key, kAfter)) {
      replaces_ = true;
      return in.string(edit_.after);
    }
    if (!is_one_of(key, kPatches)) return in.skip();
    std::string text;
    TRY(in.string(text));
    if (text.starts_with(kPatchBegin)) patch_ = std::move(text);
    return {};
  }

  Status edits(JsonReader& in) {
    return in.array([&]() -> Status {
      if (in.peek() != JsonType::object) return in.skip();
      core::TextEdit edit;
      TRY(in.object([&](std::string_view key) -> Status {
        if (in.peek() != JsonType::string) return in.skip();
        if (is_one_of(key, kBefore)) return in.string(edit.before);
        return is_one_of(key, kAfter) ? in.string(edit.after) : in.skip();
      }));
      list_.push_back(std::move(edit));
      return {};
    });
  }

  // ["apply_patch", "*** Begin Patch..."]
  Status words(JsonReader& in) {
    return in.array([&]() -> Status {
      if (in.peek() != JsonType::string) return in.skip();
      std::string word;
      TRY(in.string(word));
      if (word.starts_with(kPatchBegin)) patch_ = std::move(word);
      return {};
    });
  }

  std::vector<FileEdit> take() {
    std::vector<FileEdit> found = file_edits_in_patch(patch_);
    if (path_.empty()) return found;
    if (content_) found.push_back({path_, {{}, std::move(*content_)}, true});
    if (replaces_) found.push_back({path_, std::move(edit_), false});
    for (core::TextEdit& edit : list_) found.push_back({path_, std::move(edit), false});
    return found;
  }

  bool nested_ = false;
  std::string path_;
  std::optional<std::string> content_;
  core::TextEdit edit_;
  bool replaces_ = false;
  std::vector<core::TextEdit> list_;
  std::string patch_;
};

}  // namespace

std::vector<FileEdit> file_edits(std::string_view arguments) {
  return ArgumentsReader().read(arguments);
}

std::vector<FileEdit> file_edits_in_patch(std::string_view patch) {
  std::vector<FileEdit> found;
  if (!patch.starts_with(kPatchBegin)) return found;
  while (!patch.empty()) {
    const std::size_t end = std::min(patch.find('\n'), patch.size());
    const std::string_view line = patch.substr(0, end);
    patch.remove_prefix(std::min(end + 1, patch.size()));
    if (line.starts_with("*** ")) {
      for (const std::string_view sign : {"*** Add File: ", "*** Update File: ", "*** Delete File: "}) {
        if (line.starts_with(sign))
          found.push_back(
              {std::string(base::trimmed(line.substr(sign.size()))), {}, sign[4] == 'A', sign[4] == 'D'});
      }
      constexpr std::string_view kMove = "*** Move to: ";
      if (line.starts_with(kMove) && !found.empty()) {
        found.back().relocated = true;
        found.push_back({std::string(base::trimmed(line.substr(kMove.size()))), {}, false, true});
      }
      continue;
    }
    if (found.empty() || line.starts_with("@@")) continue;
    const char sign = line.empty() ? ' ' : line.front();
    const std::string_view text = line.substr(line.empty() ? 0 : 1);
    if (sign != '+' && sign != '-' && sign != ' ') continue;
    if (sign != '+') found.back().edit.before.append(text).append("\n");
    if (sign != '-') found.back().edit.after.append(text).append("\n");
  }
  std::erase_if(found, [](const FileEdit& edit) {
    const bool changes = edit.whole_file || edit.relocated || edit.edit.before != edit.edit.after;
    return edit.path.empty() || !changes;
  });
  return found;
}

std::string call_subject(std::string_view arguments) {
  std::array<std::string, kSubjects.size()> texts;
  JsonReader in(arguments);
  if (in.peek() == JsonType::string) {
    std::string text;
    if (!in.string(text)) return {};
    return text.starts_with('{') ? call_subject(text) : std::string(text.substr(0, text.find('\n')));
  }
  if (in.peek() != JsonType::object) return {};
  (void)in.object([&](std::string_view key) -> Status {
    const auto* const name = std::find(kSubjects.begin(), kSubjects.end(), key);
    if (name == kSubjects.end() || in.peek() != JsonType::string) return in.skip();
    return in.string(texts[static_cast<std::size_t>(name - kSubjects.begin())]);
  });
  for (std::string& text : texts)
    if (!text.empty()) return text.substr(0, text.find('\n'));
  return {};
}

}  // namespace plankeep::clients
