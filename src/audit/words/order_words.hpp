#pragma once
// Verbs of instructions in a prompt: those that ask for work, and those that only ask for a look.

#include <string_view>

namespace plankeep::core {

// Words are in lower case. `next`: the word that follows; empty: none.

/// The verb of an instruction that changes nothing: "review T2", "list the files of T2", "look at T2". Not
/// "check off T2", which ticks it.
bool orders_look(std::string_view word, std::string_view next);
/// The verb of an instruction to make or finish something.
bool orders_work(std::string_view word);

}  // namespace plankeep::core
