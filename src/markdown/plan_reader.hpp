#pragma once
// parse_plan and read_places for a text that is read again after each small change, as an editor's is. What
// was read of the parts that are still the same is kept.
//
//   PlanReader reader;
//   const base::Result<core::Plan> plan = reader.plan(text);
//
// Always what parse_plan(text) and read_places(text) give, errors too. Remembers the last text; an entirely
// different one is read whole. So is a text whose parts depend on each other: with SKIP markers, footnotes or
// "]:" (link definitions), conflicts, ill-formed UTF-8; and one without headings below blank lines, where
// parts begin.

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "markdown/places.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

class OutlineParts;

class PlanReader {
 public:
  /// Bytes of a part, at least: a smaller one is read with the next.
  static constexpr std::size_t kLeastPart = std::size_t{8} << 10;

  explicit PlanReader(std::size_t least_part = kLeastPart);
  ~PlanReader();
  PlanReader(PlanReader&&) noexcept;
  PlanReader& operator=(PlanReader&&) noexcept;

  [[nodiscard]] base::Result<core::Plan> plan(std::string_view bytes);
  [[nodiscard]] base::Result<Places> places(std::string_view bytes);

  /// Bytes that cmark-gfm was given for the last answer.
  std::size_t bytes_read() const;

 private:
  std::unique_ptr<OutlineParts> parts_;
};

}  // namespace plankeep::markdown
