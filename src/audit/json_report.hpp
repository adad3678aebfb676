#pragma once
// What a JSON value in a final message says is done: for agents that answer in JSON, or end with it.
//
//   {"task": "T001", "status": "done"}          an object that names a task and its status
//   {"completed": ["T001"], "open": ["T002"]}   a list under a key that says done
//   {"T001": "done", "T002": {"status": "open"}}
//
// Keys are read as their words ("tasksCompleted"). An object that also says that something is left claims
// nothing, and neither does what stands under a key such as "example", "plan" or "next". Whether the value is
// the agent's own word, and not an example, is for the reader to know. For assertion_reader alone.

#include <cstddef>
#include <string_view>

#include "audit/assertion_set.hpp"
#include "audit/message_tokens.hpp"

namespace plankeep::core {

/// `json`: values one behind the other. What is no JSON, or nests too deep, says nothing.
void read_json_report(std::string_view json, std::size_t line, const TaskNames& names,
                      AssertionSet& assertions);

/// "Status:", "## Result", "Here is the report:": heads a value that is the agent's own word.
bool heads_json_report(const std::vector<Token>& tokens);

/// "The endpoint returns", "for example", "a reply like this": what follows is another's word, or none's.
bool shows_json(const std::vector<Token>& tokens);

/// The end of the JSON object, or the list of objects, that the text begins with; 0: it begins with none.
std::size_t json_end(std::string_view text);

}  // namespace plankeep::core
