#include "reports/search.hpp"

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string_view>

#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"
#include "model/event.hpp"
#include "model/json/event_json.hpp"
#include "model/progress.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::Result;

class Search {
 public:
  Search(const Context& context, const std::vector<std::string>& words) : context_(context) {
    for (const std::string& word : words) words_.push_back(base::search_text(word));
    for (const std::string& word : words_) {
      std::istringstream parts(word);
      for (std::string part; std::getline(parts, part, ' ');) parts_.push_back(part);
    }
  }

  base::Status in(const PlanLocation& plan) {
    TRY_ASSIGN(const LoadedTable loaded, load_table(context_, plan));
    const core::TaskTable& table = loaded.table;
    if (!table.unreadable.empty()) warn(table.unreadable);
    file_ = table.file;
    plan_id_ = table.plan_id;
    in_plan(table);
    return in_history(plan, loaded.history_end);
  }

  SearchResult result() { return std::move(result_); }
  void warn(std::string warning) { result_.warnings.push_back(std::move(warning)); }

 private:
  bool holds(std::initializer_list<std::string_view> texts) {
    lower_.clear();
    for (const std::string_view text : texts) {
      if (!lower_.empty()) lower_.push_back(' ');
      base::append_search_text(lower_, text);
    }
    return std::all_of(words_.begin(), words_.end(),
                       [this](const std::string& word) { return lower_.find(word) != std::string::npos; });
  }

  // An event's fields are joined by spaces for the search, so a word with a space may begin in one field and
  // end in the next. Its parts are each in one field.
  bool can_hold(std::string_view line) {
    if (line.find('\\') != std::string_view::npos) return true;
    lower_.clear();
    base::append_search_text(lower_, line);
    return std::all_of(parts_.begin(), parts_.end(),
                       [this](const std::string& part) { return core::can_contain(lower_, part); });
  }

  void add(SearchHit hit) {
    if (result_.hits.size() == kMostHits) {
      result_.cut = true;
      return;
    }
    hit.plan_id = plan_id_;
    hit.file = file_;
    result_.hits.push_back(std::move(hit));
  }

  void text(std::string_view kind, std::string_view text, std::int64_t line) {
    if (!holds({text})) return;
    SearchHit hit;
    hit.kind = kind;
    hit.text = text;
    hit.line = line;
    add(std::move(hit));
  }

  void item(std::string_view kind, std::string_view id, std::string_view title, std::int64_t line,
            std::string_view state) {
    if (!holds({id, title})) return;
    SearchHit hit;
    hit.kind = kind;
    hit.id = id;
    hit.text = title;
    hit.line = line;
    hit.state = state;
    add(std::move(hit));
  }

  void in_plan(const core::TaskTable& table) {
    for (const core::TablePhase& phase : table.phases) {
      item("phase", phase.id, phase.title, phase.line, {});
      for (const core::TableTask& task : phase.tasks)
        item("task", task.id, task.title, task.line, core::name_of(task.state));
      for (const core::TableCriterion& criterion : phase.acceptance)
        item("criterion", criterion.id, criterion.title, criterion.line, criterion.met ? "done" : "open");
    }
    for (const core::TableRemark& decision : table.decisions) {
      std::string words(decision.text);
      if (!decision.reason.empty()) words.append(" (").append(decision.reason).append(")");
      text("decision", words, decision.line);
    }
    for (const core::TableRemark& blocker : table.blockers) text("blocker", blocker.text, blocker.line);
    if (table.note) text("note", *table.note, 0);
  }

  // Decisions and blockers that stand in the plan were found there.
  base::Status in_history(const PlanLocation& plan, std::optional<std::uint64_t> end) {
    TRY_ASSIGN(const auto folder, context_.files.open_folder(plan.folder));
    const auto tracking = store::open_tracking(*folder, plan.name);
    if (!tracking) return {};  // not tracked
    std::vector<SearchHit> found;
    const auto scan = store::read_events(
        **tracking, 0,
        [&](const core::Event& event, const store::HistoryLine&) {
          std::string text = event.title;
          for (const std::string* more : {&event.decision, &event.blocker, &event.note, &event.reason}) {
            if (!more->empty()) text += (text.empty() ? "" : " ") + *more;
          }
          if (text.empty() || !holds({event.task.text, event.criterion.text, text})) return true;
          SearchHit hit;
          hit.kind = "history";
          hit.id = event.task.empty() ? event.criterion.text : event.task.text;
          hit.text = std::move(text);
          hit.time = event.time;
          hit.event =
              event.kind == core::EventKind::unknown ? event.name : std::string(core::name_of(event.kind));
          hit.by = event.by;
          hit.recorded = std::make_shared<const core::Event>(event);
          found.push_back(std::move(hit));
          // The newest are what is asked for; memory stays bounded whatever the length.
          if (found.size() > 2 * kMostHits)
            found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(kMostHits));
          return true;
        },
        [this](std::string_view line) { return can_hold(line); }, core::EventParts::without_inventories, end);
    if (!scan) return base::fail(scan.error());
    for (auto hit = found.rbegin(); hit != found.rend(); ++hit) add(std::move(*hit));
    return {};
  }

  const Context& context_;
  std::vector<std::string> words_;  // in lower case
  std::vector<std::string> parts_;  // the words, split at spaces
  std::string lower_;               // the lower case of the text that is being searched
  std::string file_;
  std::string plan_id_;
  SearchResult result_;
};

}  // namespace

Result<SearchResult> search(const Context& context, const std::vector<PlanLocation>& plans,
                            const std::vector<std::string>& words) {
  const bool asked = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.find_first_not_of(" \t\r\n") != std::string::npos;
  });
  if (!asked) return base::fail(base::ErrorKind::invalid_input, "no words to search for");
  Search search(context, words);
  for (const PlanLocation& plan : plans) {
    base::Status looked = search.in(plan);
    if (looked) continue;
    if (plans.size() == 1) return base::fail(std::move(looked.error()));
    search.warn(looked.error().message);
  }
  return search.result();
}

}  // namespace plankeep::app
