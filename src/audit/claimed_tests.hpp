#pragma once
// Whether the sentences of a message say that tests pass. For claimed_work alone.

#include <vector>

#include "audit/claimed_work.hpp"
#include "audit/plain_sentences.hpp"

namespace plankeep::core {

TestsClaim tests_claimed_by(const std::vector<PlainSentence>& sentences);

}  // namespace plankeep::core
