// Semantic tokens of markers and boxes, and selection ranges.

#include <algorithm>
#include <array>

#include "lsp/features.hpp"

namespace plankeep::lsp {
namespace {

// Of the legend below.
enum Type : std::uint32_t { kKind, kId, kAttribute, kBox };
enum Modifier : std::uint32_t { kNothing = 0, kDone = 1, kOpen = 2 };

struct Token {
  Bytes at;
  Type type;
  Modifier modifier = kNothing;
};

std::vector<Token> tokens_of(const PlanView& view) {
  std::vector<Token> all;
  const auto add = [&all](const markdown::Span& span, Type type) {
    if (span.end > span.begin) all.push_back({{span.begin, span.end}, type});
  };
  for (const markdown::MarkerPlace& marker : view.places.markers) {
    add(marker.word, kKind);
    add(marker.id_at, kId);
    add(marker.key, kAttribute);
    for (const markdown::NamedId& named : marker.after) add(named.at, kId);
  }
  for (const Item& item : view.items) {
    const core::Task* const task = view.task(item);
    const bool done = task != nullptr ? task->done() : view.criterion(item)->met;
    all.push_back({{view.box(item).offset, view.box(item).after_box}, kBox, done ? kDone : kOpen});
  }
  std::sort(all.begin(), all.end(), [](const Token& a, const Token& b) { return a.at.begin < b.at.begin; });
  return all;
}

}  // namespace

OrderedJson token_legend() {
  // Those of the protocol, which every theme has colours for; "done" and "open" are ours.
  return {{"tokenTypes", {"keyword", "variable", "property", "enumMember"}},
          {"tokenModifiers", {"done", "open"}}};
}

Reply semantic_tokens(const FeatureCall& call) {
  OrderedJson data = OrderedJson::array();
  Position last;
  std::size_t end = 0;
  for (const Token& token : tokens_of(call.view)) {
    const Range range = call.view.range(token.at);
    // Clients need not support overlapping or multi-line tokens.
    if (token.at.begin < end || range.start.line != range.end.line) continue;
    end = token.at.end;
    const bool same = range.start.line == last.line;
    data.push_back(range.start.line - last.line);
    data.push_back(same ? range.start.character - last.character : range.start.character);
    data.push_back(range.end.character - range.start.character);
    data.push_back(static_cast<std::uint32_t>(token.type));
    data.push_back(static_cast<std::uint32_t>(token.modifier));
    last = range.start;
  }
  Reply reply;
  reply.value = {{"data", std::move(data)}};
  return reply;
}

namespace {

// What is around the offset, the smallest first, each inside the next.
std::vector<Bytes> around(const PlanView& view, std::size_t offset) {
  std::vector<Bytes> all;
  const auto add = [&](Bytes one) {
    if (one.begin <= offset && offset <= one.end && one.end > one.begin) all.push_back(one);
  };
  for (const markdown::MarkerPlace& marker : view.places.markers) {
    if (marker.whole.begin > offset || offset > marker.whole.end) continue;
    for (const markdown::NamedId& named : marker.after) add({named.at.begin, named.at.end});
    add({marker.word.begin, marker.word.end});
    add({marker.id_at.begin, marker.id_at.end});
    add({marker.key.begin, marker.key.end});
    add({marker.whole.begin, marker.whole.end});
  }
  for (const Item& item : view.items) {
    const Bytes own = view.own_text(item);
    add(own);
    add({own.begin, item.end});
  }
  for (const PhaseLines& lines : view.phases)
    add({view.text.line(lines.first).begin, view.text.line(lines.last).end});
  add({0, view.text.bytes().size()});
  std::sort(all.begin(), all.end(),
            [](const Bytes& a, const Bytes& b) { return a.end - a.begin < b.end - b.begin; });
  // The protocol requires each range to contain the one before.
  std::vector<Bytes> nested;
  for (const Bytes& one : all) {
    const bool larger = nested.empty() || (one.begin <= nested.back().begin && one.end >= nested.back().end &&
                                           !(one == nested.back()));
    if (larger) nested.push_back(one);
  }
  return nested;
}

// No editor sends more positions at once.
constexpr std::size_t kMostPlaces = 100;

}  // namespace

Reply selection_ranges(const FeatureCall& call) {
  const Json& positions = member(call.params, "positions");
  if (!positions.is_array() || positions.size() > kMostPlaces)
    return refused(json_rpc::kInvalidParams, "positions must be a list of at most 100 positions");
  Reply reply;
  reply.value = OrderedJson::array();
  for (const Json& one : positions) {
    const auto position = position_in(one);
    if (!position) return refused(json_rpc::kInvalidParams, "a position must have a line and a character");
    const std::size_t offset = call.view.offset(*position);
    // From the outside in: each range is the parent of the next.
    OrderedJson selection = {{"range", json_of(Range{*position, *position})}};
    std::vector<Bytes> all = around(call.view, offset);
    std::reverse(all.begin(), all.end());
    bool first = true;
    for (const Bytes& part : all) {
      OrderedJson inner = {{"range", json_of(call.view.range(part))}};
      if (!first) inner["parent"] = std::move(selection);
      selection = std::move(inner);
      first = false;
    }
    reply.value.push_back(std::move(selection));
  }
  return reply;
}

}  // namespace plankeep::lsp
