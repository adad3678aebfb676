#include "project/settings.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/limits.hpp"
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
      settings_.warnings.push_back(file_ + ": " + done.error().message + ": using defaults");
      if (text.find(kRedaction) != std::string::npos) settings_.redaction.problem = settings_.warnings.back();
      return;
    }
    settings_ = std::move(fresh);
  }

 private:
  Status field(JsonReader& in, std::string_view key, Settings& into) {
    if (key == "audit") return policy(in, key, into.audit, into);
    if (key == "gate") return policy(in, key, into.gate, into);
    if (key == "resumeBudget") {
      std::int64_t value = 0;
      bool good = false;
      TRY(number(in, key, kSmallestBudget, kLargestBudget, value, good, into));
      if (good) into.resume_budget = static_cast<std::size_t>(value);
      return {};
    }
    if (key == "contextWindow") {
      std::int64_t value = 0;
      bool good = false;
      TRY(number(in, key, kSmallestWindow, kLargestWindow, value, good, into));
      if (good) into.context_window = value;
      return {};
    }
    if (key == "contextTrigger") {
      std::int64_t value = 0;
      bool good = false;
      TRY(number(in, key, kLeastContextTrigger, kMostContextTrigger, value, good, into));
      if (good) into.context_trigger = static_cast<int>(value);
      return {};
    }
    if (key == "checkpoints") {
      if (in.peek() != JsonType::boolean) return wrong(in, key, "true or false", into);
      return in.boolean(into.checkpoints);
    }
    if (key == "planNames") return names(in, key, into);
    if (key == "track") return first_sight(in, key, into);
    if (key == "rewindOnEdit") return rewind_on_edit(in, key, into);
    if (key == "snapshots") {
      if (in.peek() != JsonType::boolean) return wrong(in, key, "true or false", into);
      return in.boolean(into.snapshots);
    }
    if (key == "snapshotFileLimit" || key == "snapshotTotalLimit" || key == "snapshotBudget")
      return snapshot_number(in, key, into);
    if (key == "snapshotSecrets") return boolean(in, key, into.snapshot_secrets, into);
    if (key == "sessions") return sessions(in, key, into);
    if (key == "redaction") return redaction(in, key, into);
    if (key == "sessionTranscripts") return session_transcripts(in, key, into);
    if (key == "sessionImages") return session_images(in, key, into);
    if (key == "sessionsPush") return sessions_push(in, key, into);
    if (key == "$schema") return in.skip();
    into.warnings.push_back(file_ + ": unknown setting \"" + std::string(key) + "\"");
    return in.skip();
  }

  Status wrong(JsonReader& in, std::string_view key, std::string_view expected, Settings& into) {
    into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(expected));
    // The secrets of a rule that is not understood must not be let through.
    if (key.starts_with(kRedaction)) into.redaction.problem = into.warnings.back();
    return in.skip();
  }

  Status policy(JsonReader& in, std::string_view key, ClaimPolicy& policy, Settings& into) {
    constexpr std::string_view kExpected = "\"block\", \"warn\" or \"off\"";
    if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
    std::string text;
    TRY(in.string(text));
    if (text == "block") {
      policy = ClaimPolicy::block;
    } else if (text == "warn") {
      policy = ClaimPolicy::warn;
    } else if (text == "off") {
      policy = ClaimPolicy::off;
    } else {
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(kExpected));
    }
    return {};
  }

  Status first_sight(JsonReader& in, std::string_view key, Settings& into) {
    constexpr std::string_view kExpected = "\"known\", \"marked\" or \"off\"";
    if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
    std::string text;
    TRY(in.string(text));
    if (text == "known") {
      into.track = FirstSight::known;
    } else if (text == "marked") {
      into.track = FirstSight::marked;
    } else if (text == "off") {
      into.track = FirstSight::off;
    } else {
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(kExpected));
    }
    return {};
  }

  Status rewind_on_edit(JsonReader& in, std::string_view key, Settings& into) {
    constexpr std::string_view kExpected = "\"off\", \"ask\" or \"auto\"";
    if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
    std::string text;
    TRY(in.string(text));
    if (text == "off") {
      into.rewind_on_edit = RewindOnEdit::off;
    } else if (text == "ask") {
      into.rewind_on_edit = RewindOnEdit::ask;
    } else if (text == "auto") {
      into.rewind_on_edit = RewindOnEdit::automatic;
    } else {
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(kExpected));
    }
    return {};
  }

  Status session_transcripts(JsonReader& in, std::string_view key, Settings& into) {
    constexpr std::string_view kExpected = "\"full\", \"slice\" or \"none\"";
    if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
    std::string text;
    TRY(in.string(text));
    const auto extent = core::transcript_extent(text);
    if (!extent) {
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(kExpected));
    } else {
      // From full to none. The person's file is read first, and a clone does not have more kept than they
      // say.
      into.session_transcripts = is_project() ? std::max(into.session_transcripts, *extent) : *extent;
    }
    return {};
  }

  Status session_images(JsonReader& in, std::string_view key, Settings& into) {
    constexpr std::string_view kExpected = "\"redact\" or \"keep\"";
    if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
    std::string text;
    TRY(in.string(text));
    if (text != "redact" && text != "keep") {
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(kExpected));
    } else if (text == "redact" || !is_project()) {
      into.session_images = text == "keep";
    }
    return {};
  }

  bool is_project() const { return home_.empty(); }

  Status sessions(JsonReader& in, std::string_view key, Settings& into) {
    constexpr std::string_view kExpected = "\"read\", \"write\" or \"off\"";
    if (in.peek() != JsonType::string) return wrong(in, key, kExpected, into);
    std::string text;
    TRY(in.string(text));
    if (text == "read") {
      into.sessions = SessionsSetting::read;
    } else if (text == "write") {
      into.sessions = SessionsSetting::write;
    } else if (text == "off") {
      into.sessions = SessionsSetting::off;
    } else {
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(kExpected));
    }
    return {};
  }

  Status number(JsonReader& in, std::string_view key, std::int64_t least, std::int64_t most,
                std::int64_t& value, bool& good, Settings& into) {
    const std::string expected = "a number from " + std::to_string(least) + " to " + std::to_string(most);
    std::string_view raw;
    TRY(in.raw(raw));
    JsonReader number(raw);
    good = number.integer(value).has_value() && value >= least && value <= most;
    if (!good) into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + expected);
    return {};
  }

  Status snapshot_number(JsonReader& in, std::string_view key, Settings& into) {
    std::int64_t value = 0;
    bool good = false;
    if (key == "snapshotBudget") {
      TRY(number(in, key, kShortestSnapshot, kLongestSnapshot, value, good, into));
      if (good) into.snapshot_budget = std::chrono::milliseconds(value);
    } else if (key == "snapshotFileLimit") {
      TRY(number(in, key, 1, kLargestFile, value, good, into));
      if (good) into.snapshot_file_limit = static_cast<std::uint64_t>(value);
    } else {
      TRY(number(in, key, kMebibyte, kLargestTotal, value, good, into));
      if (good) into.snapshot_total_limit = static_cast<std::uint64_t>(value);
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
    if (home_.empty()) return wrong(in, key, "in your own settings (config.json), not a project's", into);
    if (in.peek() != JsonType::string) return wrong(in, key, "the name of a remote", into);
    std::string name;
    TRY(in.string(name));
    if (!name.empty() && !name.starts_with('-') && base::printable(name) == name)
      into.sessions_push = std::move(name);
    else
      into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be the name of a remote");
    return {};
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
      JsonReader number(raw);
      if (!number.number(rule.entropy) || rule.entropy < 0 || rule.entropy > 8) {
        rule.entropy = 0;  // more is found
        into.warnings.push_back(file_ + ": \"" + name + "\" must be a number from 0 to 8");
      }
      return {};
    }
    if (part == "secretGroup") {
      constexpr std::int64_t kMostGroups = 15;
      std::int64_t value = 0;
      bool good = false;
      TRY(this->number(in, name, 0, kMostGroups, value, good, into));
      if (good) rule.group = static_cast<int>(value);
      return {};
    }
    into.warnings.push_back(file_ + ": unknown setting \"" + name + "\"");
    return in.skip();
  }

  Status redaction_files(JsonReader& in, std::string_view key, Settings& into) {
    std::vector<std::string> names;
    TRY(strings(in, key, names, into));
    for (std::string& name : names) {
      // A cloned repository may not name files elsewhere.
      if (home_.empty() && name.find('/') != std::string::npos) {
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
    settings.warnings.push_back(file + ": " + text.error().message + ": using defaults");
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

}  // namespace plankeep::app
