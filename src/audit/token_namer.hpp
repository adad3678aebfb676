#pragma once
// The work of name_tokens (audit/message_tokens): finds out which words of a unit are ids, titles, phases and
// "all tasks". Private to audit/token_names.cpp, audit/bounded_tokens.cpp, audit/phase_tokens.cpp,
// audit/task_set_tokens.cpp and audit/title_tokens.cpp, which hold a subject each.
//
//   TokenNamer(tokens, names).run();
//
// Every step reads and changes `tokens` in place. A token that became part of another is `erased`, and
// dropped before the next step.

#include <cstddef>
#include <string_view>
#include <vector>

#include "audit/message_tokens.hpp"

namespace plankeep::core {

class TokenNamer {
 public:
  /// `tokens` and `names` outlive it.
  TokenNamer(std::vector<Token>& tokens, const TaskNames& names) : tokens_(tokens), names_(names) {}

  void run();

 private:
  using Kind = Token::Kind;
  using Match = TitleMatch;

  static constexpr std::size_t kListWords = 24;   // tokens of a list before "tasks"
  static constexpr std::size_t kPhaseWords = 4;   // of a phase's title before "phase"
  static constexpr std::size_t kAllWords = 5;     // between "everything" and "phase 2"
  static constexpr std::size_t kTitleAlone = 12;  // bytes of a title that is one word, to count at the front
  /// What may follow "all tasks" without saying which.
  static constexpr WordClass kBehindAll = word::kIs | word::kLeft | word::kDoneAfter | word::kDoneBefore |
                                          word::kBut | word::kJoin | word::kOf | word::kTail | word::kIf;

  static bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }
  void drop_erased() {
    std::erase_if(tokens_, [](const Token& token) { return token.erased; });
  }
  bool is(std::size_t i, Kind kind) const { return i < tokens_.size() && tokens_[i].kind == kind; }
  bool is(std::size_t i, WordClass classes) const { return i < tokens_.size() && tokens_[i].is(classes); }

  // token_names.cpp
  /// Nothing but ticks, quotes and opening brackets before it.
  bool leads(std::size_t i) const;
  bool ends(std::size_t i) const;
  /// Two words that say something else than each alone.
  void read_pair(std::size_t i);
  void resolve(std::size_t i);
  /// "user story 1", where a phase is called so.
  bool story(std::size_t i) const;
  bool meant(std::size_t i) const;
  /// "1번 작업": a number and the word that counts tasks behind it.
  bool counted(std::size_t i) const;
  /// "the auth-login and api-tests tasks": behind the rest of a list of words that may be ids.
  std::size_t behind_list(std::size_t i) const;
  /// "setup and docs are done": begins its sentence, alone or in a list of ids.
  bool subject(std::size_t i) const;
  /// "Finished docs.", "I completed setup and docs."
  bool object(std::size_t i) const;
  /// "auth-login, docs and deploy-script": in a list with ids that are no words.
  bool beside_id(std::size_t i) const;
  /// "The parser is complete (1.1, 1.2, 1.3)"
  bool opens_number_list(std::size_t i) const;
  /// "The expression grammar (1.2) is done"
  bool behind_own_title(std::size_t i) const;
  /// "Setup: done. Docs: done."
  bool status_follows(std::size_t i) const;
  /// "Done: setup, docs": in a list behind a colon, with nothing but marks around it.
  bool listed(std::size_t i) const;

  // phase_tokens.cpp
  /// The phase that the word "phase" at this place means; `first` and `last` are the tokens that say so.
  TaskSet phase_at(std::size_t i, std::size_t& first, std::size_t& last) const;
  /// "the Backend section (is complete)"
  TaskSet section_titled(std::size_t i, std::size_t& first) const;
  /// "three phases" says how many, "the third phase" and "第三阶段" which one.
  bool counts_phases(std::size_t i) const;
  /// "Alles, was in Groundwork stand, ist fertig": without the commas it is "everything in Groundwork".
  void open_clause(std::size_t i);
  /// The phase that is named here by its title or number; `end` is behind it.
  TaskSet phase_named(std::size_t i, std::size_t& end) const;
  bool ambiguous(std::size_t i) const;
  /// "T001 and T002 of the backend phase", "T001 (Backend)", "Backend: T001" where another phase has a T001
  /// too.
  void choose_phase(std::size_t i);
  static void choose(Token& token, const TaskSet& phase);
  /// "My task, T3, is done", "the two stories, US-1 and US-2, are": without the commas it is "task T3".
  void join_apposition(std::size_t i);
  void name_phase(std::size_t i);
  /// The end of a phase's title that starts here and means the phase; 0: there is no such title.
  std::size_t titled_phase(std::size_t i, TaskSet& tasks) const;
  bool phase_meant(std::size_t i, std::size_t end, const TaskSet& tasks) const;
  /// "In Groundwork (ist) alles erledigt": where it says "everything" of what is named before; else past the
  /// end.
  std::size_t all_behind(std::size_t first, std::size_t behind) const;
  /// Whether the words here are the status of the phase before them.
  bool has_status(std::size_t at) const;
  /// "everything in ...", "all six ... (tasks)": before a phase of so many tasks.
  bool quantified(std::size_t first, std::size_t size) const;
  /// Behind a phase, the right number of its tasks: Chinese, Japanese, Korean.
  void absorb_count(std::size_t at, std::size_t size);
  /// Behind a phase, "of (the tasks of) it": Chinese, Japanese, Korean.
  void absorb_among(std::size_t at);
  /// "the three tasks of phase 2" is the phase, if it has three.
  void absorb_number(std::size_t first, std::size_t size);
  /// "everything in phase 2", "all of phase 2" is the phase.
  void absorb_all(std::size_t first);
  /// "Phase 1: Setup": the title behind the number belongs to it.
  void absorb_words(std::size_t from, std::string_view title);

