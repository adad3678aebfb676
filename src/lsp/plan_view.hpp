#pragma once
// An open plan as the features see it: its text, what that says, where it says it, and what is recorded.
//
//   Document document(uri, path, ...);
//   if (const PlanView* view = document.view(records, encoding)) ... hover_at(*view, position) ...
//
// Everything is made when it is first asked for and kept until the text or the records change.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lsp/desk.hpp"
#include "lsp/text.hpp"
#include "markdown/places.hpp"
#include "markdown/plan_reader.hpp"
#include "model/plan.hpp"

namespace plankeep::lsp {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// A box that counts, as a task, a criterion or both.
struct Item {
  std::size_t box = 0;  // index into Places::boxes
  std::size_t phase = 0;
  std::size_t task = kNone;       // index into the phase's tasks
  std::size_t criterion = kNone;  // index into the phase's acceptance
  std::size_t end = 0;            // behind the text of the last box below it
};

/// The lines of a phase, from its heading or marker on.
struct PhaseLines {
  std::size_t first = 0;  // from 0
  std::size_t last = 0;
};

struct PlanView {
  const std::string& uri;
  const std::string& path;
  std::int64_t version;
  const Text& text;
  Encoding encoding;
  const core::Plan& plan;        // with the ids that the records know
  const core::Plan& as_written;  // with those that the text alone gives
  const markdown::Places& places;
  const std::vector<Item>& items;  // document order
  const std::vector<PhaseLines>& phases;
  const Records& records;
  const core::TreeNow& tree;

  Range range(Bytes part) const { return text.range_of(part, encoding); }
  Range range(const markdown::Span& span) const { return range(Bytes{span.begin, span.end}); }
  std::size_t offset(Position position) const { return text.offset_of(position, encoding); }

  const core::Phase& phase(const Item& item) const { return plan.phases[item.phase]; }
  const core::Task* task(const Item& item) const {
    return item.task == kNone ? nullptr : &phase(item).tasks[item.task];
  }
  const core::Criterion* criterion(const Item& item) const {
    return item.criterion == kNone ? nullptr : &phase(item).acceptance[item.criterion];
  }
  const markdown::BoxPlace& box(const Item& item) const { return places.boxes[item.box]; }
  /// From the bullet's line on to the end of the item's own paragraph.
  Bytes own_text(const Item& item) const;
  /// The item whose own lines this offset is in; nullptr: none.
  const Item* item_at(std::size_t offset) const;
  /// The first box of this task, of the phase where one is given.
  const Item* item_of(const core::TaskId& id, const core::Phase* phase = nullptr) const;
};

class Document {
 public:
  Document(std::string uri, std::string path, bool markdown, std::int64_t version, std::string text)
      : uri_(std::move(uri)),
        path_(std::move(path)),
        markdown_(markdown),
        version_(version),
        text_(std::move(text)) {}

  const std::string& uri() const { return uri_; }
  const std::string& path() const { return path_; }
  const Text& text() const { return text_; }
  std::int64_t version() const { return version_; }
  /// False: a change was missed, and nothing can be said of the text until it comes whole.
  bool in_sync() const { return in_sync_; }

  void lose_sync() { in_sync_ = false; }
  /// The text as of this version; `part` absent: all of it.
  void change(const Bytes* part, std::string_view with, std::int64_t version);

  /// A Markdown file that is a plan (spec 2.4).
  bool is_plan(const Records& records);
  /// As the text alone gives it; null: it cannot be read as a plan.
  const core::Plan* plan();
  /// What only looks like a box in it (markdown/places); of use behind plan() only.
  const std::vector<core::Diagnostic>& lookalikes() const { return reader_.lookalikes(); }
  /// Why not.
  const std::string& problem() { return problem_; }
  /// The same with the ids that the records know; null likewise.
  const core::Plan* known_plan(const Records& records);
  /// Null where it is no plan. Valid until the text or the records change.
  const PlanView* view(const Records& records, Encoding encoding);

  // What the server keeps beside it.
  core::TreeNow tree;       // as it was looked at last
  bool tree_is_old = true;  // it should be looked at again
  // When it is looked at again without being asked, since nobody tells of edits of other files; nullopt:
  // nothing in the plan depends on it.
  std::optional<base::Instant> next_look;
  std::uint64_t told_age = 0;  // of the records that diagnostics were told from
  bool told = false;           // diagnostics that are not empty were published
  bool changed = true;         // since diagnostics were told last

 private:
  std::string uri_;
  std::string path_;
  bool markdown_;
  std::int64_t version_;
  Text text_;
  bool in_sync_ = true;

  markdown::PlanReader reader_;  // only the parts of the text that changed are read again
  bool read_ = false;
  std::optional<core::Plan> plan_;
  std::string problem_;
  std::optional<core::Plan> known_;
  std::uint64_t known_age_ = 0;
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace plankeep::lsp
