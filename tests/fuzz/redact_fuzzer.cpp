// secrets/redactor on any bytes: what comes out is a fixpoint, and a text in two parts gives what the whole
// gives. Also files of rules, and records of what was redacted.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/law.hpp"
#include "secrets/redacted_prefix.hpp"
#include "secrets/redactor.hpp"
#include "settings_files/rule_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const secrets::Redactor& redactor = secrets::Redactor::standard();

  const std::string once = redactor.plain(text).take();
  law(redactor.plain(once).text() == once, "redacting twice is redacting once");
  const std::string lines = redactor.json_lines(text).take();
  law(redactor.json_lines(lines).text() == lines, "the same for lines");
  const std::size_t middle = text.find('\n', size / 2);
  if (middle != std::string_view::npos) {
    const std::string parts = redactor.json_lines(text.substr(0, middle + 1)).take() +
                              redactor.json_lines(text.substr(middle + 1)).take();
    law(parts == lines, "parts give what the whole gives");
  }
  if (const auto prefix = secrets::read_prefix(text))
    law(secrets::read_prefix(secrets::prefix_text(*prefix)) == prefix, "a record is read as it was written");
  (void)clients::read_rule_file(text);
  return 0;
}
