#include "settings_files/plugin_file.hpp"

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "settings_files/plugin_template.hpp"

namespace plankeep::clients {
namespace {

// The one line that differs between installations. In the ready file it names the program on PATH.
constexpr std::string_view kLineStart = "const PROGRAM = ";
constexpr std::string_view kReadyLiteral = "'plankeep'";
constexpr std::string_view kChecksumStart = "// checksum ";

struct Line {
  std::size_t begin = std::string_view::npos;  // of what stands behind the "="
  std::size_t end = std::string_view::npos;    // the semicolon behind the string literal
};

Line program_line(std::string_view text) {
  std::size_t at = text.find(kLineStart);
  while (at != std::string_view::npos && at > 0 && text[at - 1] != '\n') at = text.find(kLineStart, at + 1);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + kLineStart.size();
  const std::size_t line_end = text.find('\n', begin);
  const std::size_t end = text.substr(0, line_end).rfind(';');
  if (end == std::string_view::npos || end < begin) return {};
  return {begin, end};
}

// The ready file has single quotes; what we write in their place is a JSON string, which is JavaScript too.
std::string literal_of(std::string_view program) {
  if (program.find_first_of("'\\") == std::string_view::npos && base::printable(program) == program)
    return "'" + std::string(program) + "'";
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.value(program);
  std::string literal = out.finish();
  while (!literal.empty() && literal.back() == '\n') literal.pop_back();
  return literal;
}

}  // namespace

std::string plugin_text(std::string_view program) {
  std::string text(kPluginTemplate);
  const Line line = program_line(text);
  if (line.begin == std::string_view::npos) return {};
  text.replace(line.begin, line.end - line.begin, literal_of(program));
  return text;
}

bool is_our_plugin(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.substr(0, 2) == "//" && first.find("plankeep") != std::string_view::npos;
}

bool is_unchanged_plugin(std::string_view text) {
  std::string ready(text);
  const Line line = program_line(ready);
  if (line.begin == std::string::npos) return false;
  ready.replace(line.begin, line.end - line.begin, kReadyLiteral);
  const std::size_t at = ready.rfind("\n" + std::string(kChecksumStart)) + 1;
  if (at == 0) return false;
  const std::string body = ready.substr(0, at);
  return ready == body + std::string(kChecksumStart) + base::short_checksum(body) + "\n";
}

std::string program_of_plugin(std::string_view text) {
  const Line line = program_line(text);
  std::string program;
  if (line.begin == std::string_view::npos) return program;
  const std::string_view literal = text.substr(line.begin, line.end - line.begin);
  if (literal.size() >= 2 && literal.front() == '\'' && literal.back() == '\'')
    return std::string(literal.substr(1, literal.size() - 2));
  base::JsonReader in(literal);
  if (!in.string(program)) program.clear();
  return program;
}

}  // namespace plankeep::clients
