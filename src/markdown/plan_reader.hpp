#pragma once
// parse_plan and read_places for a text that is read again after each small change, as in an editor. Keeps
// what it read of parts that have not changed.
//
//   PlanReader reader;
//   const base::Result<core::Plan> plan = reader.plan(text);
//
// Gives the same results as parse_plan(text) and read_places(text), including errors. Remembers the last
// text. These texts are read whole each time: an entirely different one; one with SKIP markers, footnotes,
// "]:" (link definitions), conflicts or ill-formed UTF-8; one without headings after blank lines.

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
  /// The least size of a part in bytes. A smaller one is read together with the next.
  static constexpr std::size_t kLeastPart = std::size_t{8} << 10;

  explicit PlanReader(std::size_t least_part = kLeastPart);
  ~PlanReader();
  PlanReader(PlanReader&&) noexcept;
  PlanReader& operator=(PlanReader&&) noexcept;

  [[nodiscard]] base::Result<core::Plan> plan(std::string_view bytes);
  [[nodiscard]] base::Result<Places> places(std::string_view bytes);

  /// Places::lookalikes of the last text that plan() or places() read.
  const std::vector<core::Diagnostic>& lookalikes() const { return lookalikes_; }

  /// How many bytes the last call passed to cmark-gfm.
  std::size_t bytes_read() const;

 private:
  std::unique_ptr<OutlineParts> parts_;
  std::vector<core::Diagnostic> lookalikes_;
};

}  // namespace plankeep::markdown
