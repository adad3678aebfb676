#include "git_objects/commit_object.hpp"

#include <algorithm>
#include <array>
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

}  // namespace plankeep::git
