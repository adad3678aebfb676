#include "audit/assertion_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "audit/said_open.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kCardHead = 8;      // tokens of "Task complete", above "Task: T1"
constexpr std::size_t kPhaseBytes = 200;  // of a phase's title in a heading
constexpr std::size_t kNearLabels = 3;    // units between "Task: T1" and "Status: done"
constexpr std::size_t kCriteriaHead = 3;  // tokens in which a label says "criteria"
constexpr int kLabelLevel = 7;            // below every heading

/// "Milestones", "Timeline for next week"
bool names_goals(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.kind == Token::Kind::word && token.is(word::kGoal);
  });
}

/// "Definition of done for T1": what stands under it is wanted.
bool names_criteria(const std::vector<Token>& tokens) {
  const auto front = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(kCriteriaHead, tokens.size()));
  return std::any_of(tokens.begin(), front, [](const Token& token) {
    return base::one_of(token.text, {"definition", "criteria", "abnahmekriterien", "critères", "criterios",
                                     "critérios", "criteri", "критерии", "definición", "définition"});
  });
}

}  // namespace

void AssertionReader::read(const MessageUnit& unit) {
  ++units_;
  settle_entry(unit);
  if (unit.kind == Kind::json) return read_json(unit);
  before_ = &unit;
  json_.clear();
  if (unit.kind != Kind::row) columns_.clear();
  if (unit.fenced != was_fenced_) {
    was_fenced_ = unit.fenced;
    if (unit.fenced) fence_label_ = Section::neutral;
  }
  switch (unit.kind) {
    case Kind::rule:
      label_ = Section::neutral;
      label_list_seen_ = false;
      return;
    case Kind::row:
      return read_row(unit);
    case Kind::heading:
      return read_heading(unit);
    case Kind::item:
    case Kind::text:
      return read_text(unit);
    case Kind::json:
      return;
  }
}

bool AssertionReader::reports_json() const {
  if (before_ == nullptr || before_->kind == Kind::rule) return true;
  if (before_->kind != Kind::heading && !before_->label) return false;
  return heads_json_report(tokens_of(before_->text, before_->line, names_).tokens);
}

void AssertionReader::read_json(const MessageUnit& unit) {
  if (section() == Section::open) return;
  if (reports_json()) return read_json_report(unit.text, unit.line, names_, assertions_);
  const bool prose = before_->kind == Kind::text && !before_->label;
  if (prose && !shows_json(tokens_of(before_->text, before_->line, names_).tokens)) json_.push_back(unit);
}

void AssertionReader::settle_entry(const MessageUnit& unit) {
  if (entry_.tokens.empty()) return;
  const Held entry = std::exchange(entry_, {});
  bool made = unit.kind == Kind::heading || unit.kind == Kind::rule;
  if (unit.kind == Kind::item || unit.kind == Kind::text) {
    const std::vector<Token> tokens = tokens_of(unit.text, unit.line, names_).tokens;
    made = unit.box == MessageUnit::Box::ticked || (says_made(tokens) && !denies_made(tokens));
  }
  if (made) assertions_.add(entry.tokens, entry.ids);
}

Section AssertionReader::section() const {
  if (was_fenced_) return fence_label_;
  if (item_label_ != Section::neutral) return item_label_;
  if (label_ != Section::neutral) return label_;
  for (std::size_t level = headings_.size(); level-- > 0;)
    if (headings_[level] != Section::neutral) return headings_[level];
  return Section::neutral;
}

TaskSet AssertionReader::phase_of(const std::vector<Token>& tokens) const {
  std::string words;
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::id && token.phase && words.empty()) return token.tasks;
    if (token.kind == Token::Kind::id || words.size() > kPhaseBytes) return {};
    if (token.kind != Token::Kind::word || token.is(word::kPhase | word::kTask)) continue;
    words += (words.empty() ? "" : " ") + base::to_lower(token.text);
  }
  return names_.titled_phase(words);
}

void AssertionReader::end_labels() {
  if (held_.level == kLabelLevel) claim_held();
  label_ = item_label_ = Section::neutral;
  label_list_seen_ = planned_ = false;
}

