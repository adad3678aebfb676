#include "board/board.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"
#include "board/cells.hpp"
#include "render/progress/vanished.hpp"

namespace plankeep::board {
namespace {

// Of a sheet: a diff of a plan can be as long as the plan.
constexpr std::size_t kMostLines = 20'000;
constexpr std::size_t kMostMessageRows = 4;
constexpr std::size_t kMostMessageBytes = 4000;
constexpr std::size_t kMostDoubtRows = 4;
constexpr std::size_t kVanishedTitle = 40;
constexpr std::size_t kBesideNeeds = 60;  // columns

// Finds items by key. Most are still at the same index.
class KnownItems {
 public:
  explicit KnownItems(const std::vector<Item>& items) : items_(items) {}

  const Item* find(const std::string& key, std::size_t place) const {
    if (place < items_.size() && items_[place].key == key) return &items_[place];
    if (by_key_.empty()) {
      for (const Item& item : items_) by_key_.emplace(item.key, &item);
    }
    const auto at = by_key_.find(key);
    return at == by_key_.end() ? nullptr : at->second;
  }

 private:
  const std::vector<Item>& items_;
  mutable std::unordered_map<std::string_view, const Item*> by_key_;  // built on the first miss
};

std::string beside_of(const core::StatusView& view) {
  std::string text;
  if (view.progress.optional_open > 0) text = std::to_string(view.progress.optional_open) + " optional open";
  if (view.skipped > 0) text += (text.empty() ? "" : ", ") + std::to_string(view.skipped) + " skipped";
  return text;
}

std::vector<std::string> doubts_of(const core::StatusView& view) {
  if (!view.unreadable.empty()) return {simple_title(view.unreadable)};
  if (view.vanished.empty()) return {};
  return {simple_title(render::vanished_words(view.vanished, kVanishedTitle)),
          "to put " + std::string(render::them(view.vanished)) + " back: plankeep restore --lost"};
}

// In one row if they fit, else each from a row of its own on; the first gives way.
std::vector<std::string> rows_of(const std::vector<std::string>& sentences, std::size_t columns,
                                 std::size_t most) {
  std::string joined;
  for (const std::string& one : sentences) joined += (joined.empty() ? "" : "; ") + one;
  if (joined.empty() || most == 0) return {};
  if (sentences.size() == 1 || base::display_width(joined) <= columns || most < sentences.size()) {
    std::vector<std::string> rows = folded_line(joined, columns);
    if (rows.size() > most) rows.resize(most);
    return rows;
  }
  std::vector<std::string> rows = folded_line(sentences.front(), columns);
  if (rows.size() > most - (sentences.size() - 1)) rows.resize(most - (sentences.size() - 1));
  for (std::size_t i = 1; i < sentences.size(); ++i)
    rows.push_back(base::fit_to_width(sentences[i], columns));
  return rows;
}

}  // namespace

void Board::resize(Size size) {
  size_ = size;
  fold_header();
  fold_sheet();
  if (message_) {
    const Message before = *message_;
    tell(before.text, before.is_error);
  }
  settle();
}

const Item* Board::item() const {
  if (tab_ != Tab::plan || shown_.empty()) return nullptr;
  return &items_[shown_[cursor_]];
}

std::string Board::key_at_cursor() const {
  return shown_.empty() ? std::string() : key_of(shown_[cursor_]);
}

// What tells an item or a line from the others; lines of which nothing can be chosen have none.
const std::string& Board::key_of(std::size_t index) const {
  return tab_ == Tab::plan ? items_[index].key : page_[index].target;
}

// --- what is shown -------------------------------------------------------------------------------------

std::size_t Board::header_rows() const {
  if (size_.rows >= 6) return 2 + header_.folded.size();
  return size_.rows >= 3 ? 1 : 0;
}

std::size_t Board::footer_rows() const {
  const std::size_t free = size_.rows - std::min(size_.rows, header_rows() + 1);  // one row for the body
  const std::size_t wanted = 1 + (message_ ? message_->lines.size() : 0);
  return std::min(free, wanted);
}

std::size_t Board::body_rows() const {
  return size_.rows - std::min(size_.rows, header_rows() + footer_rows());
}

// The cursor back onto a row that is there, and that row onto the screen.
void Board::settle() {
  cursor_ = shown_.empty() ? 0 : std::min(cursor_, shown_.size() - 1);
  const std::size_t rows = std::max<std::size_t>(body_rows(), 1);
  if (cursor_ < top_) top_ = cursor_;
  if (cursor_ >= top_ + rows) top_ = cursor_ - rows + 1;
  const std::size_t last_top = shown_.size() > rows ? shown_.size() - rows : 0;
  top_ = std::min(top_, last_top);
}

// What is shown anew, the cursor on what has this key; where that is not shown, at place `otherwise`.
void Board::show_again(const std::string& key, std::size_t otherwise) {
  cursor_ = otherwise;
  if (tab_ == Tab::plan) {
    shown_ = shown_items(items_, folded_, filter_);
  } else {
    shown_.clear();
    const std::string lower = base::search_text(filter_);
    for (std::size_t i = 0; i < page_.size(); ++i)
      if (base::search_text(page_[i].text).find(lower) != std::string::npos) shown_.push_back(i);
  }
  const auto found = key.empty() ? shown_.end()
                                 : std::find_if(shown_.begin(), shown_.end(),
                                                [&](std::size_t i) { return key_of(i) == key; });
  if (found != shown_.end()) cursor_ = static_cast<std::size_t>(found - shown_.begin());
  settle();
}

void Board::show_plan(const PlanNews& news) {
  const core::StatusView& view = *news.view;
  header_.title = simple_title(view.title.empty() ? view.plan_id : view.title);
  header_.progress = view.progress;
  header_.blockers = view.blockers.size();
  header_.beside = beside_of(view);
  header_.doubts = doubts_of(view);
  fold_header();

  const std::vector<Item> before = std::exchange(items_, items_of(view));
  std::string key = plan_key_;
  if (tab_ == Tab::plan && !shown_.empty()) key = before[shown_[cursor_]].key;
  if (!std::exchange(has_plan_, true)) {
    folded_ = folded_at_first(items_);
    const auto current =
        std::find_if(items_.begin(), items_.end(), [](const Item& item) { return item.current; });
    if (current != items_.end()) key = current->key;
  } else if (!news.all_ours) {
    const KnownItems known(before);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Item& item = items_[i];
      if (item.kind == ItemKind::phase || news.ours.contains(item.key)) continue;
      const Item* const was = known.find(item.key, i);
      const bool same =
          was != nullptr && was->state == item.state && was->title == item.title && was->who == item.who;
      if (!same) marked_.insert(item.key);
    }
  }
  if (tab_ == Tab::plan) {
    show_again(key, cursor_);
  } else {
    plan_key_ = key;
    settle();
  }
}

