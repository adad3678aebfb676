#include "markdown/parse_plan.hpp"

#include <utility>

#include "markdown/assembly/plan_assembler.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/outline_uses.hpp"
#include "markdown/reading_limits.hpp"

namespace plankeep::markdown {

core::Plan plan_of(const SourceText& source, Outline outline) {
  return Assembler(source, std::move(outline)).assemble();
}

base::Result<core::Plan> parse_plan(std::string_view bytes) {
  TRY(check_text(bytes));
  const SourceText source(bytes);
  TRY_ASSIGN(Outline outline, read_outline(source));
  return plan_of(source, std::move(outline));
}

}  // namespace plankeep::markdown