void AssertionReader::read_heading(const MessageUnit& unit) {
  const UnitTokens said = tokens_of(unit.text, unit.line, names_);
  const auto level = static_cast<std::size_t>(unit.level - 1);
  if (unit.fenced) {
    fence_label_ = section_of(said.tokens);
    return;
  }
  std::fill(headings_.begin() + static_cast<std::ptrdiff_t>(level), headings_.end(), Section::neutral);
  if (held_.level >= unit.level) claim_held();
  end_labels();
  std::fill(phases_.begin() + static_cast<std::ptrdiff_t>(level), phases_.end(), TaskSet{});
  phases_[level] = phase_of(said.tokens);
  const auto phase =
      std::find_if(phases_.rbegin(), phases_.rend(), [](const TaskSet& set) { return !set.empty(); });
  assertions_.under(phase == phases_.rend() ? TaskSet{} : *phase);
  const Section above = section();
  headings_[level] = names_criteria(said.tokens) ? Section::open : section_of(said.tokens);
  planned_ = headings_[level] != Section::done && names_goals(said.tokens);
  current_ = {};
  const IdList lead = leading_ids(said.tokens, names_);
  if (lead.empty()) {
    if (heads_task(said.tokens)) status_unit_ = units_;
    judge(said.tokens, unit, above);
    return;
  }
  remember(said.tokens, lead, unit, false);
  if (above == Section::open) return;
  if (above == Section::done && !taken_back(said.tokens, lead) &&
      plain_entry(said.tokens, lead, names_, false))
    entry_ = {.tokens = said.tokens, .ids = lead, .level = unit.level};
  else
    judge(said.tokens, unit, above);
}

void AssertionReader::read_text(const MessageUnit& unit) {
  const UnitTokens said = tokens_of(unit.text, unit.line, names_);
  if (unit.box == MessageUnit::Box::ticked) return read_ticked(unit, said);
  if (unit.kind == Kind::item && item_label_ != Section::neutral && unit.indent <= item_label_indent_)
    item_label_ = Section::neutral;
  if (unit.box == MessageUnit::Box::open) {
    const IdList lead = leading_ids(said.tokens, names_);
    if (!lead.empty()) forget_held();
    assertions_.leave_open(said.tokens, lead);
    current_ = {};
    return;
  }
  if (read_status_label(unit, said.tokens)) return;
  if (unit.label && read_label(unit, said.tokens)) return;
  if (unit.kind == Kind::item) label_list_seen_ = true;
  // A paragraph behind a list is no longer under the label of the list.
  if (unit.kind == Kind::text && unit.after_blank && unit.indent == 0 && label_list_seen_) end_labels();
  if (units_ == 1 && unit.kind == Kind::text && says_all_done(said.tokens)) {
    return assertions_.claim_everything(unit.line);
  }
  if (!unit.fenced && section() != Section::open && !current_.tokens.empty() && says_task_done(said.tokens)) {
    assertions_.add(current_.tokens, current_.ids);
    return;
  }
  const IdList lead = leading_ids(said.tokens, names_);
  if (!lead.empty()) remember(said.tokens, lead, unit, unit.kind == Kind::item);
  if (heads_task(said.tokens)) status_unit_ = units_;
  if (!lead.empty() && section() != Section::open) begin_list(said.tokens, lead);
  const Section under = section();
  if (under == Section::open) return assertions_.leave_open(said.tokens, lead);
  if (!lead.empty() && !taken_back(said.tokens, lead)) assertions_.list(said.tokens, lead);
  if (under == Section::done && listed(unit, said.tokens, lead)) return forget_held();
  judge(said.tokens, unit, under);
}

bool AssertionReader::says_all_done(const std::vector<Token>& tokens) {
  std::size_t end = tokens.size();
  while (end > 0 && tokens[end - 1].kind == Token::Kind::stop) --end;
  return end == 2 && tokens[0].share && tokens[0].is(word::kYes) && tokens[1].is(word::kPlainDone);
}

bool AssertionReader::says_task_done(const std::vector<Token>& tokens) {
  std::size_t task = 0;
  while (task < tokens.size() && task < 2 && tokens[task].is(word::kArticle)) ++task;
  if (task >= tokens.size() || !tokens[task].is(word::kTask) || tokens[task].text.ends_with('s'))
    return false;
  std::vector<Token> said;
  for (std::size_t i = task + 1; i < tokens.size() && tokens[i].kind != Token::Kind::stop; ++i)
    said.push_back(tokens[i]);
  return says_done(said);
}

