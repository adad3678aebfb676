#include "project/settings.hpp"

#include <algorithm>

#include "base/enum_names.hpp"
#include "base/json_reader.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

// A file of settings has a few hundred bytes; what is larger is something else.
constexpr std::uint64_t kSettingsLimit = base::kLargestSmallFile;
constexpr std::int64_t kSmallestBudget = 300;
constexpr std::int64_t kLargestBudget = 9900;
constexpr std::int64_t kSmallestWindow = 1000;
constexpr std::int64_t kLargestWindow = 100'000'000;
constexpr std::int64_t kMebibyte = base::kMebibyte;
// A file goes through memory as a whole.
constexpr std::int64_t kLargestFile = 128 * kMebibyte;
constexpr std::int64_t kLargestTotal = kMebibyte << 20;
constexpr std::int64_t kShortestSnapshot = 100;
constexpr std::int64_t kLongestSnapshot = 600'000;

constexpr std::string_view kRedaction = "redaction";

constexpr auto kPolicies = base::enum_names<ClaimPolicy>(
    {{ClaimPolicy::off, "off"}, {ClaimPolicy::warn, "warn"}, {ClaimPolicy::block, "block"}});
constexpr auto kSights = base::enum_names<FirstSight>(
    {{FirstSight::off, "off"}, {FirstSight::marked, "marked"}, {FirstSight::known, "known"}});
constexpr auto kRewinds = base::enum_names<RewindOnEdit>(
    {{RewindOnEdit::off, "off"}, {RewindOnEdit::ask, "ask"}, {RewindOnEdit::automatic, "auto"}});
constexpr auto kSessions = base::enum_names<SessionsSetting>(
    {{SessionsSetting::off, "off"}, {SessionsSetting::read, "read"}, {SessionsSetting::write, "write"}});

class Reader {
 public:
  /// `folder`: that of the file. `home`: the home folder for the person's file; empty for a project's file.
  Reader(std::string file, std::string folder, std::string home, Settings& settings)
      : file_(std::move(file)), folder_(std::move(folder)), home_(std::move(home)), settings_(settings) {}

  void read(const std::string& text) {
    Settings fresh = settings_;
    JsonReader in(text);
    Status done = in.object([&](std::string_view key) -> Status { return field(in, key, fresh); });
    if (done) done = in.end();
    if (!done) {
      settings_.warnings.push_back(file_ + ": " + done.error().message +
                                   "; the whole file is ignored, and defaults are used");
      if (text.find(kRedaction) != std::string::npos) settings_.redaction.problem = settings_.warnings.back();
      return;
    }
    settings_ = std::move(fresh);
  }

 private:
  Status field(JsonReader& in, std::string_view key, Settings& into) {
    if (key == "audit") return choice(in, key, "\"block\", \"warn\" or \"off\"", kPolicies, into.audit, into);
    if (key == "gate") return choice(in, key, "\"block\", \"warn\" or \"off\"", kPolicies, into.gate, into);
    if (key == "resumeBudget")
      return number(in, key, kSmallestBudget, kLargestBudget, into.resume_budget, into);
    if (key == "contextWindow")
      return number(in, key, kSmallestWindow, kLargestWindow, into.context_window, into);
    if (key == "contextTrigger")
      return number(in, key, kLeastContextTrigger, kMostContextTrigger, into.context_trigger, into);
    if (key == "checkpoints") return boolean(in, key, into.checkpoints, into);
    if (key == "planNames") return names(in, key, into);
    if (key == "track") return choice(in, key, "\"known\", \"marked\" or \"off\"", kSights, into.track, into);
    if (key == "rewindOnEdit")
      return choice(in, key, "\"off\", \"ask\" or \"auto\"", kRewinds, into.rewind_on_edit, into);
    if (key == "snapshots") return boolean(in, key, into.snapshots, into);
    if (key == "snapshotFileLimit") return number(in, key, 1, kLargestFile, into.snapshot_file_limit, into);
    if (key == "snapshotTotalLimit")
      return number(in, key, kMebibyte, kLargestTotal, into.snapshot_total_limit, into);
    if (key == "snapshotBudget")
      return number(in, key, kShortestSnapshot, kLongestSnapshot, into.snapshot_budget, into);
    if (key == "snapshotSecrets") return boolean(in, key, into.snapshot_secrets, into);
    if (key == "sessions")
      return choice(in, key, "\"read\", \"write\" or \"off\"", kSessions, into.sessions, into);
    if (key == "redaction") return redaction(in, key, into);
    if (key == "sessionTranscripts") return session_transcripts(in, key, into);
    if (key == "sessionImages") return session_images(in, key, into);
    if (key == "sessionsPush") return sessions_push(in, key, into);
    if (key == "fleet") return fleet(in, key, into);
    if (key == "fleetPush") return fleet_push(in, key, into);
    if (key == "$schema") return in.skip();
    into.warnings.push_back(file_ + ": unknown setting \"" + std::string(key) + "\"");
    return in.skip();
  }

