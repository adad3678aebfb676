#include "install/client_trust.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "project/plan_location.hpp"
#include "settings_files/trust.hpp"

namespace plankeep::app {
namespace {

using clients::SettingsFormat;
using clients::Trust;

constexpr std::uint64_t kLimit = base::kLargestForeignFile;

std::optional<std::string> read(const Context& context, const std::string& path) {
  const auto folder = context.files.open_folder(parent_of(path));
  if (!folder) return std::nullopt;
  auto text = (*folder)->read(last_part(path), kLimit);
  if (text) return std::move(*text);
  // A link: the user's own choice, and this only reads.
  const auto real = context.files.real_path(path);
  if (!real || *real == path) return std::nullopt;
  const auto there = context.files.open_folder(parent_of(*real));
  if (!there) return std::nullopt;
  text = (*there)->read(last_part(*real), kLimit);
  if (!text) return std::nullopt;
  return std::move(*text);
}

// The client's folder in the user's home: what its user settings file would stand in.
std::optional<std::string> user_folder(const Context& context, const SettingsFormat& format) {
  if (!format.user_variable.empty()) {
    const auto moved = context.environment.variable(std::string(format.user_variable));
    if (moved && !moved->empty() && moved->front() == '/')
      return format.variable_folder.empty() ? *moved : *moved + "/" + std::string(format.variable_folder);
  }
  const auto home = context.environment.variable("HOME");
  if (!home || home->empty() || home->front() != '/') return std::nullopt;
  return *home + "/" + std::string(format.home_path.substr(0, format.home_path.find('/')));
}

std::vector<TrustFinding> codex(const Context& context, const SettingsFormat& format, Scope scope,
                                const std::string& file, const clients::SettingsSurvey& survey,
                                const std::string& root) {
  std::vector<TrustFinding> findings;
  const auto folder = user_folder(context, format);
  const auto text = folder ? read(context, *folder + "/config.toml") : std::nullopt;
  const clients::CodexTrust trust = clients::trust_of_codex(text.value_or(""), root);
  if (scope == Scope::project && trust.project != Trust::trusted) {
    findings.push_back({std::string("the project is ") +
                            (trust.project == Trust::untrusted ? "not trusted" : "not known to be trusted") +
                            ": Codex does not run its hooks",
                        "start codex there and trust the folder"});
  }
  std::string untrusted;
  std::size_t count = 0;
  for (const clients::FoundHook& hook : survey.hooks) {
    const std::string key = clients::codex_hook_key(file, hook.event, hook.group, hook.index);
    const auto& known = trust.trusted_hooks;
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    base::append_listed(untrusted, hook.event);
    ++count;
  }
  if (count > 0) {
    findings.push_back({"not trusted by Codex, so silently skipped: " +
                            (count == survey.hooks.size() ? "every hook" : untrusted),
                        "start codex and choose in \"Hooks need review\", or type /hooks"});
  }
  return findings;
}

std::vector<TrustFinding> gemini(const Context& context, const SettingsFormat& format,
                                 const std::string& root) {
  if (context.environment.variable("GEMINI_CLI_TRUST_WORKSPACE") == "true") return {};
  const auto folder = user_folder(context, format);
  const auto moved = context.environment.variable("GEMINI_CLI_TRUSTED_FOLDERS_PATH");
  const std::string path = moved && !moved->empty() ? *moved : folder.value_or("") + "/trustedFolders.json";
  const auto text = read(context, path);
  const Trust trust = clients::trust_of_folder_list(text.value_or("{}"), root);
  if (trust == Trust::trusted) return {};
  return {{std::string("the folder is ") +
               (trust == Trust::untrusted ? "not trusted" : "not known to be trusted") +
               ": Gemini CLI does not load its hooks",
           "start gemini there and trust the folder, or type /permissions"}};
}

std::vector<TrustFinding> copilot(const Context& context, const SettingsFormat& format,
                                  const std::string& root) {
  const auto folder = user_folder(context, format);
  const auto text = folder ? read(context, *folder + "/config.json") : std::nullopt;
  if (clients::trust_of_copilot(text.value_or("{}"), root) == Trust::trusted) return {};
  return {{"the folder is not among Copilot CLI's trusted folders: it does not load its hooks",
           "start copilot there and let it remember the folder"}};
}

}  // namespace

std::vector<std::string> files_that_disable(const Context& context, const SettingsFormat& format,
                                            const std::string& root) {
  if (!format.can_switch_off) return {};
  std::vector<std::string> paths{root + "/" + std::string(format.project_path)};
  if (!format.local_path.empty()) paths.push_back(root + "/" + std::string(format.local_path));
  if (const auto folder = user_folder(context, format)) paths.push_back(*folder + "/settings.json");
  std::vector<std::string> disabling;
  for (const std::string& path : paths) {
    const auto text = read(context, path);
    if (!text) continue;
    const auto survey = clients::survey_settings(format, *text);
    if (survey && survey->disabled) disabling.push_back(shown_path(context, path));
  }
  return disabling;
}

std::vector<TrustFinding> examine_trust(const Context& context, const SettingsFormat& format, Scope scope,
                                        const std::string& file, const clients::SettingsSurvey& survey,
                                        const std::string& root) {
  if (format.trust == clients::TrustRecord::codex_config)
    return codex(context, format, scope, file, survey, root);
  if (scope == Scope::user) return {};
  if (format.trust == clients::TrustRecord::folder_list) return gemini(context, format, root);
  if (format.trust == clients::TrustRecord::copilot_config) return copilot(context, format, root);
  return {};
}

}  // namespace plankeep::app
