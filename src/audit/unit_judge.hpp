#pragma once
// Judges one unit: the walk over its sentences and clauses (unit_judge.cpp) and the patterns that join an id
// to a word of completion (assertion_patterns.cpp). The inside of asserted_ids.
//
// Linear: a sentence is walked once; around each word of completion at most kReach tokens, one list of ids
// and the words back to the id before are looked at, and an id has at most kReach such words beside it.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "audit/assertion_clauses.hpp"

namespace plankeep::core {

class UnitJudge {
 public:
  UnitJudge(const std::vector<Token>& tokens, const TaskNames& names, ClauseRules rules);

  std::vector<IdList> run();

 private:
  using Kind = Token::Kind;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // All in tokens. They keep the work for each word of completion bounded.
  static constexpr std::size_t kReach = 10;      // between an id and its word of completion
  static constexpr std::size_t kTailReach = 10;  // behind a claim, what can take it back
  static constexpr std::size_t kRetractReach = 24;
  static constexpr std::size_t kListReach = 400;  // of one list of ids
  static constexpr std::size_t kRemark = 40;      // of a remark in brackets
  static constexpr std::size_t kLabel = 14;       // before the colon of a label
  static constexpr std::size_t kSubject = 40;     // before a verb, what can be its subject
  static constexpr std::size_t kLastWord = 5;     // of "Task is done."
  static constexpr std::size_t kBothReach = 60;   // before "both", the two that it stands for

  bool is(std::size_t i, Kind kind) const { return i < tokens_.size() && tokens_[i].kind == kind; }
  bool is(std::size_t i, WordClass classes) const { return i < tokens_.size() && tokens_[i].is(classes); }

  /// "T1: wrote the form and its tests. Done."
  void last_word(std::size_t begin, std::size_t end);

  /// "✅ T1 ✅ T2" or "T1 ✅ T2 ✅": the first of a unit tells.
  /// "Done. The rate limit (T7) now covers every route."
  void first_word(std::size_t begin, std::size_t end);
  void find_sign_side();
  void sentence(std::size_t begin, std::size_t end);

  /// A string in quotes that holds an id and says that it is done is somebody's sentence.
  bool quotes_an_assertion() const;
  bool joins_ids(std::size_t comma) const;

  /// Words before the pattern that make it no claim. "2 of 3 tasks are done (T1, T2)" is one of `claimed`
  /// tasks.
  bool denied_before(std::size_t span, std::size_t asserted = 0) const;
  /// "the remaining tests", "a missing file": says what something is, not how a task stands.
  bool adjective(std::size_t i) const;
  bool has(std::size_t from, std::size_t to, WordClass classes) const;

  /// Words behind the pattern that take it back.
  bool denied_behind(std::size_t span, bool plain) const;
  /// "... and reverted it", also in the sentence behind, as long as no other id is named.
  bool retracted(std::size_t span) const;
  // assertion_denials.cpp
  /// "Target: T1 done by Friday", "Plan for tomorrow: ...": a label says that all behind it is to come.
  bool sets_goal() const;
  /// "Thanks for marking T1 done!"
  bool gives_thanks() const;
  /// "wrong", "not true": says that what was said is false, not that something else is.
  bool untrue(std::size_t i) const;
  /// "... was mistaken", "..., which is false", "... . That was wrong."
  bool disowned(std::size_t span) const;
  /// "pending T2", "still open: T2": how another task stands.
  bool opens_another(std::size_t i) const;
  /// "to have T1 done", "avoir T1 termin\u00e9": what is wanted.
  bool wanted(std::size_t first) const;
  /// "I thought T1 was done"
  bool only_thought(std::size_t i) const;
  /// "checked T1 and T2 off": the word behind the ids that belongs to this verb.
  bool taken_off(std::size_t verb) const;
  /// "Calling T1 done would be premature"
  bool would_be(std::size_t span) const;
  /// 'T1 is "done" in the sense that it compiles'
  bool scare_quoted(std::size_t at) const;
  /// "(✅ = done, ❌ = open)"
  bool in_legend(std::size_t sign) const;
  /// "Reading T1: done"
  bool only_looks_at(std::size_t first) const;
  /// "I completed everything T1 depends on"
  bool clause_of_object(std::size_t first, std::size_t end) const;
  /// "Phase 1 (analysis)", where the plan calls it otherwise: a phase of something else.
  bool renames_phase(std::size_t open) const;