void Board::forget_plan() {
  const Size size = size_;
  *this = Board();
  size_ = size;
}

void Board::show_page(Tab tab, const std::vector<PageLine>& lines) {
  if (tab != tab_ || tab == Tab::plan) return;
  // The newest line of a log is the last: who looks at it goes on to see it.
  const bool at_end = !page_loaded_ ? tab == Tab::log || tab == Tab::timeline
                                    : !shown_.empty() && cursor_ + 1 == shown_.size();
  const std::string key = key_at_cursor();
  page_.clear();
  page_.reserve(lines.size());
  for (const PageLine& line : lines) page_.push_back({simple_line(line.text), line.target});
  page_loaded_ = true;
  show_again(key, at_end && key.empty() ? page_.size() : cursor_);
}

// At least two rows are left for the body.
void Board::fold_header() {
  const std::size_t free = size_.rows >= 6 ? size_.rows - 5 : 0;
  std::vector<std::string> said = header_.doubts;
  header_.beside_fits = size_.columns >= kBesideNeeds;
  if (!header_.beside_fits && !header_.beside.empty()) said.push_back(header_.beside);
  header_.folded = rows_of(said, std::max<std::size_t>(size_.columns, 1), std::min(free, kMostDoubtRows));
}

void Board::fold_sheet() {
  if (!sheet_) return;
  sheet_->folded.clear();
  const std::size_t columns = std::max<std::size_t>(size_.columns, 1);
  for (const std::string& line : sheet_->lines) {
    for (std::string& piece : folded_line(line, columns)) sheet_->folded.push_back(std::move(piece));
  }
  scroll_sheet(0);
}

