// tracking/cache/packed_records and packed_table on any bytes: refused, or a plan and a state, or a table,
// that are packed and unpacked as they are.

#include <string_view>

#include "fuzz/law.hpp"
#include "tracking/cache/packed_records.hpp"
#include "tracking/cache/packed_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto table = app::unpack_table(std::string(bytes))) {
    const std::string packed = app::pack_table(table->table, table->state);
    const auto again = app::unpack_table(packed);
    law(again.has_value(), "packed tables can be unpacked");
    law(app::pack_table(again->table, again->state) == packed, "unpack(pack(table)) is the table");
  }
  const auto records = app::unpack(bytes);
  if (!records) {
    law(!records.error().message.empty(), "records are refused with a reason");
    return 0;
  }
  const auto again = app::unpack(app::pack(records->plan, records->state));
  law(again.has_value(), "packed records can be unpacked");
  law(*again == *records, "unpack(pack(records)) is the records");
  return 0;
}
