#include "model/actor.hpp"

#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kLongestName = 64;  // characters

bool is_name(std::string_view name, bool spaces) {
  if (name.empty() || name.front() == ' ' || name.back() == ' ' || base::printable(name) != name)
    return false;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < name.size(); ++characters) {
    if (name[at] == ' ' && !spaces) return false;
    at += base::decode_at(name, at).length;
  }
  return characters <= kLongestName;
}

}  // namespace

bool is_actor(std::string_view text) {
  if (text == "main" || text == "external" || text == "person") return true;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view kind = text.substr(0, colon);
  return (kind == "person" || kind == "subagent" || kind == "team") &&
         is_name(text.substr(colon + 1), kind == "person");
}

}  // namespace plankeep::core
