#include "doctor/hooks_health.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "install/client_trust.hpp"
#include "install/install.hpp"
#include "project/client_file.hpp"
#include "project/own_program.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "settings_files/plugin_file.hpp"
#include "settings_files/settings.hpp"
#include "store/capped_log.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using clients::SettingsFormat;
using clients::SettingsLayout;

constexpr std::size_t kCallsLookedAt = 200;

std::string scope_name(Scope scope) {
  return scope == Scope::user ? "user" : "project";
}

std::string install_command(const SettingsFormat& format, Scope scope) {
  return "plankeep install " + std::string(format.client) + (scope == Scope::user ? " --user" : "");
}

// "0.8 ms", "2.4 ms", "130 ms"
std::string milliseconds(std::int64_t microseconds) {
  if (microseconds >= 100'000) return std::to_string((microseconds + 500) / 1000) + " ms";
  const std::int64_t tenths = (microseconds + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

class Hooks {
 public:
  Hooks(const Context& context, const PlanLocation& plan)
      : context_(context), plan_(plan), project_(context, plan.folder) {}

  std::vector<Finding> run() {
    for (const SettingsFormat& format : clients::settings_formats()) {
      const bool project = inspect(format, Scope::project);
      const bool user = inspect(format, Scope::user);
      if (project && user) {
        add(std::string(format.client), Condition::attention,
            "installed twice, in the project and for the user: each event is handled once, but two processes "
            "run",
            "plankeep uninstall " + std::string(format.client) + " --user, or --project");
      }
      if (project) in_project_.push_back(format.client);
      if (project || user) installed_.push_back(&format);
    }
    for (const SettingsFormat* format : installed_) {
      if (std::find(in_project_.begin(), in_project_.end(), format->also_runs) == in_project_.end()) continue;
      const SettingsFormat* run = clients::find_settings_format(format->also_runs);
      add(std::string(format->client), Condition::attention,
          "also runs the hooks of " + std::string(run->project_path) +
              ": each event is handled once, but two processes run",
          std::string(format->also_runs_advice));
    }
    if (findings_.empty())
      add("hooks", Condition::fine, "no hooks are installed for any client (plankeep install CLIENT)");
    if (const auto off = context_.environment.variable("PLANKEEP_DISABLE"); off && *off == "1") {
      add("hooks", Condition::attention, "PLANKEEP_DISABLE=1 is set: hooks do nothing",
          "unset PLANKEEP_DISABLE");
    }
    inspect_times();
    inspect_budget();
    return std::move(findings_);
  }

 private:
  void add(std::string name, Condition condition, std::string message, std::string remedy = {}) {
    findings_.push_back({std::move(name), condition, std::move(message), std::move(remedy)});
  }

  // Whether hooks of ours stand there.
  bool inspect(const SettingsFormat& format, Scope scope) {
    const std::string name = std::string(format.client);
    const auto file = ClientFile::find(context_, format, scope, project_.root());
    if (!file) {
      // No home folder, or a link that leads nowhere good: worth a word only where something is wrong.
      if (file.error().kind != base::ErrorKind::not_found)
        add(name, Condition::attention, file.error().message, file.error().hint);
      return false;
    }
    const auto text = file->read();
    if (!text) {
      add(name, Condition::attention, text.error().message, text.error().hint);
      return false;
    }
    if (!*text) return false;
    if (format.layout == SettingsLayout::plugin) return inspect_plugin(format, scope, *file, **text);
    const auto survey = clients::survey_settings(format, **text);
    if (!survey) {
      add(name, Condition::attention, file->path() + ": " + survey.error().message,
          "fix the file; " + std::string(format.title) + " may ignore all of it");
      return false;
    }
    if (survey->hooks.empty()) return false;
    const bool whole = check_entries(format, scope, *file, **text, *survey);
    const bool called = check_programs(format, scope, *survey);
    const bool runs = check_switches(format, scope, *file, *survey);
    if (whole && called && runs)
      add(name, Condition::fine,
          "installed (" + scope_name(scope) + "): " + shown_path(context_, file->path()));
    return true;
  }

  bool inspect_plugin(const SettingsFormat& format, Scope scope, const ClientFile& file,
                      const std::string& text) {
    if (!clients::is_our_plugin(text)) return false;
    const std::string program = clients::program_of_plugin(text);
    const bool called = check_program(format, scope, program);
    const bool whole = text == clients::plugin_text(program);
    if (!whole) {
      add(std::string(format.client), Condition::attention,
          "the plugin (" + scope_name(scope) + ") is from another version, or was changed",
          install_command(format, scope));
    }
    if (whole && called)
      add(std::string(format.client), Condition::fine,
          "installed (" + scope_name(scope) + "): " + shown_path(context_, file.path()));
    return true;
  }

  // Complete, with whatever program stands there; that is judged apart.
  bool check_entries(const SettingsFormat& format, Scope scope, const ClientFile& file,
                     const std::string& text, const clients::SettingsSurvey& survey) {
    clients::SettingsOptions options;
    options.program = survey.hooks.front().program;
    options.hidden_status_line = hidden_status_line(context_, format, scope, project_.root());
    const auto change = clients::add_hooks(format, text, options);
    if (!change) {
      add(std::string(format.client), Condition::attention, file.path() + ": " + change.error().message);
      return false;
    }
    std::string missing;
    for (const clients::EntryChange& entry : change->entries) {
      if (entry.state != clients::EntryState::present) base::append_listed(missing, entry.event);
    }
    if (missing.empty()) return true;
    add(std::string(format.client), Condition::attention,
        "hooks (" + scope_name(scope) + ") missing or outdated: " + missing, install_command(format, scope));
    return false;
  }

  bool check_programs(const SettingsFormat& format, Scope scope, const clients::SettingsSurvey& survey) {
    std::vector<std::string> programs;
    for (const clients::FoundHook& hook : survey.hooks) programs.push_back(hook.program);
    if (survey.status_line_is_ours) programs.push_back(survey.status_line_program);
    std::sort(programs.begin(), programs.end());
    programs.erase(std::unique(programs.begin(), programs.end()), programs.end());
    bool fine = true;
    for (const std::string& program : programs) fine = check_program(format, scope, program) && fine;
    return fine;
  }

  bool check_program(const SettingsFormat& format, Scope scope, const std::string& program) {
    const std::string name(format.client);
    const ProgramFound found = find_program(context_, program);
    if (!found.path) {
      const bool path = program.find('/') != std::string::npos;
      add(name, Condition::broken,
          "the hooks (" + scope_name(scope) + ") call " + program +
              (path ? ", which does not exist or is not executable" : ", which is not in PATH"),
          install_command(format, scope));
      return false;
    }
    if (found.running) return true;
    add(name, Condition::attention,
        "the hooks (" + scope_name(scope) + ") call " + *found.path + ", not this program (" +
            context_.environment.program() + ")",
        "if this is not intended: " + install_command(format, scope));
    return false;
  }

  bool check_switches(const SettingsFormat& format, Scope scope, const ClientFile& file,
                      const clients::SettingsSurvey& survey) {
    const std::string name(format.client);
    bool runs = true;
    for (const std::string& path : files_that_disable(context_, format, project_.root())) {
      runs = false;
      add(name, Condition::attention, "all hooks are disabled: \"disableAllHooks\" in " + path,
          "remove that line, or set it to false");
    }
    for (TrustFinding& finding :
         examine_trust(context_, format, scope, file.path(), survey, project_.root())) {
      runs = false;
      add(name, Condition::attention, std::move(finding.message), std::move(finding.remedy));
    }
    return runs;
  }

  void inspect_times() {
    const auto folder = context_.files.open_folder(plan_.folder);
    if (!folder) return;
    const auto tracking = store::open_tracking(**folder, plan_.name);
    if (!tracking) return;
    const auto lines = store::read_lines(**tracking, store::kHookLog);
    if (!lines) return add("hook times", Condition::attention, lines.error().message, lines.error().hint);
    struct Call {
      std::int64_t microseconds = 0;
      std::string what;
    };
    std::vector<Call> calls;
    const std::size_t first = lines->size() > kCallsLookedAt ? lines->size() - kCallsLookedAt : 0;
    std::int64_t problems = 0;
    for (std::size_t i = first; i < lines->size(); ++i) {
      // TIME CLIENT EVENT MICROSECONDS OUTCOME
      std::vector<std::string> words;
      const std::string& line = (*lines)[i];
      for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        if (end > at) words.push_back(line.substr(at, end - at));
        at = end + 1;
      }
      if (words.size() < 5) continue;
      Call call;
      const auto [end, error] =
          std::from_chars(words[3].data(), words[3].data() + words[3].size(), call.microseconds);
      if (error != std::errc{} || end != words[3].data() + words[3].size() || call.microseconds < 0) continue;
      call.what = words[1] + " " + words[2];
      if (words[4] == "problem") ++problems;
      calls.push_back(std::move(call));
    }
    if (calls.empty()) return;
    std::sort(calls.begin(), calls.end(),
              [](const Call& a, const Call& b) { return a.microseconds < b.microseconds; });
    const Call& slowest = calls.back();
    add("hook times", Condition::fine,
        std::to_string(calls.size()) + (calls.size() == 1 ? " call" : " most recent calls") + ": median " +
            milliseconds(calls[calls.size() / 2].microseconds) + ", slowest " +
            milliseconds(slowest.microseconds) + " (" + slowest.what + ")");
    if (problems > 0) {
      add("hook times", Condition::attention, std::to_string(problems) + " of them failed",
          "see " + shown_path(context_, plan_.folder + "/.checkpoint/" + std::string(store::kErrorLog)));
    }
  }

  void inspect_redaction(const Settings& settings) {
    if (settings.redaction == RedactionSettings{}) return;
    const auto made = make_redactor(context_, settings);
    if (made) {
      const std::size_t rules = made->finder().custom_rules();
      add("redaction", Condition::fine,
          std::to_string(rules) + (rules == 1 ? " rule of yours" : " rules of yours") + " in force");
    } else {
      add("redaction", Condition::broken, made.error().message + ": texts are kept as REDACTED",
          "fix \"redaction\" in the settings");
    }
  }

  void inspect_budget() {
    const Settings& settings = project_.settings();
    for (const std::string& warning : settings.warnings) add("settings", Condition::attention, warning);
    inspect_redaction(settings);
    // Hooks start the push without waiting for it, so they cannot report this.
    if (settings.fleet_push && !fleet_program(context_)) {
      add("fleet", Condition::attention,
          "fleetPush is on, but " + std::string(kFleetProgram) + " is not installed: nothing is pushed",
          "install the package plankeep-fleet, or take fleetPush out of the settings");
    }
    if (settings.resume_budget <= kDeliveredWhole) return;
    add("resume text", Condition::attention,
        "may be " + std::to_string(settings.resume_budget) +
            " characters long; clients truncate at about 10,000",
        "set resumeBudget to " + std::to_string(kDeliveredWhole) + " or less");
  }

  const Context& context_;
  const PlanLocation& plan_;
  Project project_;
  std::vector<Finding> findings_;
  std::vector<std::string_view> in_project_;      // clients with hooks in the project's settings
  std::vector<const SettingsFormat*> installed_;  // there, or for the user
};

}  // namespace

std::vector<Finding> examine_hooks(const Context& context, const PlanLocation& plan) {
  return Hooks(context, plan).run();
}

}  // namespace plankeep::app
