// settings_files/server_entry on any file: refused with a reason, or changed so that adding again changes
// nothing and removing gives the bytes from before.

#include <string>
#include <string_view>

#include "fuzz/law.hpp"
#include "settings_files/server_entry.hpp"

namespace {

using namespace plankeep;
using fuzz::law;

void try_client(const clients::ServerFormat& format, const std::string& text) {
  const bool before = clients::has_our_server(format, text);
  const auto added = clients::add_server(format, text, "/opt/plankeep");
  if (!added) {
    law(!added.error().message.empty(), "a file is refused with a reason");
    law(added.error().kind == base::ErrorKind::invalid_input,
        "a change never touches more than our own entry");
    return;
  }
  law(clients::has_our_server(format, added->text), "what was added is found");
  const auto again = clients::add_server(format, added->text, "/opt/plankeep");
  law(again && again->text == added->text, "adding twice changes nothing");
  if (before) return;
  const auto removed = clients::remove_server(format, added->text, text);
  law(removed && removed->text == text, "removing gives the bytes from before");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const clients::ServerFormat& format : clients::server_formats()) try_client(format, text);
  return 0;
}