void Board::open_sheet(std::string_view title, std::string_view text) {
  sheet_ = Sheet{Sheet::Kind::text, simple_title(title), simple_lines(text, kMostLines), {}, 0};
  prompt_.reset();
  fold_sheet();
}

void Board::ask(Question question, std::string_view title, std::string_view text) {
  open_sheet(title, text);
  sheet_->kind = question == Question::verify ? Sheet::Kind::verify : Sheet::Kind::rewind;
}

void Board::tell(std::string_view text, bool is_error) {
  message_.reset();
  if (!text.empty()) {
    Message message;
    message.text = base::fit_to_bytes(text, kMostMessageBytes);
    message.is_error = is_error;
    const std::size_t columns = std::max<std::size_t>(size_.columns, 1);
    for (const std::string& line : simple_lines(message.text, kMostMessageRows)) {
      for (std::string& piece : folded_line(line, columns)) message.lines.push_back(std::move(piece));
    }
    if (message.lines.size() > kMostMessageRows) message.lines.resize(kMostMessageRows);
    message_ = std::move(message);
  }
  settle();
}

void Board::forget_marks() {
  marked_.clear();
}

// --- moving --------------------------------------------------------------------------------------------

void Board::move_to(std::size_t index) {
  cursor_ = index;
  settle();
}

void Board::move_by(std::ptrdiff_t rows) {
  if (rows < 0) {
    move_to(cursor_ - std::min(cursor_, static_cast<std::size_t>(-rows)));
  } else {
    move_to(cursor_ + static_cast<std::size_t>(rows));
  }
}

void Board::scroll_sheet(std::ptrdiff_t rows) {
  const std::size_t room = std::max<std::size_t>(body_rows(), 1);
  const std::size_t last = sheet_->folded.size() > room ? sheet_->folded.size() - room : 0;
  const std::ptrdiff_t wanted = static_cast<std::ptrdiff_t>(sheet_->top) + rows;
  sheet_->top = std::min(last, static_cast<std::size_t>(std::max<std::ptrdiff_t>(wanted, 0)));
}

bool Board::move(const Key& key) {
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(body_rows(), 2) - 1);
  const auto by = [this](std::ptrdiff_t rows) { sheet_ ? scroll_sheet(rows) : move_by(rows); };
  constexpr std::ptrdiff_t kFar = 1'000'000'000;
  switch (key.kind) {
    case Key::Kind::up:
      by(-1);
      return true;
    case Key::Kind::down:
      by(1);
      return true;
    case Key::Kind::page_up:
      by(-page);
      return true;
    case Key::Kind::page_down:
      by(page);
      return true;
    case Key::Kind::home:
      by(-kFar);
      return true;
    case Key::Kind::end:
      by(kFar);
      return true;
    default:
      return false;
  }
}

void Board::fold(bool closed) {
  const Item* at = item();
  if (at == nullptr || !at->has_below || !filter_.empty()) return;
  if (closed) {
    folded_.insert(at->key);
  } else {
    folded_.erase(at->key);
  }
  show_again(at->key, cursor_);
}

void Board::step_out() {
  const Item* at = item();
  if (at == nullptr) return;
  if (filter_.empty() && at->has_below && !folded_.contains(at->key)) return fold(true);
  if (!at->parent) return;
  const std::size_t parent = *at->parent;
  const auto found = std::find(shown_.begin(), shown_.end(), parent);
  if (found != shown_.end()) move_to(static_cast<std::size_t>(found - shown_.begin()));
}

void Board::step_in() {
  const Item* at = item();
  if (at == nullptr || !at->has_below) return;
  if (filter_.empty() && folded_.contains(at->key)) return fold(false);
  move_by(1);
}

Action Board::go_to(Tab tab) {
  if (tab == tab_) return {};
  if (tab_ == Tab::plan) plan_key_ = key_at_cursor();
  tab_ = tab;
  filter_.clear();
  page_.clear();
  page_loaded_ = false;
  top_ = 0;
  show_again(plan_key_, 0);
  if (tab == Tab::plan) return {};
  Action action{Action::Kind::load_page};
  action.tab = tab;
  return action;
}

}  // namespace plankeep::board
