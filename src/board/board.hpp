#pragma once
// `plankeep board` as a pure model: keys and news go in, what is to be done comes out, and board/draw makes
// the rows of the screen from it. It reads and writes nothing, and knows no time.
//
//   Board board;
//   board.resize({24, 80});
//   board.show_plan(plan_news);                    // at the start, and whenever something changed on disk
//   const Action action = board.press(key);        // what the caller is to do
//   ... does it, then says what came of it: tell(), ask(), open_sheet(), show_plan(), show_page() ...
//   const Frame frame = draw(board);
//
// Always: a cursor lies on a row that is shown, where there is any; text is simple (board/cells).
//
// Tabs other than the plan hold lines that the caller fetched (Action::Kind::load_page). Questions stand on a
// sheet over everything; so do details and help. Text is asked for in the last row.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "board/frame.hpp"
#include "board/input.hpp"
#include "board/plan_items.hpp"
#include "board/text_field.hpp"
#include "rules/view.hpp"

namespace plankeep::board {

enum class Tab { plan, log, timeline, checkpoints, plans };
inline constexpr std::size_t kTabs = 5;

/// What the caller is to do.
struct Action {
  enum class Kind {
    none,
    quit,
    redraw,        // the whole screen: something else wrote on it
    load_page,     // `tab`, then show_page()
    load_details,  // of `target`, then open_sheet()
    set_box,       // `target` to `box`; it was `before`
    claim,         // `target`
    verify,        // `targets`: ask() where their commands are not trusted yet, else run them
    run_verify,    // what was asked for last; `trust`: from now on too
    add,           // `text` as a task of `phase`, a step of `target` where that is not empty
    decide,        // `text`, `reason`
    block,         // `text`
    note,          // `text`
    undo,
    preview_rewind,  // to checkpoint `target`: ask() with what would change
    rewind,          // what was asked for last
    open_plan,       // the one at path `target`
  };
  Kind kind = Kind::none;
  std::string target{};
  std::vector<std::string> targets{};
  core::BoxState box = core::BoxState::open;
  core::BoxState before = core::BoxState::open;
  std::string text{};
  std::string reason{};
  std::string phase{};
  bool trust = false;
  Tab tab = Tab::plan;
  bool operator==(const Action&) const = default;
};

struct PlanNews {
  const core::StatusView* view = nullptr;
  /// Keys of items (board/plan_items) that we changed ourselves: they are not marked. `all_ours`: nothing is.
  std::set<std::string> ours{};
  bool all_ours = false;
};

struct PageLine {
  std::string text;
  std::string target{};  // a checkpoint's id, a plan's path; empty: nothing can be done with it
};

enum class Question { verify, rewind };

class Board {
 public:
  // What comes from the terminal.
  void resize(Size size);
  Action press(const Key& key);
  Action point(const Mouse& mouse);

  // What comes from disk, and from what was done.
  void show_plan(const PlanNews& news);
  /// Of another plan: nothing of what is shown, folded or marked stays.
  void forget_plan();
  void show_page(Tab tab, const std::vector<PageLine>& lines);
  /// `text` may have many lines.
  void open_sheet(std::string_view title, std::string_view text);
  void ask(Question question, std::string_view title, std::string_view text);
  /// Stands above the last row until the next key. Empty: nothing is said any more.
  void tell(std::string_view text, bool is_error);
  /// The marks of what changed outside have been seen long enough.
  void forget_marks();
  bool has_marks() const { return !marked_.empty(); }
  Tab tab() const { return tab_; }

  // For drawing, and for tests.
  struct Header {
    std::string title;
    core::Progress progress;
    std::size_t blockers = 0;
    std::string beside;       // what the progress does not count: "1 optional open, 2 skipped"
    bool beside_fits = true;  // into the row of the progress
    /// What makes the progress less than it seems, as sentences: the plan cannot be read, or tasks vanished
    /// from it. Stands below the progress for as long as it lasts.
    std::vector<std::string> doubts;
    std::vector<std::string> folded;  // rows below the progress: the doubts, and `beside` where it is narrow
  };
  struct Sheet {
    enum class Kind { help, text, verify, rewind };
    Kind kind = Kind::text;
    std::string title;
    std::vector<std::string> lines;   // as they came
    std::vector<std::string> folded;  // as wide as the screen
    std::size_t top = 0;
    bool asks() const { return kind == Kind::verify || kind == Kind::rewind; }
  };
  struct Prompt {
    enum class Kind { filter, add, decide, reason, block, note };
    Kind kind = Kind::filter;
    std::string label;
    TextField field;
    Action action;  // that its text completes
  };
  struct Message {
    std::vector<std::string> lines;  // folded
    std::string text;
    bool is_error = false;
  };
  const Size& size() const { return size_; }
  const Header& header() const { return header_; }
  const std::vector<Item>& items() const { return items_; }
  const std::set<std::string>& folded() const { return folded_; }
  const std::set<std::string>& marked() const { return marked_; }
  const std::vector<PageLine>& page() const { return page_; }
  bool page_loaded() const { return page_loaded_; }
  const std::string& filter() const { return filter_; }
  const std::optional<Sheet>& sheet() const { return sheet_; }
  const std::optional<Prompt>& prompt() const { return prompt_; }
  const std::optional<Message>& message() const { return message_; }
  /// Indices into items() or page() that are not folded away or filtered out.
  const std::vector<std::size_t>& shown() const { return shown_; }
  std::size_t cursor() const { return cursor_; }  // into shown(); 0 when that is empty
  std::size_t top() const { return top_; }        // the first of shown() that is on the screen

  // Rows from above: the tabs, the progress and what is to be said of it, then the body, then message, and
  // hints or prompt.
  std::size_t header_rows() const;
  std::size_t footer_rows() const;
  std::size_t body_rows() const;

 private:
  Action press_in_prompt(const Key& key);
  Action press_in_sheet(const Key& key);
  Action press_letter(char32_t letter);
  Action submit();
  Action answer(char32_t letter);
  Action enter();
  Action act_on_item(Action::Kind kind);
  Action tick();
  Action verify();
  Action go_to(Tab tab);
  void start_prompt(Prompt::Kind kind, std::string label, Action action = {});
  void fold(bool closed);
  void step_out();
  void step_in();
  bool move(const Key& key);
  void move_to(std::size_t index);
  void move_by(std::ptrdiff_t rows);
  void scroll_sheet(std::ptrdiff_t rows);
  void show_again(const std::string& key, std::size_t otherwise);
  const std::string& key_of(std::size_t index) const;
  void fold_header();
  void fold_sheet();
  void settle();
  const Item* item() const;
  std::string key_at_cursor() const;

  Size size_;
  Tab tab_ = Tab::plan;
  Header header_;
  std::vector<Item> items_;
  bool has_plan_ = false;
  std::set<std::string> folded_;
  std::set<std::string> marked_;
  std::string plan_key_;  // where the cursor was when another tab was opened
  std::vector<PageLine> page_;
  bool page_loaded_ = false;
  std::string filter_;
  std::vector<std::size_t> shown_;
  std::size_t cursor_ = 0;
  std::size_t top_ = 0;
  std::optional<Sheet> sheet_;
  std::optional<Prompt> prompt_;
  std::optional<Message> message_;
};

}  // namespace plankeep::board
