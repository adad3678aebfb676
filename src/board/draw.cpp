#include "board/draw.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.hpp"
#include "board/cells.hpp"

namespace plankeep::board {
namespace {

using render::Paint;

constexpr std::array<std::string_view, kTabs> kTabNames{"Plan", "Log", "Timeline", "Checkpoints", "Plans"};
// Where the names have no room.
constexpr std::array<std::string_view, kTabs> kTabLetters{"P", "L", "T", "C", "A"};
constexpr std::size_t kNamesNeed = 43;
constexpr std::size_t kBarColumns = 20;
constexpr std::size_t kShortestBar = 8;
constexpr std::size_t kDeepestIndent = 8;
// Below this a row has its title alone.
constexpr std::size_t kFactsNeed = 60;
constexpr std::size_t kIdsNeed = 30;

const std::array<std::string_view, kTabs>& tab_names(std::size_t columns) {
  return columns >= kNamesNeed ? kTabNames : kTabLetters;
}

Row tab_row(const Board& board) {
  const std::size_t columns = board.size().columns;
  Line line(columns);
  for (std::size_t i = 0; i < kTabs; ++i) {
    const bool open = static_cast<std::size_t>(board.tab()) == i;
    const std::string name(tab_names(columns)[i]);
    line.add(open ? "[" + name + "]" : " " + name + " ", open ? Paint::strong : Paint::plain);
  }
  if (!board.filter().empty()) line.add("  /" + simple_line(board.filter()), Paint::warning);
  return line.row(Ground::bar);
}

Row progress_row(const Board& board) {
  const Board::Header& header = board.header();
  const core::Progress& progress = header.progress;
  std::string rest = " " + std::to_string(progress.completed) + "/" + std::to_string(progress.total) + " " +
                     render::percent(progress.percent_tenths) + "%";
  if (header.beside_fits && !header.beside.empty()) rest += ", " + header.beside;
  if (header.blockers > 0) rest += ", " + base::counted(header.blockers, "blocker", "blockers");
  Line line(board.size().columns);
  const bool bar = line.room() >= 80;
  // The bar gives way before the title does.
  const std::size_t taken = base::display_width(header.title) + rest.size() + 2;
  const std::size_t left = line.room() - std::min(line.room(), taken);
  const std::size_t bar_columns = std::clamp(left, kShortestBar, kBarColumns);
  const std::size_t right = rest.size() + (bar ? bar_columns + 1 : 0);
  const std::size_t room = line.room() > right + 1 ? line.room() - right - 1 : 0;
  line.add(base::fit_to_width(header.title, room), Paint::strong);
  line.leave(std::min(line.room(), right));
  if (bar)
    line.add(" ").add(render::bar(progress.percent_tenths, bar_columns),
                      header.doubts.empty() ? Paint::good : Paint::warning);
  line.add(rest, header.blockers > 0 ? Paint::warning : Paint::plain);
  return line.row();
}

std::pair<std::string_view, Paint> sign_of(const Item& item) {
  if (item.kind == ItemKind::criterion)
    return item.state == core::BoxState::done ? std::pair{std::string_view("◆"), Paint::good}
                                              : std::pair{std::string_view("◇"), Paint::plain};
  switch (item.state) {
    case core::BoxState::done:
      return {"✓", Paint::good};
    case core::BoxState::active:
      return {"◐", Paint::active};
    case core::BoxState::open:
      break;
  }
  return {"○", Paint::plain};
}

std::string_view fold_sign(const Board& board, const Item& item) {
  if (!item.has_below) return " ";
  const bool closed = board.filter().empty() && board.folded().contains(item.key);
  return closed ? "+" : "-";
}

Paint title_paint(const Item& item) {
  if (item.kind == ItemKind::phase || item.current) return Paint::strong;
  return item.state == core::BoxState::done ? Paint::dim : Paint::plain;
}

Row item_row(const Board& board, const Item& item, bool selected) {
  Line line(board.size().columns);
  const bool marked = board.marked().contains(item.key);
  // Told apart without colour: what changed outside has "*", the current task ">".
  line.add(marked ? "*" : item.current ? ">" : " ", Paint::warning);
  line.add(std::string(2 * std::min(item.depth, kDeepestIndent), ' '));
  line.add(fold_sign(board, item), Paint::dim).add(" ");
  const auto [sign, paint] = sign_of(item);
  line.add(sign, paint).add(" ");
  const std::size_t columns = board.size().columns;
  const std::size_t facts = columns >= kFactsNeed && !item.facts.empty()
                                ? std::min(base::display_width(item.facts), columns / 3) + 2
                                : 0;
  std::string text;
  if (item.kind != ItemKind::phase && (columns >= kIdsNeed || item.title.empty()))
    text = simple_title(item.id);
  if (!item.title.empty()) text += (text.empty() ? "" : "  ") + item.title;
  const std::size_t room = line.room() > facts ? line.room() - facts : 0;
  line.add(base::fit_to_width(text, room), marked ? Paint::warning : title_paint(item));
  if (facts > 0) {
    const std::string shown = base::fit_to_width(item.facts, facts - 2);
    line.leave(base::display_width(shown) + 1);
    line.add(shown, Paint::dim);
  }
  return line.row(selected ? Ground::selected : Ground::plain);
}

// Cut at a space: half of an id or a path is of no use.
std::string fit_to_words(const std::string& text, std::size_t columns) {
  std::string fitted = base::fit_to_width(text, columns);
  if (fitted == text) return fitted;
  constexpr std::string_view kCut = "…";
  const std::size_t end = fitted.size() - std::min(fitted.size(), kCut.size());
  if (end < text.size() && text[end] == ' ') return fitted;
  const std::size_t space = text.rfind(' ', end);
  if (space == std::string::npos || text.find_first_not_of(' ') > space) return fitted;
  return text.substr(0, space + 1) + std::string(kCut);
}

std::string_view nothing_to_show(const Board& board) {
  if (!board.filter().empty()) return "nothing matches the filter";
  switch (board.tab()) {
    case Tab::plan:
      return "no tasks yet: press a to add one";
    case Tab::checkpoints:
      return board.page_loaded() ? "no checkpoints yet" : "";
    default:
      return board.page_loaded() ? "nothing yet" : "";
  }
}

Row body_row(const Board& board, std::size_t row) {
  const std::size_t columns = board.size().columns;
  if (board.sheet()) {
    const Board::Sheet& sheet = *board.sheet();
    const std::size_t at = sheet.top + row;
    return Line(columns).add(at < sheet.folded.size() ? sheet.folded[at] : "").row();
  }
  const std::size_t place = board.top() + row;
  if (place < board.shown().size()) {
    const std::size_t index = board.shown()[place];
    const bool selected = place == board.cursor();
    if (board.tab() == Tab::plan) return item_row(board, board.items()[index], selected);
    const std::string& text = board.page()[index].text;
    // Enter shows the whole line of a log; of a checkpoint it asks whether to go back.
    const bool at_words = board.tab() == Tab::checkpoints;
    return Line(columns)
        .add(at_words ? fit_to_words(text, columns) : text)
        .row(selected ? Ground::selected : Ground::plain);
  }
  if (board.shown().empty() && row == 0) return Line(columns).add(nothing_to_show(board), Paint::dim).row();
  return Line(columns).row();
}

std::string_view hints(const Board& board) {
  if (board.sheet()) {
    switch (board.sheet()->kind) {
      case Board::Sheet::Kind::verify:
        return "Run them? [y]es, [t]rust and run, [N]o";
      case Board::Sheet::Kind::rewind:
        return "Rewind? [y]es, [N]o";
      default:
        return "Esc back  arrows scroll";
    }
  }
  switch (board.tab()) {
    case Tab::plan:
      return "? help  q quit  Space tick  Enter details  / filter  u undo";
    case Tab::checkpoints:
      return "? help  q quit  Enter rewind  / filter  Esc plan";
    case Tab::plans:
      return "? help  q quit  Enter open  / filter  Esc plan";
    default:
      return "? help  q quit  Enter whole line  / filter  Esc plan";
  }
}

// The last row, and where the cursor stands in it.
std::pair<Row, std::optional<std::size_t>> last_row(const Board& board) {
  Line line(board.size().columns);
  if (!board.prompt()) {
    line.add(hints(board), board.sheet() && board.sheet()->asks() ? Paint::strong : Paint::dim);
    return {line.row(), std::nullopt};
  }
  const Board::Prompt& prompt = *board.prompt();
  // The label gives way where both have no room.
  const std::size_t columns = board.size().columns;
  if (prompt.label.size() + 8 <= columns) line.add(prompt.label, Paint::strong);
  const std::size_t begin = columns - line.room();
  const TextField::View view = prompt.field.view(std::max<std::size_t>(line.room(), 1));
  line.add(view.text);
  return {line.row(), std::min(begin + view.cursor, columns - 1)};
}

Row second_row(const Board& board) {
  if (board.sheet()) return Line(board.size().columns).add(board.sheet()->title, Paint::strong).row();
  return progress_row(board);
}

}  // namespace

std::optional<Tab> tab_at(std::size_t column, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < kTabs; ++i) {
    end += tab_names(columns)[i].size() + 2;
    if (column < end) return static_cast<Tab>(i);
  }
  return std::nullopt;
}

