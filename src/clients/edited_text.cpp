#include "clients/edited_text.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "clients/dialect.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;
using core::TextEdit;

constexpr std::string_view kPatch = "*** Begin Patch";
// "apply_patch <<'EOF'" and the patch behind it, as Codex CLI gives it to the shell.
constexpr std::string_view kHereDocument = "apply_patch <<";

class EditsReader {
 public:
  explicit EditsReader(JsonReader& in) : in_(in) {}

  Status on_key(std::string_view key) {
    if (one_of(key, {"tool_input", "toolArgs", "input", "args"})) return call(key);
    if (key == "edits") return list();
    if (one_of(key, {"tool_response", "returnDisplay"}) && in_.peek() == JsonType::object)
      return in_.object([this](std::string_view inner) { return on_response(inner); });
    return in_.skip();
  }

  std::vector<TextEdit> take() {
    if (whole_file_) {
      edits_.push_back({original_, std::move(*whole_file_)});
      whole_file_.reset();
    }
    // Of a patch it is not known which of its files this is.
    if (!edits_.empty() && !patched_) edits_.front().file = std::move(original_);
    return std::move(edits_);
  }
  bool known() const { return !edits_.empty() || whole_file_; }
  /// Nothing that is wanted can follow.
  bool done() const { return known() && (patched_ || !original_.empty()); }

 private:
  Status call(std::string_view key) {
    if (in_.peek() != JsonType::object) {
      // "input" of a tool that takes a bare text is that text.
      return key == "args" || in_.peek() != JsonType::string ? in_.skip() : patch();
    }
    TextEdit edit;
    bool replaces = false;
    TRY(in_.object([&](std::string_view inner) -> Status {
      if (inner == "args") return call(inner);
      if (inner == "edits") return list();
      if (one_of(inner, {"command", "patchText", "patch", "input"})) return patch();
      if (one_of(inner, {"content", "file_text"})) {
        std::string text;
        TRY(text_or_skip(in_, text));
        if (!text.empty()) whole_file_ = std::move(text);
        return {};
      }
      return half(inner, edit, replaces);
    }));
    if (replaces) edits_.push_back(std::move(edit));
    return {};
  }

  Status half(std::string_view key, TextEdit& edit, bool& replaces) {
    if (one_of(key, {"old_string", "oldString", "old_str"})) return text_or_skip(in_, edit.before);
    if (one_of(key, {"replace_all", "replaceAll"}) && in_.peek() == JsonType::boolean)
      return in_.boolean(edit.everywhere);
    if (!one_of(key, {"new_string", "newString", "new_str"})) return in_.skip();
    replaces = true;
    return text_or_skip(in_, edit.after);
  }

  Status list() {
    if (in_.peek() != JsonType::array) return in_.skip();
    return in_.array([this]() -> Status {
      TextEdit edit;
      bool replaces = false;
      TRY(object_or_skip(in_, [&](std::string_view key) { return half(key, edit, replaces); }));
      if (replaces) edits_.push_back(std::move(edit));
      return {};
    });
  }

  Status patch() {
    std::string text;
    TRY(text_or_skip(in_, text));
    const std::size_t begin = text.starts_with(kHereDocument) ? text.find(kPatch) : 0;
    if (begin == std::string::npos || !std::string_view(text).substr(begin).starts_with(kPatch)) return {};
    patched_ = true;
    std::vector<TextEdit> edits = edits_in_patch(std::string_view(text).substr(begin));
    std::move(edits.begin(), edits.end(), std::back_inserter(edits_));
    return {};
  }

  Status on_response(std::string_view key) {
    if (one_of(key, {"originalFile", "originalContent"})) return text_or_skip(in_, original_);
    if (key == "returnDisplay" && in_.peek() == JsonType::object)
      return in_.object([this](std::string_view inner) { return on_response(inner); });
    return in_.skip();
  }

  JsonReader& in_;
  std::vector<TextEdit> edits_;
  std::optional<std::string> whole_file_;
  std::string original_;
  bool patched_ = false;
};

}  // namespace

base::Result<Reading> read_edits(std::string_view text, std::vector<TextEdit>& edits, bool ended) {
  return read_tolerant(text, [&edits, ended](std::string_view json) -> base::Result<Reading> {
    JsonReader in(json);
    EditsReader reader(in);
    bool enough = false;
    Status status = in.object([&](std::string_view key) -> Status {
      TRY(reader.on_key(key));
      if (!reader.done()) return {};
      enough = true;  // the error is only the way out and is never seen by anyone
      return base::fail(base::ErrorKind::internal, "the payload has been read as far as it is needed");
    });
    Reading reading = Reading::enough;
    if (!enough && !(ended && reader.known())) {
      TRY_ASSIGN(reading, whole_or_truncated(in, json, std::move(status)));
    }
    if (reading != Reading::truncated) edits = reader.take();
    return reading;
  });
}

std::vector<TextEdit> edits_in_patch(std::string_view patch) {
  std::vector<TextEdit> edits;
  while (!patch.empty()) {
    const std::size_t end = std::min(patch.find('\n'), patch.size());
    const std::string_view line = patch.substr(0, end);
    patch.remove_prefix(std::min(end + 1, patch.size()));
    if (line.starts_with("*** ")) {
      edits.emplace_back();
    } else if (!edits.empty() && line.starts_with('+')) {
      edits.back().after.append(line.substr(1)).append("\n");
    } else if (!edits.empty() && line.starts_with('-')) {
      edits.back().before.append(line.substr(1)).append("\n");
    }
  }
  std::erase_if(edits, [](const TextEdit& edit) { return edit.after.empty(); });
  return edits;
}

}  // namespace plankeep::clients
