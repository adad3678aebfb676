#include "session_rules/session_layout.hpp"

#include "base/json_reader.hpp"

namespace plankeep::core {
namespace {

// What stands at checkpoints.primary.type of a settings file; empty: nothing that can be read.
std::string backend_in_settings(std::string_view text) {
  std::string type;
  base::JsonReader in(text);
  const auto member = [&in](std::string_view wanted, const auto& read) -> base::Status {
    if (in.peek() != base::JsonType::object) return in.skip();
    return in.object(
        [&](std::string_view key) -> base::Status { return key == wanted ? read() : in.skip(); });
  };
  const auto read = member("checkpoints", [&] {
    return member("primary", [&] {
      return member("type", [&]() -> base::Status {
        return in.peek() == base::JsonType::string ? in.string(type) : in.skip();
      });
    });
  });
  return read && in.end() ? type : std::string();
}

std::optional<SessionLayout> layout_of_backend(std::string_view type) {
  if (type == "git-refs") return SessionLayout::refs;
  if (type == "git-branch") return SessionLayout::branch;
  return std::nullopt;
}

}  // namespace

SessionLayout choose_layout(const LayoutHints& hints) {
  if (hints.variable) {
    if (const auto layout = layout_of_backend(*hints.variable)) return *layout;
  }
  for (const auto& settings : {hints.local_settings, hints.settings}) {
    if (!settings) continue;
    if (const auto layout = layout_of_backend(backend_in_settings(*settings))) return *layout;
  }
  if (hints.has_refs) return SessionLayout::refs;
  return hints.has_branch ? SessionLayout::branch : SessionLayout::refs;
}

}  // namespace plankeep::core
