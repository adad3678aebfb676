#pragma once
// A row of the list of session checkpoints as one line of JSON, for the cache. Keys are ours and may change:
// what cannot be read is read anew from git.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/session_row.hpp"

namespace plankeep::core {

std::string encode_session_row(const SessionRow& row);
[[nodiscard]] base::Result<SessionRow> decode_session_row(std::string_view text);

}  // namespace plankeep::core
