#pragma once
// What an order in a prompt asks for: to make something, or only to look at it.

#include <string_view>

namespace plankeep::core {

// Of one word in lower case, and the word behind it where that matters (empty: none).

/// An order that changes nothing: "review T2", "list the files of T2", "look at T2". "Check off T2" is none.
bool orders_look(std::string_view word, std::string_view next);
/// An order to make or to finish something.
bool orders_work(std::string_view word);

}  // namespace plankeep::core
