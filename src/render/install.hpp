#pragma once
// `plankeep install` and `uninstall`: what was done, or would be.
//
// JSON: { client, action, scope, path, change, written, complete, program?, entries [ {event, state} ],
// statusLine, copy?, exact?, notes[], diff? }; schemas/output-install.schema.json.

#include <string>

#include "install/install.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// What was asked for. A check is an installation, or with `uninstall` a removal, that writes nothing.
enum class InstallAction { install, uninstall, check };

std::string install_text(const app::InstallReport& report, InstallAction action, bool dry_run,
                         const Style& style);
std::string install_json(const app::InstallReport& report, InstallAction action, bool dry_run);

}  // namespace plankeep::render
