#pragma once
// The signs for states, one column wide and told apart without colour. Private to this room.
//
// Chosen among characters that no terminal draws as a two-column emoji.

#include <string>

#include "model/plan.hpp"
#include "render/style.hpp"

namespace plankeep::render {

inline std::string glyph(core::BoxState state, const Style& style) {
  switch (state) {
    case core::BoxState::open:
      return "○";
    case core::BoxState::active:
      return paint(style, Paint::active, "◐");
    case core::BoxState::done:
      return paint(style, Paint::good, "✓");
  }
  return "○";
}

inline std::string glyph(core::PhaseStatus status, const Style& style) {
  switch (status) {
    case core::PhaseStatus::pending:
      return "○";
    case core::PhaseStatus::in_progress:
      return paint(style, Paint::active, "◐");
    case core::PhaseStatus::completed:
      return paint(style, Paint::good, "✓");
  }
  return "○";
}

inline std::string criterion_glyph(bool met, const Style& style) {
  return met ? paint(style, Paint::good, "◆") : std::string("◇");
}

}  // namespace plankeep::render