Frame draw(const Board& board) {
  Frame frame;
  const auto [rows, columns] = board.size();
  if (rows == 0 || columns == 0) return frame;
  frame.rows.reserve(rows);
  if (board.header_rows() > 0) frame.rows.push_back(tab_row(board));
  if (board.header_rows() > 1) frame.rows.push_back(second_row(board));
  for (std::size_t row = 2; row < board.header_rows(); ++row)
    frame.rows.push_back(Line(columns).add(board.header().folded[row - 2], Paint::warning).row());
  for (std::size_t row = 0; row < board.body_rows(); ++row) frame.rows.push_back(body_row(board, row));
  // A message gives way before the prompt does.
  const std::size_t footer = board.footer_rows();
  for (std::size_t row = 0; row + 1 < footer; ++row) {
    const Board::Message& message = *board.message();
    frame.rows.push_back(
        Line(columns).add(message.lines[row], message.is_error ? Paint::bad : Paint::strong).row());
  }
  if (footer > 0) {
    auto [row, cursor] = last_row(board);
    frame.rows.push_back(std::move(row));
    if (cursor) frame.cursor = Spot{rows - 1, *cursor};
  }
  return frame;
}

std::string_view help_text() {
  return "Up Down j k      move              PgUp PgDn g G  far\n"
         "Left h           fold, or go to the parent\n"
         "Right l          unfold, or go to the first child\n"
         "Enter            details; on a phase: fold\n"
         "Tab 1-5          Plan, Log, Timeline, Checkpoints, Plans\n"
         "/                filter; Esc clears it\n"
         "Space            tick or untick\n"
         "s                start\n"
         "a                add a task beside this one\n"
         "c                claim\n"
         "v                verify: run the criterion's command\n"
         "d                record a decision\n"
         "b                record a blocker\n"
         "n                leave a note for the next session\n"
         "u                undo the last change made here\n"
         "R                rewind to a checkpoint\n"
         "Ctrl-L           redraw the screen\n"
         "q                quit\n"
         "\n"
         "* changed outside   > current task   + folded\n"
         "Mouse: click a row, click again for Enter, wheel\n";
}

}  // namespace plankeep::board