  void refuse(std::string_view key, std::string_view expected, Settings& into) {
    into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(expected));
    // The secrets of a rule that is not understood must not be let through.
    if (key.starts_with(kRedaction)) into.redaction.problem = into.warnings.back();
  }

  Status wrong(JsonReader& in, std::string_view key, std::string_view expected, Settings& into) {
    refuse(key, expected, into);
    return in.skip();
  }

  bool is_project() const { return home_.empty(); }

  // A string; `take` says whether it is one of the expected.
  template <class Take>
  Status word(JsonReader& in, std::string_view key, std::string_view expected, Settings& into, Take take) {
    if (in.peek() != JsonType::string) return wrong(in, key, expected, into);
    std::string text;
    TRY(in.string(text));
    if (!take(text)) refuse(key, expected, into);
    return {};
  }

  template <class Names, class Value>
  Status choice(JsonReader& in, std::string_view key, std::string_view expected, const Names& names,
                Value& value, Settings& into) {
    return word(in, key, expected, into, [&](const std::string& text) {
      const auto named = names.parse(text);
      if (named) value = *named;
      return named.has_value();
    });
  }

  Status session_transcripts(JsonReader& in, std::string_view key, Settings& into) {
    return word(in, key, "\"full\", \"slice\" or \"none\"", into, [&](const std::string& text) {
      const auto extent = core::transcript_extent(text);
      if (!extent) return false;
      // Extents are ordered from full to none. The person's file is read first; a project's may have less
      // kept, never more.
      into.session_transcripts = is_project() ? std::max(into.session_transcripts, *extent) : *extent;
      return true;
    });
  }

  Status session_images(JsonReader& in, std::string_view key, Settings& into) {
    return word(in, key, "\"redact\" or \"keep\"", into, [&](const std::string& text) {
      if (text != "redact" && text != "keep") return false;
      if (text == "redact" || !is_project()) into.session_images = text == "keep";
      return true;
    });
  }

  template <class Value>
  Status number(JsonReader& in, std::string_view key, std::int64_t least, std::int64_t most, Value& value,
                Settings& into) {
    std::string_view raw;
    TRY(in.raw(raw));
    JsonReader reader(raw);
    std::int64_t read = 0;
    if (reader.integer(read).has_value() && read >= least && read <= most) {
      value = Value(read);
    } else {
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be a number from " +
                              std::to_string(least) + " to " + std::to_string(most));
    }
    return {};
  }

  Status names(JsonReader& in, std::string_view key, Settings& into) {
    constexpr std::string_view kExpected = "a list of file names";
    if (in.peek() != JsonType::array) return wrong(in, key, kExpected, into);
    std::vector<std::string> names;
    const std::size_t warnings = into.warnings.size();
    TRY(in.array([&]() -> Status {
      if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
      std::string name;
      TRY(in.string(name));
      if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
        into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" contains an invalid file name");
      names.push_back(std::move(name));
      return {};
    }));
    // One name that cannot be changes nothing, like any other value that cannot be; and is said once.
    if (into.warnings.size() == warnings) {
      into.plan_names = std::move(names);
    } else {
      into.warnings.resize(warnings + 1);
    }
    return {};
  }

  Status boolean(JsonReader& in, std::string_view key, bool& value, Settings& into) {
    if (in.peek() != JsonType::boolean) return wrong(in, key, "true or false", into);
    return in.boolean(value);
  }

  Status sessions_push(JsonReader& in, std::string_view key, Settings& into) {
    if (is_project()) return wrong(in, key, "in your own settings (config.json), not a project's", into);
    return word(in, key, "the name of a remote", into, [&](const std::string& name) {
      if (name.empty() || name.starts_with('-') || base::printable(name) != name) return false;
      into.sessions_push = name;
      return true;
    });
  }

  // Where a history goes is not for a cloned repository to say: it may name an entry of the user's own
  // pg_service.conf and nothing else.
  Status fleet(JsonReader& in, std::string_view key, Settings& into) {
    if (is_project()) {
      constexpr std::string_view kService = "service=";
      return word(in, key, "service=NAME in a project's file", into, [&](const std::string& text) {
        const std::string_view name = std::string_view(text).substr(std::min(kService.size(), text.size()));
        const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
          return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-' || c == '.';
        });
        if (!text.starts_with(kService) || name.empty() || !plain) return false;
        if (!into.fleet) into.fleet = text;
        return true;
      });
    }
    return word(in, key, "a connection string, a URI or service=NAME", into, [&](const std::string& text) {
      if (text.empty() || text.find('\0') != std::string::npos) return false;
      into.fleet = text;
      return true;
    });
  }

  Status fleet_push(JsonReader& in, std::string_view key, Settings& into) {
    if (is_project()) return wrong(in, key, "in your own settings (config.json), not a project's", into);
    return boolean(in, key, into.fleet_push, into);
  }

  Status redaction(JsonReader& in, std::string_view key, Settings& into) {
    if (in.peek() != JsonType::object) return wrong(in, key, "an object", into);
    return in.object([&](std::string_view part) -> Status {
      const std::string name = std::string(key) + "." + std::string(part);
      if (part == "rules") return redaction_rules(in, name, into);
      if (part == "files") return redaction_files(in, name, into);
      if (part == "personal") {
        bool value = false;
        TRY(boolean(in, name, value, into));
        into.redaction.personal = into.redaction.personal || value;
        return {};
      }
      into.warnings.push_back(file_ + ": unknown setting \"" + name + "\"");
      return in.skip();
    });
  }

  // An incomplete rule is kept: it fails to compile later, and then no text is let through.
  Status redaction_rules(JsonReader& in, std::string_view key, Settings& into) {
    if (in.peek() != JsonType::array) return wrong(in, key, "a list of rules", into);
    return in.array([&]() -> Status {
      if (in.peek() != JsonType::object) return wrong(in, key, "a list of rules", into);
      secrets::CustomRule rule;
      TRY(in.object([&](std::string_view part) { return redaction_rule(in, part, rule, into); }));
      into.redaction.rules.push_back(std::move(rule));
      return {};
    });
  }

  Status redaction_rule(JsonReader& in, std::string_view part, secrets::CustomRule& rule, Settings& into) {
    const std::string name = "redaction.rules[]." + std::string(part);
    if (part == "id" || part == "regex" || part == "replace") {
      if (in.peek() != JsonType::string) return wrong(in, name, "a string", into);
      if (part == "id") return in.string(rule.id);
      if (part == "regex") return in.string(rule.pattern);
      TRY(in.string(rule.replacement));
      constexpr std::size_t kLongestReplacement = 100;
      if (rule.replacement.size() > kLongestReplacement ||
          base::printable(rule.replacement) != rule.replacement) {
        rule.replacement.clear();
        into.warnings.push_back(file_ + ": \"" + name +
                                "\" must be at most 100 characters that can be shown");
      }
      return {};
    }
    if (part == "keywords") return strings(in, name, rule.keywords, into);
    if (part == "entropy") {
      std::string_view raw;
      TRY(in.raw(raw));
      JsonReader reader(raw);
      if (!reader.number(rule.entropy) || rule.entropy < 0 || rule.entropy > 8) {
        rule.entropy = 0;  // more is found
        into.warnings.push_back(file_ + ": \"" + name + "\" must be a number from 0 to 8");
      }
      return {};
    }
    if (part == "secretGroup") {
      constexpr std::int64_t kMostGroups = 15;
      return number(in, name, 0, kMostGroups, rule.group, into);
    }
    into.warnings.push_back(file_ + ": unknown setting \"" + name + "\"");
    return in.skip();
  }

  Status redaction_files(JsonReader& in, std::string_view key, Settings& into) {
    std::vector<std::string> names;
    TRY(strings(in, key, names, into));
    for (std::string& name : names) {
      // A cloned repository may not name files elsewhere.
      if (is_project() && name.find('/') != std::string::npos) {
        into.redaction.problem = file_ + ": \"" + std::string(key) + "\" must be names of files beside it";
        into.warnings.push_back(into.redaction.problem);
        continue;
      }
      if (name.starts_with("~/")) name = home_ + name.substr(1);
      into.redaction.files.push_back(name.starts_with('/') ? name : folder_ + "/" + name);
    }
    return {};
  }

  Status strings(JsonReader& in, std::string_view key, std::vector<std::string>& list, Settings& into) {
    constexpr std::string_view kExpected = "a list of strings";
    if (in.peek() != JsonType::array) return wrong(in, key, kExpected, into);
    return in.array([&]() -> Status {
      if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
      return in.string(list.emplace_back());
    });
  }

  std::string file_;
  std::string folder_;
  std::string home_;
  Settings& settings_;
};

