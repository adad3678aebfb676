// Completion inside HTML comments: kinds of markers, their attributes, ids after `after:`.
//
// Reads the comment only up to the cursor, and by hand: while it is typed it is seldom a valid marker.

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "lsp/features.hpp"
#include "markdown/marker.hpp"

namespace plankeep::lsp {
namespace {

using markdown::MarkerKind;

constexpr int kProperty = 10;  // CompletionItemKind
constexpr int kReference = 18;
constexpr int kEnumMember = 20;
// A longer list is marked incomplete, so the client asks again with the next letter.
constexpr std::size_t kMostOffered = 500;
// Longer comments are not markers that are being typed.
constexpr std::size_t kLongestComment = std::size_t{16} << 10;
constexpr std::string_view kOpening = "<!--";
constexpr std::string_view kClosing = "-->";
constexpr std::string_view kWideColon = "\xEF\xBC\x9A";
constexpr std::array<std::string_view, 3> kCommas = {",", "\xEF\xBC\x8C", "\xE3\x80\x81"};

struct KindWords {
  MarkerKind kind;
  std::string_view detail;
  std::string_view attribute;  // empty: it has none
};
constexpr std::array kKinds = {
    KindWords{MarkerKind::checkpoint, "names a phase: CHECKPOINT: id", ""},
    KindWords{MarkerKind::task, "names the task of a box: TASK: id", "after"},
    KindWords{MarkerKind::accept, "names a criterion: ACCEPT: id", "verify"},
    KindWords{MarkerKind::decision, "what was decided: DECISION: text", "reason"},
    KindWords{MarkerKind::blocker, "what holds the work up: BLOCKER: text", ""},
    KindWords{MarkerKind::skip, "leaves out what is no work", ""},
};

std::string_view meaning_of(std::string_view attribute) {
  if (attribute == "after") return "ids of the tasks that this one comes after";
  if (attribute == "verify") return "the command that proves it";
  return "why it was decided so";
}

bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), base::is_letter);
}

std::size_t skip_white(std::string_view text, std::size_t at) {
  while (at < text.size() && is_white(text[at])) ++at;
  return at;
}

// Where the inside of the comment begins that the offset is in.
std::optional<std::size_t> inside_of_comment(std::string_view text, std::size_t offset) {
  const std::size_t first = offset - std::min(offset, kLongestComment);
  const std::string_view before = text.substr(first, offset - first);
  const std::size_t opening = before.rfind(kOpening);
  if (opening == std::string_view::npos) return std::nullopt;
  const std::size_t inside = opening + kOpening.size();
  if (before.find(kClosing, inside) != std::string_view::npos) return std::nullopt;
  return first + inside;
}

// One list of items that replace the same part.
class Offer {
 public:
  Offer(const PlanView& view, Bytes replaced) : range_(json_of(view.range(replaced))) {}

  bool full() {
    incomplete_ = items_.size() >= kMostOffered;
    return incomplete_;
  }
  void add(std::string_view label, int kind, std::string_view detail, std::string with) {
    std::string order = std::to_string(items_.size());
    order.insert(0, 6 - std::min<std::size_t>(order.size(), 6), '0');
    items_.push_back({{"label", base::printable(label)},
                      {"kind", kind},
                      {"detail", base::printable(detail)},
                      {"sortText", std::move(order)},
                      {"filterText", base::printable(label)},
                      {"textEdit", {{"range", range_}, {"newText", std::move(with)}}}});
  }
  Reply reply() {
    Reply reply;
    reply.value = {{"isIncomplete", incomplete_}, {"items", std::move(items_)}};
    return reply;
  }

 private:
  OrderedJson range_;
  OrderedJson items_ = OrderedJson::array();
  bool incomplete_ = false;
};

Reply offer_kinds(const PlanView& view, std::size_t begin, std::size_t offset) {
  const std::string_view text = view.text.bytes();
  std::size_t end = offset;
  while (end < text.size() && base::is_letter(text[end])) ++end;
  const std::string_view rest = text.substr(end);
  const bool colon = rest.starts_with(":") || rest.starts_with(kWideColon);
  Offer offer(view, {begin, end});
  // Directly behind "<!--" a blank is missing.
  const std::string blank = begin > 0 && text[begin - 1] == '-' ? " " : "";
  for (const KindWords& one : kKinds) {
    const std::string name(markdown::name_of(one.kind));
    offer.add(name, kEnumMember, one.detail,
              blank + name + (colon || one.kind == MarkerKind::skip ? "" : ": "));
  }
  return offer.reply();
}

// `begin`: of what was typed of the key. `lead`: what stands in front of the key, where it is missing.
Reply offer_attribute(const PlanView& view, const KindWords& kind, std::size_t begin, std::size_t offset,
                      const std::string& lead) {
  if (kind.attribute.empty()) return {};
  const std::string_view text = view.text.bytes();
  std::size_t end = offset;
  while (end < text.size() && base::is_letter(text[end])) ++end;
  const bool colon = text.substr(end).starts_with(":");
  Offer offer(view, {begin, end});
  const std::string key(kind.attribute);
  offer.add(key + ":", kProperty, meaning_of(kind.attribute), lead + key + (colon ? "" : ": "));
  return offer.reply();
}

