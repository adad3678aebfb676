#include "editing/record.hpp"

#include <algorithm>
#include <charconv>

#include "base/utf8.hpp"
#include "editing/edit_loop.hpp"
#include "markdown/edits/edit_plan.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

// One line, as a marker's value is read back (spec 7.1).
std::string folded(std::string_view text) {
  std::string out;
  bool gap = false;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint c = base::decode_at(text, at);
    if (base::is_space(c.value)) {
      gap = !out.empty();
    } else {
      if (gap) out += ' ';
      gap = false;
      out.append(text.substr(at, c.length));
    }
    at += c.length;
  }
  return out;
}

base::Status check_text(std::string_view text, std::string_view what) {
  if (folded(text).empty()) {
    return base::fail(ErrorKind::invalid_input, "the text of a " + std::string(what) + " is empty");
  }
  if (base::find_invalid_utf8(text) != std::string_view::npos || text.find('\0') != std::string_view::npos) {
    return base::fail(ErrorKind::invalid_input, "the text of a " + std::string(what) + " is not UTF-8");
  }
  return {};
}

Result<std::size_t> find_blocker(const core::Plan& plan, const std::string& which) {
  const std::vector<core::Blocker>& blockers = plan.blockers;
  const auto none = [&blockers](std::string message) {
    std::string hint = blockers.empty() ? "the plan has no blockers" : "the blockers are:";
    for (std::size_t i = 0; i < blockers.size(); ++i) {
      hint += "\n" + std::to_string(i + 1) + "  " + blockers[i].text;
    }
    return base::fail(ErrorKind::not_found, std::move(message), std::move(hint));
  };
  const std::string text = folded(which);
  for (std::size_t i = 0; i < blockers.size(); ++i) {
    if (blockers[i].text == text) return i;
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    if (number >= 1 && number <= blockers.size()) return number - 1;
    return none("there is no blocker " + text);
  }
  const std::string lower = base::to_lower(text);
  std::vector<std::size_t> having;
  for (std::size_t i = 0; i < blockers.size() && !lower.empty(); ++i) {
    if (base::to_lower(blockers[i].text).find(lower) != std::string::npos) having.push_back(i);
  }
  if (having.size() == 1) return having.front();
  if (having.empty()) return none("no blocker contains \"" + text + "\"");
  std::string message = "several blockers contain \"" + text + "\":";
  for (const std::size_t i : having) message += "\n" + std::to_string(i + 1) + "  " + blockers[i].text;
  return base::fail(ErrorKind::ambiguous, std::move(message), "give its number");
}

// Redacts what is written into the plan or its records: people and models see it for a long time.
struct Safe {
  Safe(const Context& context, const PlanLocation& plan)
      : redactor(context, Project(context, plan.folder).settings()) {}

  std::string operator()(const std::string& text) {
    std::string safe = redactor(text);
    replaced = replaced || safe != text;
    return safe;
  }
  Outcome tell(Outcome outcome) const {
    if (!redactor.problem().empty()) {
      outcome.warnings.push_back(redactor.problem());
    } else if (replaced) {
      outcome.warnings.emplace_back("the text contained a secret; it was written as REDACTED");
    }
    return outcome;
  }

  TextRedactor redactor;
  bool replaced = false;
};

}  // namespace

Result<Outcome> record_decision(const Context& context, const PlanLocation& plan, const std::string& text,
                                const std::string& reason, const std::string& actor) {
  TRY(check_text(text, "decision"));
  if (!reason.empty()) TRY(check_text(reason, "reason"));
  Safe safe(context, plan);
  const core::Decision wanted{folded(safe(text)), folded(safe(reason)), 0};
  PlanWork work(context, plan);
  TRY(edit_plan(work, {actor}, [&]() -> Result<std::string> {
    const std::vector<core::Decision>& there = work.plan().decisions;
    const bool stands = std::any_of(there.begin(), there.end(), [&wanted](const core::Decision& decision) {
      return decision.text == wanted.text && decision.reason == wanted.reason;
    });
    if (stands) return work.bytes();
    return markdown::add_decision(work.bytes(), work.plan(), wanted.text, wanted.reason);
  }));
  return safe.tell(work.take_outcome());
}

Result<Outcome> raise_blocker(const Context& context, const PlanLocation& plan, const std::string& text,
                              const std::string& actor) {
  TRY(check_text(text, "blocker"));
  Safe safe(context, plan);
  const std::string wanted = folded(safe(text));
  PlanWork work(context, plan);
  TRY(edit_plan(work, {actor}, [&]() -> Result<std::string> {
    const std::vector<core::Blocker>& there = work.plan().blockers;
    const bool stands = std::any_of(there.begin(), there.end(), [&wanted](const core::Blocker& blocker) {
      return blocker.text == wanted;
    });
    if (stands) return work.bytes();
    return markdown::add_blocker(work.bytes(), work.plan(), wanted);
  }));
  return safe.tell(work.take_outcome());
}

Result<Outcome> resolve_blocker(const Context& context, const PlanLocation& plan, const std::string& which,
                                const std::string& actor) {
  TRY(check_text(which, "blocker"));
  PlanWork work(context, plan);
  TRY(edit_plan(work, {actor}, [&]() -> Result<std::string> {
    TRY_ASSIGN(const std::size_t index, find_blocker(work.plan(), which));
    return markdown::remove_blocker(work.bytes(), work.plan(), index);
  }));
  return work.take_outcome();
}

Result<Outcome> save_note(const Context& context, const PlanLocation& plan, const std::string& text,
                          const std::string& actor) {
  if (!text.empty()) TRY(check_text(text, "note"));
  Safe safe(context, plan);
  const std::string words = safe(text);
  PlanWork work(context, plan);
  TRY(begin_record(work, "save the note"));
  core::State state = work.state();
  const std::optional<std::string> note = words.empty() ? std::nullopt : std::optional(words);
  // The same words written by hand make an automatic note a lasting one.
  const bool stands = state.session_notes == note && !state.note_is_automatic;
  state.session_notes = note;
  state.note_is_automatic = false;
  core::Event saved;
  saved.time = work.now();
  saved.kind = core::EventKind::note_saved;
  saved.note = words;
  saved.by = actor;
  if (!stands) TRY(work.save(std::move(state), {saved}));
  Outcome outcome = work.take_outcome();
  // A note needs no plan: that it cannot be read is only a warning, or the caller would try again.
  outcome.readable = true;
  return safe.tell(std::move(outcome));
}

}  // namespace plankeep::app
