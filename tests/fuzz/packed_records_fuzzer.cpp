// tracking/cache/packed_records on any bytes: refused, or a plan and a state that are packed and unpacked as they
// are.

#include <string_view>

#include "fuzz/law.hpp"
#include "tracking/cache/packed_records.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const auto records = app::unpack(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!records) {
    law(!records.error().message.empty(), "records are refused with a reason");
    return 0;
  }
  const auto again = app::unpack(app::pack(records->plan, records->state));
  law(again.has_value(), "packed records can be unpacked");
  law(*again == *records, "unpack(pack(records)) is the records");
  return 0;
}