  // bounded_tokens.cpp
  /// "all subtasks of T1", "T1's subtasks", "T1 and all its subtasks": the tasks that are nested below it.
  void name_children(std::size_t i);
  /// The id that the words for subtasks are about; `first` and `end` are what says so, `with`: itself, too.
  std::size_t parent_of(std::size_t i, std::size_t behind, std::size_t& first, std::size_t& end,
                        bool& with) const;
  /// "all tasks up to T4" is what the plan has from its first task to T4; "everything is done up to T4"
  /// leaves out what is behind it.
  void name_bound(std::size_t i);
  bool one_id(std::size_t i) const;
  /// "except those after T4", "except T5 onwards": makes the id mean all of these tasks.
  void name_end_left_out(std::size_t except);

  // task_set_tokens.cpp
  /// "all (of) (the) (6) tasks (in phase 1 | of the plan)", "the whole plan".
  void name_all(std::size_t i);
  /// "All boxes (of the plan) are ticked"
  bool name_boxes(std::size_t i);
  /// "Completed two tasks.": so many, which are named elsewhere.
  bool name_some(std::size_t i);
  /// "10/10 tasks complete" of a plan that has ten.
  bool name_share(std::size_t i);
  /// "The plan is fully complete". Without such a word it may be the plan itself that has been written.
  bool name_plan(std::size_t i);
  /// A number of tasks without ids that say which.
  void name_number(std::size_t i, std::size_t end, std::size_t number);
  /// "both phases", "all three phases" of a plan that has so many.
  bool name_phases(std::size_t i);
  /// "the three phases" likewise. Without the article they may be any three.
  bool name_counted_phases(std::size_t i);
  /// Skips the words between "all tasks" and what they are part of, in any language.
  std::size_t behind_of(std::size_t at) const;
  /// "everything is done except T3": the exception says what the rest is.
  bool is_rest(std::size_t i) const;
  /// The same where the exception follows: "everything is done. T3 is left".
  bool left_behind(std::size_t first, std::size_t behind) const;
  /// "フェーズ1のタスクはすべて", "1단계의 모든 작업": of the phase before them; the phase says it all.
  bool part_of_phase(std::size_t i, std::size_t end);
  void name_set(std::size_t i, std::size_t end, const TaskSet& tasks, bool every);
  /// "Task complete", "The task is done" of an agent that has one.
  bool name_task(std::size_t i);
  /// "Everything you asked for is done."
  bool name_asked(std::size_t i);
  /// "I've completed the task."
  bool name_own_object(std::size_t i);
  bool ends_clause(std::size_t i) const;
  /// "割り当てられたタスクはすべて", "할당된 작업을 모두": all of them behind the noun.
  bool name_all_behind(std::size_t i);

  // title_tokens.cpp
  Match longest_title(std::size_t from) const { return core::longest_title(tokens_, names_, from); }
  /// How many tokens beyond this one it took.
  std::size_t name_title(std::size_t i);
  void take_title(std::size_t i, const Match& match, bool loose);
  /// "Added config loader" of the task "Add config loader", as the whole head of an item.
  std::size_t name_done_title(std::size_t i);
  /// "the login form task": a title without its verb.
  std::size_t name_title_tail(std::size_t i);
  /// "T001 Add login", "T001: Add login", "T001 (Add login)": the title says nothing new.
  bool absorb_into_id(std::size_t i, const Match& match);
  bool quoted_or_long(std::size_t i, const Match& match) const;
  /// Before the title, over its article: "the checkout page".
  std::size_t title_head(std::size_t i) const;
  /// "I finished the checkout page.", "Completed the audit log": a title of several words is the object.
  bool title_object(std::size_t i, std::size_t end) const;
  /// "Marked auth as complete", "set the audit log to done": the object of such a verb.
  bool status_set(std::size_t i, std::size_t end) const;
  /// "The login page is finished", "... and so is the password reset": a title is the subject of what is said
  /// to be done.
  bool title_subject(std::size_t i, std::size_t end) const;
  /// "The schema is set up and the login page is done": what goes before "and" is a clause with a verb.
  bool behind_clause(std::size_t first) const;
  /// "Carrello: completato", "Carrinho finalizado.": nothing but that it is done.
  bool status_behind(std::size_t i, std::size_t end) const;
  /// Other titles follow in a list: ", auth login and API tests".
  bool in_titles(std::size_t end) const;
  /// "is (now) done", "and the session store are both complete".
  bool said_done(std::size_t at) const;
  /// "All done: add the form, write the tests": a title of a list, as a whole.
  bool listed_title(std::size_t i, std::size_t end) const;

  std::vector<Token>& tokens_;
  const TaskNames& names_;
  std::size_t title_end_ = 0;  // behind the last that was found
};

}  // namespace plankeep::core
