#pragma once
// Whether two texts of a plan differ in more than which boxes are ticked.
//
// Earlier texts are kept so that an edit that loses something can be undone (store/plan_texts). The ticks of
// an earlier moment are in the history, so a tick alone needs no new copy: it costs the hot path nothing but
// this number.

#include <string>
#include <string_view>

#include "model/plan.hpp"

namespace plankeep::core {

/// 16 hexadecimal digits of a checksum of the text without the characters in its boxes. No digest: whoever
/// builds two texts of one shape on purpose only keeps his own text from being copied. `plan` is what `text`
/// was read as.
std::string structure_hash(std::string_view text, const Plan& plan);

}  // namespace plankeep::core
