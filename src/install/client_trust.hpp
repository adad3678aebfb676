#pragma once
// Why a client would not run hooks that stand in its settings: switches and trust, as its own files say.
// Reads only; trust is the user's to give, in the client.

#include <string>
#include <vector>

#include "project/client_file.hpp"
#include "project/context.hpp"
#include "settings_files/settings.hpp"

namespace plankeep::app {

struct TrustFinding {
  std::string message;
  std::string remedy;
};

/// Settings files of any level in which "disableAllHooks" is true.
std::vector<std::string> files_that_disable(const Context& context, const clients::SettingsFormat& format,
                                            const std::string& root);

/// What is untrusted, or not known to be trusted; empty when nothing stands in the way.
std::vector<TrustFinding> examine_trust(const Context& context, const clients::SettingsFormat& format,
                                        Scope scope, const std::string& file,
                                        const clients::SettingsSurvey& survey, const std::string& root);

}  // namespace plankeep::app
