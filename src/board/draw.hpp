#pragma once
// The board as rows of the screen. Pure; costs what is on the screen, not what the plan holds.

#include <cstddef>
#include <optional>
#include <string_view>

#include "board/board.hpp"
#include "board/frame.hpp"

namespace plankeep::board {

/// Exactly size().rows rows, each exactly size().columns wide; none when either is 0.
Frame draw(const Board& board);

/// Which tab's name lies at this column of the first row, on a screen of so many columns.
std::optional<Tab> tab_at(std::size_t column, std::size_t columns);

/// What `?` shows: a key and what it does, a line each.
std::string_view help_text();

}  // namespace plankeep::board
