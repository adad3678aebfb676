// redact FILE: redacts JSON lines as a transcript is, in parts of whole lines, and says how much was found.
#include <cstdio>
#include <fstream>
#include <string>

#include "secrets/redactor.hpp"

int main(int count, char** words) {
  if (count != 2) return 2;
  constexpr std::size_t kPart = std::size_t{8} << 20;
  std::ifstream in(words[1], std::ios::binary);
  std::size_t bytes = 0;
  std::size_t findings = 0;
  for (std::string rest; in || !rest.empty();) {
    const std::size_t before = rest.size();
    rest.resize(before + kPart);
    in.read(rest.data() + before, static_cast<std::streamsize>(kPart));
    rest.resize(before + static_cast<std::size_t>(in.gcount()));
    const std::size_t end = in ? rest.rfind('\n') + 1 : rest.size();
    const auto redacted =
        plankeep::secrets::Redactor::standard().json_lines(std::string_view(rest).substr(0, end));
    bytes += redacted.text().size();
    findings += redacted.report().total();
    rest.erase(0, end);
  }
  std::printf("%zu bytes, %zu findings\n", bytes, findings);
}
