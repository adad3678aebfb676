#include "store/paths.hpp"

#include <algorithm>

namespace plankeep::store {

namespace {

constexpr std::string_view kDamagedMark = ".damaged-";
constexpr std::string_view kJsonEnd = ".json";

}  // namespace

std::string recovery_name(int generation) {
  if (generation == 0) return std::string(kRecovery);
  return "recovery." + std::to_string(generation) + ".json";
}

std::string sidecar_name(std::string_view sha) {
  return std::string(sha).append(kJsonEnd);
}

std::string_view sha_in_name(std::string_view name) {
  if (!name.ends_with(kJsonEnd)) return {};
  const std::string_view sha = name.substr(0, name.size() - kJsonEnd.size());
  const bool digits = sha.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return digits && (sha.size() == 40 || sha.size() == 64) ? sha : std::string_view();
}

std::string damaged_name(std::string_view name, std::string_view time) {
  std::string damaged(name);
  damaged.append(kDamagedMark).append(time);
  return damaged;
}

std::string file_time(base::Instant instant) {
  std::string time = base::to_iso8601(instant);
  time.erase(std::remove_if(time.begin(), time.end(), [](char c) { return c == '-' || c == ':'; }),
             time.end());
  return time;
}

bool is_damaged_copy(std::string_view candidate, std::string_view name) {
  return candidate.size() > name.size() + kDamagedMark.size() && candidate.substr(0, name.size()) == name &&
         candidate.substr(name.size(), kDamagedMark.size()) == kDamagedMark;
}

}  // namespace plankeep::store
