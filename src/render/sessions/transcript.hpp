#pragma once
// A transcript as text that people read: who said what, and which tools ran. Pure.
//
// Formats belong to the clients and change: a line that is not understood is shown as its type only, never
// guessed at, and counted. Known: lines of Claude Code (and those that write like it) with "type" and
// "message", Codex's response items, and one JSON document with "messages" (Gemini CLI, OpenCode).

#include <cstddef>
#include <string>
#include <string_view>

#include "render/style.hpp"

namespace plankeep::render {

/// `first_line`: lines before it are left out, from 0. Of a document that is one JSON value it counts
/// messages.
std::string transcript_text(std::string_view transcript, std::size_t first_line, const Style& style);

}  // namespace plankeep::render
