#pragma once
// Command lines as they stand in settings files: clients hand them to /bin/sh.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::clients {

/// One word for /bin/sh that means exactly `text`: as it is where nothing in it is special, else in single
/// quotes.
std::string shell_quoted(std::string_view text);

/// The words of the first simple command, quotes and backslashes taken away; what the shell would put in the
/// place of `$NAME` or `` `...` `` is left as it stands. Ends at the first operator (`;`, `|`, `&`, `>`, a
/// line end). Empty when a quote is not closed.
std::vector<std::string> shell_words(std::string_view command);

}  // namespace plankeep::clients
