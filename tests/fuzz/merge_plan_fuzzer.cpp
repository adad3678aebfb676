// merge/merge_plan on any three texts (separated by the byte 0x1E; a text alone is ticked in two ways):
// never throws, the same bytes give the same result, a side that changed nothing has no say, conflicts name
// lines of the result, and a clean merge of ticks has every tick.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "fuzz/law.hpp"
#include "markdown/parse_plan.hpp"
#include "merge/merge_plan.hpp"

namespace {

using namespace plankeep;

// Every second open box of the plan is ticked, beginning with the first or the second.
std::string ticked(std::string text, std::size_t first) {
  const auto plan = markdown::parse_plan(text);
  if (!plan) return text;
  std::size_t number = 0;
  std::vector<core::Box> boxes;
  for (const core::Phase& phase : plan->phases) {
    for (const core::Task& task : phase.tasks) {
      if (task.boxes.size() != 1 || task.state != core::BoxState::open || task.boxes[0].length != 1) continue;
      if (number++ % 2 == first) boxes.push_back(task.boxes[0]);
    }
  }
  for (const core::Box& box : boxes) text[box.offset] = 'x';
  return text;
}

void ticks_laws(const std::string& base) {
  const std::string ours = ticked(base, 0);
  const std::string theirs = ticked(base, 1);
  const markdown::MergedPlan merged = markdown::merge_plans(base, ours, theirs);
  if (!merged.conflicts.empty() || !markdown::parse_plan(base)) return;
  fuzz::law(merged.text.size() == base.size(), "ticks change bytes between brackets only");
  for (std::size_t i = 0; i < base.size(); ++i) {
    const char wanted = ours[i] != base[i] ? ours[i] : theirs[i];
    fuzz::law(merged.text[i] == wanted, "a clean merge of ticks has every tick, and nothing else");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr char kSeparator = 0x1E;
  const std::size_t first = bytes.find(kSeparator);
  if (first == std::string_view::npos) {
    ticks_laws(std::string(bytes));
    return 0;
  }
  const std::string_view rest = bytes.substr(first + 1);
  const std::size_t second = std::min(rest.find(kSeparator), rest.size());
  const std::string_view base = bytes.substr(0, first);
  const std::string_view ours = rest.substr(0, second);
  const std::string_view theirs = rest.substr(std::min(second + 1, rest.size()));
  const markdown::MergedPlan merged = markdown::merge_plans(base, ours, theirs);
  const markdown::MergedPlan again = markdown::merge_plans(base, ours, theirs);
  fuzz::law(merged.text == again.text && merged.conflicts == again.conflicts,
            "the same bytes, the same result");
  const auto lines = 1 + std::count(merged.text.begin(), merged.text.end(), '\n') +
                     std::count(merged.text.begin(), merged.text.end(), '\r');
  for (const markdown::MergeConflict& conflict : merged.conflicts) {
    fuzz::law(conflict.line >= 0 && conflict.line <= lines && !conflict.message.empty(),
              "a conflict has a line of the result and a reason");
  }
  fuzz::law(markdown::merge_plans(base, base, theirs).text == theirs, "who changed nothing has no say");
  fuzz::law(markdown::merge_plans(base, ours, base).text == ours, "who changed nothing has no say");
  fuzz::law(markdown::merge_plans(base, ours, ours).text == ours, "what both have is the result");
  ticks_laws(std::string(base));
  return 0;
}