  /// "I was told", "the lead says": what the sentence says is another's word. Not "I told the lead".
  bool hearsay(std::size_t i) const;
  /// "..., as soon as the database runs", "..., I was told": behind a comma or at the start of a line.
  bool doubted_behind(std::size_t mark) const;
  /// "T1 ✅ not done", "T1 done: not yet": the words that follow say that it is not done.
  bool contradicted(std::size_t span) const;
  bool denied_by_share(std::size_t i) const;
  bool denied_by_but(std::size_t from, bool plain) const;
  void completion(std::size_t at);

  /// "Finished T1 and T2", "Done: T1"; `colon`: only with one ("are done: T1").
  bool before(std::size_t at, bool colon);

  std::size_t subject(std::size_t verb) const { return verb > begin_ + kSubject ? verb - kSubject : begin_; }

  /// Nothing but "task" and "status": "[TASK COMPLETE] T1", "Status: DONE T1".
  bool names_status(std::size_t from, std::size_t to) const;

  /// How many tasks.
  std::size_t size_of(const IdList& list) const;
  bool has_words(std::size_t from, std::size_t to, std::size_t at_most) const;

  /// "Finished T1, T2 is pending": what has a word of its own behind it is not of the list.
  void cut_at_next_clause(IdList& list) const;

  /// "T1 is a complete mess", "T1: Complete the tests": says what a thing is, or what to do.
  bool describes(std::size_t at) const;

  /// "T1 and T2 are done", "T1: done", "T1 (done)", "T1 ✅".
  bool after(std::size_t at);
  /// "T1 passes its tests and is done": the ids that the sentence begins with, for a verb that has none.
  bool after_and(std::size_t verb, std::size_t done);
  /// "The last open item, T1, ...": the id says which.
  bool apposition(std::size_t id) const;
  /// "Changed the status of T1 to done".
  bool set_before(std::size_t first) const;
  bool only_ids(std::size_t from, std::size_t to) const;
  bool says_no(std::size_t from, std::size_t to) const;

  /// "the tests of T1", "for T1": something about the task is meant. "work on T1" is the task.
  bool about_it(const IdList& list) const;

  /// "I worked on T1 and T2. Both are done."
  void both(std::size_t at);
  /// "T1 passes its tests, so that task is done."
  void its_task(std::size_t at);

  /// "T1 is done, and T2 is too", "... so is T2": what goes before says done and nothing else.
  bool echoes(std::size_t at) const;
  void too(std::size_t at);

  /// "With T2 done, ...", "Since T2 is done, ...": begins with a fact, not with a condition.
  bool states_fact(std::size_t at) const;

  /// "T1 and T2 of phase 1": T2; kNone when the phase itself is meant.
  std::size_t id_of_phase(const IdList& list) const;

  /// "two of the three tasks of phase 1": not the phase.
  bool part_of_phase(const IdList& list, std::size_t done) const;

  /// "the schema (T1) and the loader (T2)": of an id in brackets, the one that is listed before it.
  std::size_t bracket_before(std::size_t id) const;

  /// The list of ids that ends with this token.
  IdList list_back(std::size_t last) const;

  /// "✅ T1, T2": where ticks stand before their ids.
  void sign_before(std::size_t at);
  void cut_at_next_clause_of_sign(IdList list);
  void command(std::size_t at);

  /// Patterns that hang on where the sentence begins.
  void lead_patterns();

  /// "Tasks completed in this session: T1, T2": what would head a list heads what stands behind it.
  void labelled_ids();

  /// "T1 - Add the form - done", "T1: Added the form".
  void lead_status();

  /// "Implemented the login form (T4) and ran the linter."
  void bracketed_ids();
  /// "The changelog is updated (T5)."
  void passive_ids();
  bool assertion(IdList list);

  const std::vector<Token>& tokens_;
  const TaskNames& names_;
  ClauseRules rules_;
  std::vector<std::size_t> partner_;  // of a bracket: the other one
  std::vector<IdList> assertions_;
  IdList lead_;
  bool signs_lead_ = false;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t clause_ = 0;
  std::size_t cue_ = kNone;  // the word of completion that is looked at
  bool conditional_ = false;
  std::size_t time_ = kNone;  // a condition that says when
};

}  // namespace plankeep::core
