#pragma once
// How much was redacted, in words and as JSON: counts by rule, never a value.

#include <string>

#include "base/json_writer.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::render {

/// "redacted: github-token 2, pictures 1"; empty: nothing was.
std::string redacted_words(const secrets::RedactionReport& report);
/// The key "redacted" with its object.
void write_redacted(base::JsonWriter& out, const secrets::RedactionReport& report);

}  // namespace plankeep::render
