#pragma once
// Which tasks a message says are open: "T3 and T4 remain", "T5 is not", "Still open: T3", "only T3 is left".
//
// "All tasks are done" and "phase 1 is complete" do not mean these, wherever they are named. A claim that
// names a task is not taken back by it: what is open in one sentence may be done in the next.
//
// Leans to "open": what is said of a task too much is a claim that is missed, not one that is wrong. Linear
// in the tokens.

#include <vector>

#include "audit/assertion_clauses.hpp"
#include "audit/message_tokens.hpp"

namespace plankeep::core {

/// The lists of ids, phases among them, that one unit says are open.
std::vector<IdList> ids_said_open(const std::vector<Token>& tokens, const TaskNames& names);

}  // namespace plankeep::core
