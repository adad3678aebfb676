#pragma once
// Words by which a later message takes back what an earlier one claimed (audit/retractions). They are not in
// the tables of assertion_words: there "not" stands with "will", "could" and "please" in one class (kNot),
// which a claim that is only repeated must not be measured by.

#include <string_view>

namespace plankeep::core {

// Of one word in lower case.

/// "not", "couldn't", "never", "nicht".
bool is_negation(std::string_view word);
/// "false", "a lie", "premature": said of what was said.
bool is_untruth(std::string_view word);
/// "true", "correct": untrue behind a negation.
bool is_truth(std::string_view word);
/// "wrong", "mistake", "sorry".
bool is_admission(std::string_view word);
/// Words that say of a task that nothing became of it: "same as before", "unchanged", "ditto". All that is
/// said of it, in lower case, with one space between words.
bool says_unchanged(std::string_view words);
/// A word of work that is not done yet: "will", "should", "placeholder".
bool is_outlook(std::string_view word);

}  // namespace plankeep::core
