#pragma once
// What the words of one unit claim: the patterns around ids, and what takes a claim back.
//
// A word of completion reaches the ids beside it only over words that are known to lie between ("T1 and T2
// are now both done", "finished the tasks T1, T2"); any other word in between breaks the claim, and so do
// words before it ("could not", "once", "please") and behind it ("except", "partially", "by another agent")
// within its clause. Conditions and questions take back their whole sentence.

#include <cstddef>
#include <string>
#include <vector>

#include "audit/message_tokens.hpp"

namespace plankeep::core {

/// What a heading or label says of the list under it.
enum class Section {
  neutral,  // as the one above it
  done,     // "Tasks Completed"
  open,     // "Remaining", "Next steps": nothing under it is claimed
  about,    // "Definition of done", "Findings": only what is said outright
};

Section section_of(const std::vector<Token>& tokens);

/// "Tasks": the one that was assigned, or the head of a list of others.
bool may_head_list(const Token& token);

/// Several ids as one: "T1, T2 and T4-T6".
struct IdList {
  std::size_t first = 0;        // token
  std::size_t end = 0;          // token behind the last
  std::vector<TaskSet> ranges;  // where two ids make a range
  bool empty() const { return first == end; }
};

/// The ids that the tokens lead with, ticks and brackets before them aside; empty when they do not.
IdList leading_ids(const std::vector<Token>& tokens, const TaskNames& names);

/// The list of ids that starts at this token, which is one.
IdList ids_from(const std::vector<Token>& tokens, std::size_t at, std::size_t end, const TaskNames& names);

/// Only ticks and words of completion, and at least one of them: "✅ Done".
bool says_done(const std::vector<Token>& tokens);
/// A cross, or a word that says that something is not done.
bool says_open(const std::vector<Token>& tokens);

/// "tests missing", "tests are still to be written", "no tests yet": from this token on to the end of the
/// clause, something that belongs to what is done is said not to be there.
bool lacks_part(const std::vector<Token>& tokens, std::size_t from);

/// "done: 2 of 5 files", "done: 3, left: 2", "completed: list; missing: cancel": what stands behind the word
/// says that only a part is. `at` is behind it, `end` the end of what it may say.
bool counts_part(const std::vector<Token>& tokens, std::size_t at, std::size_t end);

/// "not done", "could not finish it", "noch nicht fertig": the word at `i` denies that something is done. Not
/// "no longer fails", "nothing left", "did not need a migration".
bool denies_done(const std::vector<Token>& tokens, std::size_t i);

/// Something behind the leading ids says that they are not done after all.
bool taken_back(const std::vector<Token>& tokens, const IdList& lead);

/// The words of a list's item, and no remark on its task: behind the id nothing, the title or most of it, or
/// behind a mark what was made ("T1: form and tests written").
/// `item`: of a list, where also a description behind a mark will do ("T1: form with validation").
bool plain_entry(const std::vector<Token>& tokens, const IdList& lead, const TaskNames& names, bool item);

/// "What changed", "Notes", above a column: not "Owner".
bool heads_description(const std::vector<Token>& tokens);

/// A cell beside these tasks, of a row that lists them: their title, what was made, files; `described`: or
/// anything else that is no remark.
bool cell_of_entry(const std::vector<Token>& cell, const std::vector<Token>& tokens, const IdList& ids,
                   const TaskNames& names, bool described);

/// "T1 tests": a part of the task, and no word of its title.
bool names_part(const std::vector<Token>& tokens, const IdList& list, const TaskNames& names);

/// More than half of the words in [from, end) are words of the title, endings aside.
bool reads_like_title(const std::vector<Token>& tokens, std::size_t from, std::size_t end,
                      const std::vector<std::string>& title);

/// Behind the ids a remark follows, and no word of what was made: "T1: requirements clear".
bool remarks_on_tasks(const std::vector<Token>& tokens, const IdList& list, const TaskNames& names);

/// Some word says that something was made or done.
bool says_made(const std::vector<Token>& tokens);
/// Some word says that something is not done, or is left.
bool denies_made(const std::vector<Token>& tokens);

struct ClauseRules {
  bool only_labels = false;  // fenced: "DONE: T1", nothing looser
  bool lead_verbs = true;    // "T1: Added the form"
};

/// The ids that the unit claims.
std::vector<IdList> asserted_ids(const std::vector<Token>& tokens, const TaskNames& names, ClauseRules rules);

/// Ids alone in brackets at the end: "Add the login form (T004)".
IdList trailing_ids(const std::vector<Token>& tokens, const TaskNames& names);

}  // namespace plankeep::core