// The comma that begins at `at`, its length; 0: none.
std::size_t comma_at(std::string_view text, std::size_t at) {
  for (const std::string_view comma : kCommas) {
    if (text.substr(at).starts_with(comma)) return comma.size();
  }
  return 0;
}

// The list of `after:` that the offset is in: the id that is being typed, and the others.
struct Listed {
  Bytes typed;
  std::unordered_set<std::string> others;
};
Listed listed_at(std::string_view text, std::size_t begin, std::size_t offset) {
  Listed listed;
  std::size_t end = text.find_first_of("|\r\n", offset);
  end = std::min(end, text.find(kClosing, offset));
  end = std::min(end, text.size());
  for (std::size_t part = begin;;) {
    std::size_t behind = part;
    std::size_t comma = 0;
    while (behind < end && (comma = comma_at(text, behind)) == 0) ++behind;
    Bytes one{std::min(skip_white(text, part), behind), behind};
    while (one.end > one.begin && is_white(text[one.end - 1])) --one.end;
    if (part <= offset && offset <= behind) {
      // In the blanks around an id nothing was typed yet.
      listed.typed = one.begin <= offset && offset <= one.end ? one : Bytes{offset, offset};
    } else {
      listed.others.emplace(text.substr(one.begin, one.end - one.begin));
    }
    if (behind >= end) return listed;
    part = behind + comma;
  }
}

Reply offer_ids(const PlanView& view, std::string_view own, std::size_t begin, std::size_t offset) {
  const std::string_view text = view.text.bytes();
  Listed listed = listed_at(text, begin, offset);
  const std::string wanted = base::to_lower(
      text.substr(listed.typed.begin, std::min(offset, listed.typed.end) - listed.typed.begin));
  if (std::any_of(wanted.begin(), wanted.end(), is_white)) return {};
  Offer offer(view, listed.typed);
  std::unordered_set<std::string>& taken = listed.others;
  taken.emplace(own);
  const char before = text[listed.typed.begin - 1];
  const std::string blank = before == ':' || before == ',' ? " " : "";
  for (const core::Phase& phase : view.as_written.phases) {
    for (const core::Task& task : phase.tasks) {
      const std::string& id = task.id.text;
      if (!markdown::is_id(id) || base::to_lower(id).find(wanted) == std::string::npos) continue;
      if (!taken.insert(id).second) continue;
      if (offer.full()) return offer.reply();
      offer.add(id, kReference, core::title_or_id(task), blank + id);
    }
  }
  return offer.reply();
}

}  // namespace

Reply completion(const FeatureCall& call) {
  const PlanView& view = call.view;
  const std::string_view text = view.text.bytes();
  const std::size_t offset = view.offset(position_in(member(call.params, "position")).value_or(Position{}));
  const auto inside = inside_of_comment(text, offset);
  if (!inside) return {};
  const std::string_view typed = text.substr(0, offset);  // offsets in it are those of the text
  const std::size_t word = skip_white(typed, *inside);
  std::size_t behind = word;
  while (behind < offset && base::is_letter(text[behind])) ++behind;
  if (behind == offset) return offer_kinds(view, word, offset);

  const std::string_view name = typed.substr(word, behind - word);
  const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindWords& one) {
    return markdown::name_of(one.kind) == name;
  });
  const std::size_t colon = skip_white(typed, behind);
  const std::string_view rest = typed.substr(colon);
  const std::size_t length = rest.starts_with(":") ? 1 : rest.starts_with(kWideColon) ? kWideColon.size() : 0;
  if (kind == kKinds.end() || kind->attribute.empty() || length == 0) return {};

  const std::size_t head = skip_white(typed, colon + length);
  const std::size_t first_bar = typed.find('|', head);
  std::size_t id_end = head;
  while (id_end < offset && !is_white(text[id_end]) && text[id_end] != '|') ++id_end;
  if (first_bar == std::string_view::npos) {
    // Behind the id an attribute can begin; behind a text it would be in everybody's way.
    const std::size_t key = skip_white(typed, id_end);
    const bool id = kind->kind != MarkerKind::decision && markdown::is_id(typed.substr(head, id_end - head));
    return id && key > id_end && is_word(typed.substr(key)) ? offer_attribute(view, *kind, key, offset, "| ")
                                                            : Reply{};
  }
  const std::size_t bar = typed.rfind('|');
  const std::size_t key = skip_white(typed, bar + 1);
  if (is_word(typed.substr(key))) {
    // A command line or a reason may hold bars of its own.
    if (bar != first_bar && kind->kind != MarkerKind::decision) return {};
    return offer_attribute(view, *kind, key, offset, key == bar + 1 ? " " : "");
  }
  if (kind->kind != MarkerKind::task || !typed.substr(key).starts_with(kind->attribute)) return {};
  const std::size_t key_colon = skip_white(typed, key + kind->attribute.size());
  const std::string_view value = typed.substr(key_colon);
  const std::size_t wide = value.starts_with(kWideColon) ? kWideColon.size() : value.starts_with(":") ? 1 : 0;
  if (wide == 0) return {};
  return offer_ids(view, typed.substr(head, id_end - head), key_colon + wide, offset);
}

}  // namespace plankeep::lsp
