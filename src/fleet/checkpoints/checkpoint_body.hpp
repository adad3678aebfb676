#pragma once
// A checkpoint as the server's table has it: one jsonb value, or a JSON string of the record's text where
// jsonb cannot hold it (a NUL). Pure.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::fleet {

/// `json`: the record as core::write_checkpoint leaves it, redacted.
std::string checkpoint_body(std::string json);
/// The record as it is, without redaction.
std::string checkpoint_body(const core::Checkpoint& checkpoint);

/// The record's JSON out of either form; what is neither comes back as it is.
std::string checkpoint_record(std::string body);
/// The record itself; corrupt where it is no checkpoint.
[[nodiscard]] base::Result<core::Checkpoint> checkpoint_in(std::string body);

/// As the server's columns hold a text: well-formed UTF-8, without a NUL.
std::string column_text(std::string_view text);

}  // namespace plankeep::fleet