bool AssertionReader::heads_task(const std::vector<Token>& tokens) {
  bool good = false, done = false, task = false;
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::id && !token.own) return false;
    good = good || token.kind == Token::Kind::good;
    done = done || (token.kind == Token::Kind::word && token.is(word::kPlainDone));
    task = task || ((token.is(word::kTask) || token.own) && !token.text.ends_with('s'));
  }
  return good && done && task && tokens.size() <= kCardHead && !says_open(tokens);
}

bool AssertionReader::listed(const MessageUnit& unit, const std::vector<Token>& tokens, const IdList& lead) {
  if (!lead.empty() && !tokens[lead.end - 1].possessive) {
    if (names_part(tokens, lead, names_) || taken_back(tokens, lead)) return true;
    const bool item =
        unit.kind == Kind::item || label_ != Section::neutral || item_label_ != Section::neutral;
    const bool plain = plain_entry(tokens, lead, names_, item);
    if (plain) assertions_.add(tokens, lead);
    return plain;
  }
  if (unit.kind != Kind::item || !lead.empty()) return false;
  const IdList trailing = trailing_ids(tokens, names_);
  if (trailing.empty()) return false;
  if (!taken_back(tokens, IdList{})) assertions_.add(tokens, trailing);
  return true;
}

void AssertionReader::read_ticked(const MessageUnit& unit, const UnitTokens& said) {
  if (unit.fenced || section() == Section::open) return;
  IdList lead = leading_ids(said.tokens, names_);
  if (!said.markers.empty()) {
    for (const TaskSet& marker : said.markers) assertions_.add(marker, unit.line);
    return;
  }
  const bool leads = !lead.empty();
  if (leads) forget_held();
  if (!leads) lead = trailing_ids(said.tokens, names_);
  if (lead.empty() || taken_back(said.tokens, leads ? lead : IdList{})) return;
  assertions_.add(said.tokens, lead);
}

void AssertionReader::judge(const std::vector<Token>& tokens, const MessageUnit& unit, Section under) {
  if (planned_ &&
      std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.is(word::kTime); }))
    return;
  const ClauseRules rules{.only_labels = unit.fenced, .lead_verbs = under != Section::about};
  std::vector<IdList> lists = asserted_ids(tokens, names_, rules);
  const bool own = !lists.empty() && std::all_of(lists.begin(), lists.end(), [&tokens](const IdList& list) {
    return list.end == list.first + 1 && tokens[list.first].own;
  });
  if (own && heads(unit, tokens)) return hold(tokens, lists.front(), unit);
  for (const IdList& list : lists) assertions_.add(tokens, list);
  for (const IdList& list : ids_said_open(tokens, names_)) assertions_.leave_open(tokens, list);
}

bool AssertionReader::heads(const MessageUnit& unit, const std::vector<Token>& tokens) {
  if (unit.fenced || unit.kind == Kind::item) return false;
  if (unit.kind == Kind::heading || unit.label || heads_task(tokens)) return true;
  // "Tasks completed" above a list, without a mark; not "Tasks are completed".
  return std::all_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return may_head_list(token) || (token.is(word::kDoneAfter) && !token.is(word::kIs)) ||
           token.kind == Token::Kind::good;
  });
}

void AssertionReader::hold(const std::vector<Token>& tokens, const IdList& ids, const MessageUnit& unit) {
  claim_held();
  held_ = {.tokens = tokens, .ids = ids, .level = unit.kind == Kind::heading ? unit.level : kLabelLevel};
}

void AssertionReader::claim_held() {
  if (!held_.tokens.empty()) assertions_.add(held_.tokens, held_.ids);
  forget_held();
}

void AssertionReader::begin_list(const std::vector<Token>& tokens, const IdList& lead) {
  if (held_.tokens.empty()) return;
  // Under "Task completed" only an item that is nothing but an id or a title counts: "T2", not "T2:
  // unchanged".
  std::size_t end = lead.end;
  while (end < tokens.size() &&
         (tokens[end].kind == Token::Kind::stop || tokens[end].kind == Token::Kind::good))
    ++end;
  if (!may_head_list(held_.tokens[held_.ids.first]) && end < tokens.size()) return;
  if (section() != Section::done) {
    Section& head =
        held_.level == kLabelLevel ? label_ : headings_[static_cast<std::size_t>(held_.level - 1)];
    head = Section::done;
  }
  forget_held();
}

