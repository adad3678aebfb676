// markdown/parse_plan on any bytes: never throws, the same bytes give the same plan, every position lies
// inside the file.

#include <string_view>

#include "fuzz/law.hpp"
#include "fuzz/plan_laws.hpp"
#include "markdown/parse_plan.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto plan = markdown::parse_plan(bytes);
  if (!plan) {
    fuzz::law(plan.error().kind == base::ErrorKind::invalid_input && !plan.error().message.empty(),
              "a plan is read or refused with a reason");
    return 0;
  }
  fuzz::plan_laws(bytes, *plan);
  const auto again = markdown::parse_plan(bytes);
  fuzz::law(again && *again == *plan, "the same bytes give the same plan");
  return 0;
}
