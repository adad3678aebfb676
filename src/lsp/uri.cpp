#include "lsp/uri.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::lsp {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

int value_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      plain += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = value_of(text[at + 1]);
    const int low = value_of(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    plain += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return plain;
}

}  // namespace

std::optional<std::string> path_of(std::string_view uri) {
  constexpr std::string_view kScheme = "file:";
  if (base::to_lower(uri.substr(0, kScheme.size())) != kScheme) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    if (uri.starts_with("localhost/")) uri.remove_prefix(std::string_view("localhost").size());
  }
  uri = uri.substr(0, uri.find_first_of("?#"));
  auto path = unescaped(uri);
  if (!path || !path->starts_with("/") || path->find('\0') != std::string::npos) return std::nullopt;
  return path;
}

std::string uri_of(std::string_view path) {
  std::string uri = "file://";
  for (const char c : path) {
    if (base::is_letter(c) || base::is_digit(c) ||
        std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += kDigits[byte >> 4U];
    uri += kDigits[byte & 15U];
  }
  return uri;
}

}  // namespace plankeep::lsp
