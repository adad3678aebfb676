#pragma once
// What `session clean` took away, or would.
//
// JSON: { kind: "clean", dry_run, items[] { kind, name, ref?, commit?, time?, kept?, removed },
// bundle?, warnings[] }: schemas/output-session.schema.json.

#include <string>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "sessions/clean_sessions.hpp"

namespace plankeep::render {

/// What goes first, then what stays and why.
std::string cleaned_text(const app::SessionClean& clean, base::Instant now, const Style& style);
std::string cleaned_json(const app::SessionClean& clean);

}  // namespace plankeep::render
