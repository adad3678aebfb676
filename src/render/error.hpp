#pragma once
// Errors and warnings on standard error (spec 9), and as JSON.

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// "plankeep: error: <context>: <message>\n" and, when there is one, "hint: <hint>\n". Further lines of a
/// message are indented by two spaces; whatever came from outside is made safe to print.
std::string error_text(const base::Error& error, const Style& style);

/// "plankeep: warning: <text>\n"
std::string warning_text(std::string_view warning, const Style& style);

/// { "error": { kind, message, context?, hint?, exit } } on one line: it fits behind lines of JSON as well.
/// `exit` is the program's exit status.
std::string error_json(const base::Error& error, int exit);
/// Its "error", for an object that has more to say.
void write_error(base::JsonWriter& out, const base::Error& error, int exit);

}  // namespace plankeep::render
