#include "git/attribute_line.hpp"

#include "base/text.hpp"

namespace plankeep::core {
namespace {

struct Found {
  std::size_t begin = std::string_view::npos;
  std::size_t end = 0;  // behind its line end
};

Found find(std::string_view text, std::string_view line) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t newline = text.find('\n', at);
    const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
    if (base::trimmed(text.substr(at, (newline == std::string_view::npos ? end : newline) - at)) == line)
      return {at, end};
    at = end;
  }
  return {};
}

}  // namespace

bool has_attribute_line(std::string_view text, std::string_view line) {
  return find(text, line).begin != std::string_view::npos;
}

std::string with_attribute_line(std::string_view text, std::string_view line, bool file_there) {
  std::string result(text);
  if (has_attribute_line(text, line)) return result;
  if (text.empty() && file_there) return result.append(line);
  const std::string end = text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
  if (text.empty() || text.back() == '\n') return result.append(line) + end;
  return result + end + std::string(line);
}

std::string without_attribute_line(std::string_view text, std::string_view line) {
  std::string result(text);
  for (Found found = find(result, line); found.begin != std::string_view::npos; found = find(result, line)) {
    // Last and without a newline: with_attribute_line put the one above it in.
    const bool open = result[found.end - 1] != '\n';
    if (open && found.begin > 0) --found.begin;
    if (open && found.begin > 0 && result[found.begin - 1] == '\r') --found.begin;
    result.erase(found.begin, found.end - found.begin);
  }
  return result;
}

}  // namespace plankeep::core
