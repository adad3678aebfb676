#include "render/sessions/transcript.hpp"

#include <nlohmann/json.hpp>

#include "base/utf8.hpp"

namespace plankeep::render {
namespace {

using PlainJson = nlohmann::json;

constexpr std::size_t kLongestTool = 200;

const PlainJson* member(const PlainJson& value, const char* name) {
  if (!value.is_object()) return nullptr;
  const auto found = value.find(name);
  return found == value.end() ? nullptr : &*found;
}

std::string text_member(const PlainJson& value, const char* name) {
  const PlainJson* found = member(value, name);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

// Null: it is no JSON.
PlainJson parsed(std::string_view text) {
  PlainJson value = PlainJson::parse(text, nullptr, false);
  return value.is_discarded() ? PlainJson() : value;
}

class TranscriptText {
 public:
  explicit TranscriptText(const Style& style) : style_(style) {}

  void message(const PlainJson& line) {
    // Codex: { "type": "response_item", "payload": { ... } }
    const PlainJson* payload = member(line, "payload");
    const PlainJson* inner = member(line, "message");
    const PlainJson& said = payload != nullptr && payload->is_object() ? *payload
                            : inner != nullptr && inner->is_object()   ? *inner
                                                                       : line;
    std::string role = text_member(said, "role");
    if (role.empty()) role = text_member(said, "type");
    if (role.empty()) role = text_member(line, "type");
    const std::size_t before = text_.size();
    if (inner != nullptr && inner->is_string()) say(role, inner->get<std::string>());
    for (const char* name : {"content", "parts", "text"}) {
      if (const PlainJson* content = member(said, name)) contents(role, *content, 0);
    }
    if (!text_member(said, "name").empty()) tool(said);
    if (text_.size() == before) ++other_;
  }

  void unreadable() { ++other_; }

  std::string finish() {
    if (other_ > 0)
      text_ += paint(style_, Paint::dim, counted(other_, "line", "lines") + " without text (--raw has all)") +
               "\n";
    return std::move(text_);
  }

 private:
  void say(const std::string& role, const std::string& words) {
    std::string shown = base::printable(words, true);
    while (shown.ends_with('\n')) shown.pop_back();
    if (shown.empty()) return;
    text_ += paint(style_, Paint::strong, safe_line(role.empty() ? "unknown" : role)) + "\n" + shown + "\n\n";
  }

  void tool(const PlainJson& call) {
    std::string words = text_member(call, "name");
    for (const char* name : {"input", "arguments", "args"}) {
      const PlainJson* input = member(call, name);
      if (input == nullptr) continue;
      words += " " + (input->is_string() ? input->get<std::string>()
                                         : input->dump(-1, ' ', false, PlainJson::error_handler_t::replace));
      break;
    }
    text_ += paint(style_, Paint::dim, "[tool " + base::fit_to_bytes(safe_line(words), kLongestTool) + "]") +
             "\n\n";
  }

  void contents(const std::string& role, const PlainJson& content, int depth) {
    constexpr int kDeepest = 4;
    if (depth > kDeepest) return;
    if (content.is_string()) return say(role, content.get<std::string>());
    if (!content.is_array()) return;
    for (const PlainJson& part : content) {
      if (part.is_string()) {
        say(role, part.get<std::string>());
        continue;
      }
      const std::string type = text_member(part, "type");
      if (type == "tool_use" || type == "function_call") {
        tool(part);
      } else if (type == "tool_result") {
        const PlainJson* result = member(part, "content");
        if (result != nullptr) contents("tool result", *result, depth + 1);
      } else if (const std::string words = text_member(part, "text"); !words.empty()) {
        say(role, words);
      }
    }
  }

  const Style& style_;
  std::string text_;
  std::size_t other_ = 0;
};

}  // namespace

std::string transcript_text(std::string_view transcript, std::size_t first_line, const Style& style) {
  TranscriptText text(style);
  // One document: not a line for each message.
  const std::size_t first_end = transcript.find('\n');
  const bool may_be_document = parsed(transcript.substr(0, first_end)).is_null();
  const PlainJson document = may_be_document ? parsed(transcript) : PlainJson();
  if (const PlainJson* messages = member(document, "messages"); messages != nullptr && messages->is_array()) {
    for (std::size_t i = first_line; i < messages->size(); ++i) text.message((*messages)[i]);
    return text.finish();
  }
  for (std::size_t number = 0; !transcript.empty(); ++number) {
    const std::size_t end = transcript.find('\n');
    const std::string_view line = transcript.substr(0, end);
    transcript.remove_prefix(end == std::string_view::npos ? transcript.size() : end + 1);
    if (number < first_line || line.empty()) continue;
    if (const PlainJson value = parsed(line); value.is_object()) {
      text.message(value);
    } else {
      text.unreadable();
    }
  }
  return text.finish();
}

}  // namespace plankeep::render
