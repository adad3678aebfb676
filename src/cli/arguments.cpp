#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.hpp"

namespace plankeep::cli {

struct Arguments::Parser {
  explicit Parser(std::string description, const std::string& name) : app(std::move(description), name) {}
  CLI::App app;
};

namespace {

// The library's help with air where the eye wants it.
std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  const std::size_t usage = text.find("\nUsage:");
  if (usage != std::string::npos) text.insert(usage, "\n");
  while (text.size() > 1 && text[text.size() - 2] == '\n') text.pop_back();
  return text;
}

}  // namespace

Arguments::Arguments(Program& program, std::string_view name, std::string_view description)
    : program_(program),
      name_(name),
      parser_(std::make_unique<Parser>(std::string(description), "plankeep " + std::string(name))) {
  parser_->app.set_help_flag("-h,--help", "Print this help");
  parser_->app.get_formatter()->column_width(28);
  parser_->app.get_formatter()->label("OPTIONS", "OPTIONS");
  parser_->app.option_defaults()->always_capture_default(false);
}

Arguments::~Arguments() = default;

void Arguments::positional(const std::string& placeholder, std::string& value, const std::string& help,
                           Need need) {
  parser_->app.add_option(placeholder, value, help)->type_name("")->required(need == Need::required);
}

void Arguments::positionals(const std::string& placeholder, std::vector<std::string>& values,
                            const std::string& help, Need need) {
  parser_->app.add_option(placeholder, values, help)->type_name("")->required(need == Need::required);
}

void Arguments::option(const std::string& names, std::string& value, const std::string& placeholder,
                       const std::string& help) {
  parser_->app.add_option(names, value, help)->type_name(placeholder);
}

void Arguments::option(const std::string& names, std::optional<std::string>& value,
                       const std::string& placeholder, const std::string& help) {
  parser_->app.add_option(names, value, help)->type_name(placeholder);
}

void Arguments::number(const std::string& names, std::size_t& value, const std::string& placeholder,
                       const std::string& help) {
  // Read as text first: the library would take "-3" for a huge number.
  parser_->app
      .add_option_function<std::string>(
          names,
          [&value, names](const std::string& text) {
            constexpr std::size_t kDigits = 12;
            const bool digits = !text.empty() && text.size() <= kDigits &&
                                text.find_first_not_of("0123456789") == std::string::npos;
            if (!digits) throw CLI::ValidationError(names, "\"" + text + "\" is not a whole number");
            value = std::stoull(text);
          },
          help)
      ->type_name(placeholder);
}

void Arguments::flag(const std::string& names, bool& value, const std::string& help) {
  parser_->app.add_flag(names, value, help);
}

void Arguments::choice(const std::string& names, std::string& value, const std::vector<std::string>& choices,
                       const std::string& help) {
  const std::string placeholder = base::joined(choices, "|");
  const std::string listed = base::joined(choices);
  const bool positional = names.front() != '-';
  parser_->app
      .add_option_function<std::string>(
          names,
          [&value, names, choices, listed](const std::string& text) {
            if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
              throw CLI::ValidationError(names, "must be one of " + listed + ", not \"" + text + "\"");
            }
            value = text;
          },
          help)
      ->type_name(placeholder)
      ->required(positional);
}

void Arguments::plan(std::optional<std::string>& value) {
  option("--plan", value, "PATH", "The plan: a file, or the folder that contains it");
}

void Arguments::json(bool& value) {
  flag("--json", value, "Print JSON");
}

void Arguments::actor(std::string& value) {
  option("--by", value, "ACTOR", "Who did it: main (default), subagent:TYPE, team:ID");
}

std::optional<ExitCode> Arguments::parse(const std::vector<std::string>& words) {
  CLI::App& app = parser_->app;
  if (program_.option_names != nullptr) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) program_.option_names->push_back("--" + name);
    }
    return ExitCode::fine;
  }
  try {
    // The library takes the words off the end.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return program_.print(help_text(app));
  } catch (const CLI::ParseError& mistake) {
    return program_.fail({base::ErrorKind::invalid_input, mistake.what(), {}, "plankeep help " + name_},
                         About::request);
  }
}

}  // namespace plankeep::cli
