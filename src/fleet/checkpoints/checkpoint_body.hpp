#pragma once
// A checkpoint as the server's `body` column stores it: as a jsonb object or, if jsonb cannot represent it
// (because it contains a NUL), as a JSON string with the record's text. Pure.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::fleet {

/// `json`: a record as core::write_checkpoint writes it, already redacted.
std::string checkpoint_body(std::string json);
/// Does not redact.
std::string checkpoint_body(const core::Checkpoint& checkpoint);

/// The record's JSON from a body in either form. A body in neither form is returned unchanged.
std::string checkpoint_record(std::string body);
/// The record. corrupt: it is not a checkpoint.
[[nodiscard]] base::Result<core::Checkpoint> checkpoint_in(std::string body);

/// The text as a column of type text can store it: ill-formed UTF-8 and NUL become U+FFFD.
std::string column_text(std::string_view text);

}  // namespace plankeep::fleet