bool AssertionReader::read_label(const MessageUnit& unit, const std::vector<Token>& tokens) {
  if (names_criteria(tokens) && unit.kind == Kind::text && !unit.fenced) {
    end_labels();
    label_ = Section::open;
    return true;
  }
  const bool ids = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return (token.kind == Token::Kind::id && !token.every && !may_head_list(token)) ||
           token.kind == Token::Kind::exception;
  });
  if (ids) {
    if (unit.kind == Kind::text && unit.indent == 0) end_labels();
    return false;
  }
  const Section says = section_of(tokens);
  if (const TaskSet phase = phase_of(tokens); !phase.empty() && !unit.fenced) assertions_.under(phase);
  if (unit.fenced) {
    fence_label_ = says;
  } else if (unit.kind == Kind::item) {
    item_label_ = says;
    item_label_indent_ = unit.indent;
  } else {
    end_labels();
    label_ = says;
    planned_ = says != Section::done && names_goals(tokens);
    // "Tasks completed:" claims what was assigned, where no list comes.
    if (std::any_of(tokens.begin(), tokens.end(), may_head_list)) judge(tokens, unit, Section::neutral);
  }
  return true;
}

void AssertionReader::remember(const std::vector<Token>& tokens, const IdList& ids, const MessageUnit& unit,
                               bool item) {
  current_ = {.tokens = {tokens.begin() + static_cast<std::ptrdiff_t>(ids.first),
                         tokens.begin() + static_cast<std::ptrdiff_t>(ids.end)},
              .ids = ids,
              .unit = units_,
              .indent = unit.indent,
              .item = item};
  current_.ids.end -= current_.ids.first;
  current_.ids.first = 0;
}

bool AssertionReader::read_status_label(const MessageUnit& unit, const std::vector<Token>& tokens) {
  if (tokens.size() < 3) return false;
  std::size_t colon = 0;
  while (colon < tokens.size() && colon < 4 && tokens[colon].kind != Token::Kind::colon) ++colon;
  if (colon == 0 || colon >= 4 || colon + 1 >= tokens.size()) return false;
  const auto all = [&](WordClass classes) {
    return std::all_of(
        tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(colon),
        [&](const Token& token) { return token.is(classes) || token.text == "id" || token.text == "ids"; });
  };
  const std::vector<Token> value(tokens.begin() + static_cast<std::ptrdiff_t>(colon) + 1, tokens.end());
  if (all(word::kTask)) {
    const IdList ids = leading_ids(value, names_);
    if (ids.empty()) return false;
    remember(value, ids, unit, false);
    forget_held();
    current_.label = true;
    if (status_unit_ != 0 && units_ - status_unit_ <= kNearLabels && section() != Section::open) {
      assertions_.add(current_.tokens, current_.ids);
      current_ = {};
    }
    status_unit_ = 0;
    // "Task: T1 - done" speaks for itself.
    return ids.end == value.size();
  }
  if (!all(word::kAspect | word::kTask)) return false;
  const bool done = starts_done(value);
  status_unit_ = done ? units_ : 0;
  const bool near = current_.item    ? unit.indent > current_.indent || units_ - current_.unit <= 1
                    : current_.label ? units_ - current_.unit <= kNearLabels
                                     : true;
  if (current_.tokens.empty() || !near) return false;
  if (current_.item && unit.indent <= current_.indent && unit.kind == Kind::item) return false;
  if (done && section() != Section::open && (!unit.fenced || current_.label)) {
    assertions_.add(current_.tokens, current_.ids);
    status_unit_ = 0;
  }
  current_ = {};
  return true;
}

bool AssertionReader::starts_done(const std::vector<Token>& value) {
  std::vector<Token> first;
  for (const Token& token : value) {
    if (token.kind == Token::Kind::stop || token.kind == Token::Kind::line_break) break;
    first.push_back(token);
  }
  if (first.empty() || says_open(first)) return false;
  std::size_t i = 0;
  while (i < first.size() && (first[i].is(word::kLeft | word::kTask) || first[i].kind == Token::Kind::quote))
    ++i;
  return i < first.size() &&
         (first[i].kind == Token::Kind::good ||
          (first[i].kind == Token::Kind::word && first[i].is(word::kDoneAfter | word::kYes)));
}

