#include "render/sessions/redaction.hpp"

#include <vector>

#include "base/text.hpp"
#include "render/style.hpp"

namespace plankeep::render {

std::string redacted_words(const secrets::RedactionReport& report) {
  std::vector<std::string> parts;
  for (const auto& [rule, count] : report.findings)
    parts.push_back(safe_line(rule) + " " + std::to_string(count));
  if (report.pictures > 0) parts.push_back("pictures " + std::to_string(report.pictures));
  return parts.empty() ? std::string() : "redacted: " + base::joined(parts);
}

void write_redacted(base::JsonWriter& out, const secrets::RedactionReport& report) {
  out.key("redacted").begin_object();
  out.key("total").value(report.total());
  out.key("rules").begin_object();
  for (const auto& [rule, count] : report.findings) out.key(rule).value(count);
  out.end_object();
  out.key("pictures").value(report.pictures);
  out.end_object();
}

}  // namespace plankeep::render
