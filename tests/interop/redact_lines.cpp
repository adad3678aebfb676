// redact_lines: reads JSON strings from standard input, one a line, and prints for each how many secrets were
// found in it and what it became, as a JSON array.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "secrets/redactor.hpp"

int main() {
  const plankeep::secrets::Redactor& redactor = plankeep::secrets::Redactor::standard();
  for (std::string line; std::getline(std::cin, line);) {
    const auto redacted = redactor.plain(nlohmann::json::parse(line).get<std::string>());
    std::cout << nlohmann::json{redacted.report().total(), redacted.text()}.dump(
                     -1, ' ', true, nlohmann::json::error_handler_t::replace)
              << '\n';
  }
}
