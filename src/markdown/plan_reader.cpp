#include "markdown/plan_reader.hpp"

#include "markdown/outline/outline_parts.hpp"
#include "markdown/outline_uses.hpp"
#include "markdown/reading_limits.hpp"

namespace plankeep::markdown {

PlanReader::PlanReader(std::size_t least_part) : parts_(std::make_unique<OutlineParts>(least_part)) {}
PlanReader::~PlanReader() = default;
PlanReader::PlanReader(PlanReader&&) noexcept = default;
PlanReader& PlanReader::operator=(PlanReader&&) noexcept = default;

base::Result<core::Plan> PlanReader::plan(std::string_view bytes) {
  lookalikes_.clear();
  TRY(check_text(bytes));
  const SourceText source(bytes);
  TRY_ASSIGN(Outline outline, parts_->read(source));
  lookalikes_ = std::move(outline.lookalikes);
  core::sort_diagnostics(lookalikes_);
  return plan_of(source, std::move(outline));
}

base::Result<Places> PlanReader::places(std::string_view bytes) {
  const SourceText source(bytes);
  lookalikes_.clear();
  TRY_ASSIGN(Outline outline, parts_->read(source));
  Places places = places_of(bytes, std::move(outline));
  lookalikes_ = places.lookalikes;
  return places;
}

std::size_t PlanReader::bytes_read() const {
  return parts_->bytes_read();
}

}  // namespace plankeep::markdown
