#include "git_objects/commit_object.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace plankeep::git {
namespace {

// git's ident.c: these around a name or an address are no part of it.
bool is_crud(char c) {
  return static_cast<unsigned char>(c) <= ' ' ||
         std::string_view(".,:;<>\"\\'").find(c) != std::string_view::npos;
}

std::string ident_part(std::string_view text) {
  while (!text.empty() && is_crud(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_crud(text.back())) text.remove_suffix(1);
  std::string part;
  for (const char c : text)
    if (c != '\0' && c != '\n' && c != '<' && c != '>') part += c;
  return part;
}

std::string zone_text(int minutes) {
  const int bounded = std::clamp(minutes, -1439, 1439);
  const int size = std::abs(bounded);
  std::array<char, 16> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%c%02d%02d", bounded < 0 ? '-' : '+', size / 60, size % 60);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// "Kim <kim@example.org> 1700000000 +0000"
std::int64_t seconds_of(std::string_view signature) {
  signature = signature.substr(0, signature.rfind(' '));
  signature = signature.substr(signature.rfind(' ') + 1);  // npos + 1 is 0
  std::int64_t seconds = 0;
  const auto read = std::from_chars(signature.data(), signature.data() + signature.size(), seconds);
  return read.ec == std::errc() ? seconds : 0;
}

}  // namespace

std::string signature_text(const Signature& signature) {
  std::string name = ident_part(signature.name);
  if (name.empty()) name = "Unknown";
  return name + " <" + ident_part(signature.email) + "> " +
         std::to_string(std::max<std::int64_t>(signature.seconds, 0)) + ' ' +
         zone_text(signature.zone_minutes);
}

std::string commit_bytes(const CommitObject& commit) {
  std::string bytes = "tree " + commit.tree + '\n';
  for (const std::string& parent : commit.parents) bytes += "parent " + parent + '\n';
  bytes += "author " + signature_text(commit.author) + '\n';
  bytes += "committer " + signature_text(commit.committer) + "\n\n";
  std::copy_if(commit.message.begin(), commit.message.end(), std::back_inserter(bytes),
               [](char c) { return c != '\0'; });
  return bytes;
}

CommitHeader commit_header(std::string_view bytes) {
  CommitHeader header;
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    if (line.empty()) break;
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view key = line.substr(0, space);
    const std::string_view value = line.substr(std::min(space + 1, line.size()));
    if (key == "tree") header.tree = value;
    if (key == "parent") header.parents.emplace_back(value);
    if (key == "committer") header.committed = seconds_of(value);
  }
  return header;
}

std::string moved_commit(std::string_view bytes, const std::string& tree, const std::string& parent) {
  std::string made = "tree " + tree + "\nparent " + parent + "\n";
  bool passed_over = false;
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    if (line.empty()) break;
    // A line that begins with a space goes on with the header before it.
    if (!line.starts_with(' ')) {
      passed_over = line.starts_with("tree ") || line.starts_with("parent ") || line.starts_with("gpgsig") ||
                    line.starts_with("mergetag ");
    }
    if (!passed_over) made.append(line).append("\n");
  }
  return made.append("\n").append(bytes);
}

}  // namespace plankeep::git