void AssertionReader::read_row(const MessageUnit& unit) {
  if (unit.fenced) return;
  std::vector<UnitTokens> cells;
  for (const std::string& cell : unit.cells) cells.push_back(tokens_of(cell, unit.line, names_));
  if (unit.header) {
    columns_.clear();
    described_.clear();
    for (const UnitTokens& cell : cells) {
      columns_.push_back(column_of(cell.tokens));
      described_.push_back(heads_description(cell.tokens));
    }
    return;
  }
  const Section under = section();
  if (under == Section::open) return;
  bool has_status = false, done = true, any_open = false, any_done = false, left = false;
  const UnitTokens* named = nullptr;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Column column = i < columns_.size() ? columns_[i] : Column::plain;
    const std::vector<Token>& tokens = cells[i].tokens;
    if (column == Column::status && !tokens.empty() && tokens[0].kind == Token::Kind::id) {
      // "| Phase | Done | Open |"
      const IdList lead = leading_ids(tokens, names_);
      if (!taken_back(tokens, lead)) assertions_.add(tokens, lead);
      continue;
    }
    if (column == Column::status) {
      has_status = true;
      left = left || (says_open(tokens) && !tokens[0].is(word::kPlainDone));
      done = done && (starts_done(tokens) || (tokens.size() == 1 && tokens[0].is(word::kYes)));
      continue;
    }
    const IdList lead = leading_ids(tokens, names_);
    if (column == Column::done_list && !lead.empty() && !taken_back(tokens, lead))
      assertions_.add(tokens, lead);
    if (column != Column::plain && column != Column::named) continue;
    // A tick in a column of another name ("Reviewed", "Tests") is not about the task.
    const bool other = i < columns_.size() && columns_[i] == Column::named;
    const bool worded = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
      return token.kind == Token::Kind::word && token.is(word::kPlainDone);
    });
    any_done = any_done || (says_done(tokens) && (worded || !other));
    // "| T004 | 100% |" in a table without headings, where nothing else can be meant than the task.
    any_done = any_done || (columns_.empty() && cells.size() == 2 && i == 1 && tokens.size() == 1 &&
                            tokens[0].share && tokens[0].is(word::kYes));
    if (!lead.empty() && named == nullptr)
      named = &cells[i];
    else if (tokens.size() <= 4)
      any_open = any_open || says_open(tokens);
  }
  if (named == nullptr) return;
  const IdList lead = leading_ids(named->tokens, names_);
  forget_held();
  if (!any_open && !has_status) assertions_.list(named->tokens, lead);
  const bool listed = under == Section::done && listed_row(cells, *named);
  const bool asserted = has_status ? done : (any_done || listed) && !any_open;
  if (any_open || (has_status && left)) assertions_.leave_open(named->tokens, lead);
  if (asserted && !taken_back(named->tokens, lead)) assertions_.add(named->tokens, lead);
}

bool AssertionReader::listed_row(const std::vector<UnitTokens>& cells, const UnitTokens& named) const {
  const IdList lead = leading_ids(named.tokens, names_);
  if (!plain_entry(named.tokens, lead, names_, true)) return false;
  bool more = false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (&cells[i] == &named || cells[i].tokens.empty()) continue;
    const bool described = i < columns_.size() && described_[i];
    if (cell_of_entry(cells[i].tokens, named.tokens, lead, names_, described)) return true;
    more = true;
  }
  return !more;
}

AssertionReader::Column AssertionReader::column_of(const std::vector<Token>& tokens) {
  if (tokens.empty()) return Column::plain;
  bool aspect = false, done = false, task = false, about = false;
  for (const Token& token : tokens) {
    aspect = aspect || token.is(word::kAspect) || token.kind == Token::Kind::good;
    done = done || token.is(word::kDoneAfter | word::kTicked);
    task = task || (token.is(word::kTask) && token.text.ends_with('s'));
    about = about || token.is(word::kAbout | word::kOther);
  }
  if (about) return Column::open_list;
  if (section_of(tokens) == Section::open && !aspect) return Column::open_list;
  if (done && task) return Column::done_list;
  return aspect || done ? Column::status : Column::named;
}

}  // namespace plankeep::core
