#include "project/settings.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/limits.hpp"
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

class Reader {
 public:
  Reader(std::string file, Settings& settings) : file_(std::move(file)), settings_(settings) {}

  void read(const std::string& text) {
    Settings fresh = settings_;
    JsonReader in(text);
    Status done = in.object([&](std::string_view key) -> Status { return field(in, key, fresh); });
    if (done) done = in.end();
    if (!done) {
      settings_.warnings.push_back(file_ + ": " + done.error().message + ": using defaults");
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
    if (key == "$schema") return in.skip();
    into.warnings.push_back(file_ + ": unknown setting \"" + std::string(key) + "\"");
    return in.skip();
  }

  Status wrong(JsonReader& in, std::string_view key, std::string_view expected, Settings& into) {
    into.warnings.push_back(file_ + ": \"" + std::string(key) + "\" must be " + std::string(expected));
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

  std::string file_;
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
  Reader(file, settings).read(*text);
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