void read_file(const Context& context, const std::string& folder, std::string_view name, Settings& settings) {
  auto opened = context.files.open_folder(folder);
  if (!opened) return;
  const auto info = (*opened)->info(name);
  if (!info || info->kind == system::FileKind::missing) return;
  const std::string file = (*opened)->path_of(name);
  const auto text = (*opened)->read(name, kSettingsLimit);
  if (!text) {
    settings.warnings.push_back(file + ": " + text.error().message +
                                "; the whole file is ignored, and defaults are used");
    return;
  }
  const std::string path = (*opened)->path_of("x");
  const std::string home = name == kUserSettings ? context.environment.variable("HOME").value_or("/") : "";
  Reader(file, path.substr(0, path.rfind('/')), home, settings).read(*text);
}

}  // namespace

std::optional<std::string> user_settings_folder(const Context& context) {
  const auto config = context.environment.variable("XDG_CONFIG_HOME");
  if (config && config->starts_with('/')) return *config + "/plankeep";
  const auto home = context.environment.variable("HOME");
  if (home && home->starts_with('/')) return *home + "/.config/plankeep";
  return std::nullopt;
}

Settings read_settings(const Context& context, const std::string& project) {
  Settings settings;
  if (const auto folder = user_settings_folder(context)) read_file(context, *folder, kUserSettings, settings);
  read_file(context, project, kProjectSettings, settings);
  return settings;
}

bool names_plan(const Settings& settings, std::string_view file_name) {
  const std::string name = base::to_lower(file_name);
  return std::any_of(settings.plan_names.begin(), settings.plan_names.end(),
                     [&name](const std::string& one) { return base::to_lower(one) == name; });
}

}  // namespace plankeep::app
