#pragma once
// Why a line, a file or a task is as it is (reports/session_why), for people and for programs.
//
// JSON: { kind: "why", about, path?, line?, text?, task?, commits[] { sha?, link, sessions[] { prompts[] } },
// commits_count, warnings[] }: schemas/output-session.schema.json.

#include <string>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "reports/session_why.hpp"

namespace plankeep::render {

/// The prompt comes first where it is known.
std::string why_text(const app::WhyReport& report, base::Instant now, const Style& style);
std::string why_json(const app::WhyReport& report);

}  // namespace plankeep::render
