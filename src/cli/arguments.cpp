#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "model/actor.hpp"

namespace plankeep::cli {

struct Arguments::Parser {
  explicit Parser(std::string description, const std::string& name) : app(std::move(description), name) {}
  CLI::App app;
  Globals behind;      // the global options that stand behind the command
  std::string folder;  // -C
  std::string colour;
  bool no_colour = false;
  bool no_pager = false;
};

namespace {

// Beyond that a line is tiring to read.
constexpr std::size_t kWidestText = 100;
constexpr std::size_t kOptionColumn = 28;
constexpr std::size_t kLeastHelp = 24;
constexpr std::size_t kBelowOption = 6;

// "  -n,--lines N              Maximum number": wrapped behind its column; below the option where the
// terminal is too narrow for two columns.
std::string wrapped_option(const std::string& line, std::size_t columns) {
  const std::size_t text = line.find_first_not_of(' ', kOptionColumn);
  const bool own_line = line.find_first_not_of(' ') >= kOptionColumn;
  const bool two_parts = text == kOptionColumn && (own_line || line[kOptionColumn - 1] == ' ');
  if (!two_parts) return line + "\n";
  const bool below = columns < kOptionColumn + kLeastHelp;
  const std::size_t indent = below ? kBelowOption : kOptionColumn;
  std::string out = line.substr(0, kOptionColumn);
  if (below) out = own_line ? std::string() : out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  bool first = !below;
  for (const std::string& part :
       render::wrap(std::string_view(line).substr(text), columns - indent, line.size())) {
    out += (first ? "" : std::string(indent, ' ')) + part + "\n";
    first = false;
  }
  return out;
}

// The library's own messages may lack the option's name (": 1 required TEXT missing").
std::string mistake_words(const CLI::App& app, const std::vector<std::string>& words,
                          const CLI::ParseError& mistake) {
  const bool of_number_of_values = dynamic_cast<const CLI::ArgumentMismatch*>(&mistake) != nullptr ||
                                   dynamic_cast<const CLI::ConversionError*>(&mistake) != nullptr;
  if (!of_number_of_values) return mistake.what();
  std::set<const CLI::Option*> given;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const CLI::Option* const option = name.starts_with('-') ? app.get_option_no_throw(name) : nullptr;
    if (option == nullptr) continue;
    const bool takes_value = option->get_items_expected_max() > 0;
    const bool has_value = name.size() < words[i].size();
    if (!takes_value && has_value) return name + " takes no value";
    if (!takes_value) continue;
    const bool at_end = i + 1 == words.size();
    if (!has_value && (at_end || app.get_option_no_throw(words[i + 1]) != nullptr))
      return name + " needs a value";
    if (!given.insert(option).second && option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
      return name + " was given twice";
    if (!has_value) ++i;
  }
  return mistake.what();
}

// A paragraph whose lines were broken for the source text, broken for the terminal.
std::string paragraph(std::string& text, std::size_t columns) {
  std::string out;
  if (text.empty()) return out;
  for (const std::string& line : render::wrap(text, columns, text.size() + 1)) out += line + "\n";
  text.clear();
  return out;
}

// The library's help with air where the eye wants it, and no word broken.
std::string help_text(const CLI::App& app, std::size_t columns) {
  columns = std::clamp(columns, render::kNarrowest, kWidestText);
  const std::string text = app.help();
  std::string out;
  std::string open;  // of a paragraph
  bool in_front = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("Usage:")) {
      in_front = false;
      out += paragraph(open, columns) + "\n";
      open = line;
      out += paragraph(open, columns);
    } else if (!in_front) {
      out += wrapped_option(line, columns);
    } else if (line.empty() || line.front() == ' ') {
      out += paragraph(open, columns) + (line.empty() ? "" : line + "\n");
    } else {
      open += (open.empty() ? "" : " ") + line;
    }
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

// Whether the command takes words that nobody chose for being no option: a title, a note, what to look for.
bool takes_text(const CLI::App& app) {
  const std::vector<const CLI::Option*> options = app.get_options();
  return std::any_of(options.begin(), options.end(), [](const CLI::Option* option) {
    const std::string placeholder = option->get_positional() ? option->get_name(true) : std::string();
    return placeholder == "TEXT" || placeholder == "TITLE" || placeholder == "WORD" ||
           placeholder == "TEXT|N";
  });
}

// "plankeep search -- -x". What a shell would read otherwise is only hinted at.
std::string behind_dashes(const std::string& command, const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '=';
  });
  return "plankeep " + command + " -- " + (plain ? word : std::string("\"-...\""));
}

ArgumentSketch sketch_of(const CLI::Option& option) {
  ArgumentSketch sketch;
  for (const std::string& name : option.get_lnames()) sketch.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) sketch.names.push_back("-" + name);
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value) sketch.placeholder = option.get_type_name();
  if (sketch.names.empty()) {
    // An argument's placeholder is its name, unless it is a choice.
    if (sketch.placeholder.find('|') == std::string::npos) sketch.placeholder = option.get_name(true);
    sketch.repeats = option.get_items_expected_max() > 1;
  }
  return sketch;
}

bool has(const CLI::App& app, const std::string& name) {
  return app.get_option_no_throw(name) != nullptr;
}

// The only choice that begins with what was typed, else one that is spelled nearly so; empty: none.
std::string meant_choice(const std::string& text, const std::vector<std::string>& choices) {
  const auto begins = [&text](const std::string& choice) {
    return !text.empty() && choice.starts_with(text);
  };
  if (std::count_if(choices.begin(), choices.end(), begins) == 1)
    return *std::find_if(choices.begin(), choices.end(), begins);
  const std::vector<std::string_view> known(choices.begin(), choices.end());
  return std::string(nearest(text, known));
}

}  // namespace

Arguments::Arguments(Program& program, std::string_view name, std::string_view description)
    : program_(program),
      name_(name),
      parser_(std::make_unique<Parser>(std::string(description), "plankeep " + std::string(name))) {
  parser_->app.set_help_flag("-h,--help", "Print this help");
  parser_->app.get_formatter()->column_width(kOptionColumn);
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

void Arguments::options(const std::string& names, std::vector<std::string>& values,
                        const std::string& placeholder, const std::string& help) {
  parser_->app.add_option(names, values, help)->type_name(placeholder)->allow_extra_args(false);
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
            if (!digits)
              throw CLI::ValidationError(names.substr(names.rfind(',') + 1),
                                         "\"" + text + "\" is not a whole number");
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
              std::string problem = "must be one of " + listed + ", not \"" + text + "\"";
              if (const std::string meant = meant_choice(text, choices); !meant.empty())
                problem += "; did you mean " + meant + "?";
              throw CLI::ValidationError(names, problem);
            }
            value = text;
          },
          help)
      ->type_name(placeholder)
      ->required(positional);
}

void Arguments::plan(std::optional<std::string>& value) {
  value = program_.globals.plan;
  option("--plan", value, "PATH", "The plan: a file, or the folder that contains it");
}

void Arguments::json(bool& value) {
  value = program_.globals.json;
  flag("--json", value, "Print JSON");
}

std::optional<ExitCode> Arguments::settle_format(std::string_view name, std::string& given, bool json,
                                                 std::string_view usual) {
  if (given.empty()) given = json ? "json" : usual;
  if (!json || given == "json") return std::nullopt;
  return program_.fail({base::ErrorKind::invalid_input,
                        "--json and " + std::string(name) + " " + given + " cannot be used together",
                        {},
                        "give one of them"},
                       About::request);
}

void Arguments::actor(std::string& value) {
  parser_->app
      .add_option_function<std::string>(
          "--by",
          [&value](const std::string& text) {
            if (!core::is_actor(text)) {
              throw CLI::ValidationError(
                  "--by", "must be one of " + std::string(core::kActorForms) + ", not \"" + text + "\"");
            }
            value = text;
          },
          "Who did it: " + std::string(core::kActorForms))
      ->type_name("ACTOR");
}

std::optional<ExitCode> Arguments::parse(const std::vector<std::string>& words) {
  CLI::App& app = parser_->app;
  if (program_.sketches != nullptr) {
    for (const CLI::Option* option : app.get_options()) program_.sketches->push_back(sketch_of(*option));
    return ExitCode::fine;
  }
  add_globals();
  const auto mistaken = [&](const CLI::ParseError& mistake) {
    return program_.fail(
        {base::ErrorKind::invalid_input, mistake_words(app, words, mistake), {}, "plankeep help " + name_},
        About::request);
  };
  try {
    // The library takes the words off the end.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return apply_globals();
  } catch (const CLI::CallForHelp&) {
    program_.globals.json = false;  // a page for people
    return program_.print(help_text(app, program_.text_columns));
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> left = app.remaining();
    return unexpected(left.empty() ? "" : left.front());
  } catch (const CLI::RequiredError& mistake) {
    // What was taken for an option may be what is missing.
    for (const std::string& left : app.remaining())
      if (left.starts_with('-')) return unexpected(left);
    return mistaken(mistake);
  } catch (const CLI::ParseError& mistake) {
    return mistaken(mistake);
  }
}

// In no help page: plankeep --help explains them.
void Arguments::add_globals() {
  CLI::App& app = parser_->app;
  Globals& behind = parser_->behind;
  const auto flag = [&app](const std::string& name, bool& value) {
    if (!has(app, name)) app.add_flag(name, value)->group("");
  };
  flag("--json", behind.json);
  flag("-q", behind.quiet);
  flag("--quiet", behind.quiet);
  flag("-v", behind.verbose);
  flag("--verbose", behind.verbose);
  flag("--no-color", parser_->no_colour);
  flag("--no-pager", parser_->no_pager);
  if (!has(app, "-C")) app.add_option("-C", parser_->folder)->group("");
  if (!has(app, "--color")) app.add_option("--color", parser_->colour)->group("");
  if (!has(app, "--plan")) app.add_option("--plan", behind.plan)->group("");
}

std::optional<ExitCode> Arguments::apply_globals() {
  Globals& globals = program_.globals;
  const Globals& behind = parser_->behind;
  globals.quiet = globals.quiet || behind.quiet;
  globals.verbose = globals.verbose || behind.verbose;
  globals.pager = globals.pager && !parser_->no_pager;
  if (parser_->no_colour) globals.colour = Colour::never;
  if (!parser_->colour.empty()) {
    const auto colour = colour_of(parser_->colour);
    if (!colour) {
      return program_.fail({base::ErrorKind::invalid_input,
                            "--color: must be one of auto, always, never, not \"" + parser_->colour + "\"",
                            {},
                            {}},
                           About::request);
    }
    globals.colour = *colour;
  }
  if (program_.restyle) program_.restyle(program_);
  if (program_.show_progress && !globals.quiet) program_.show_progress();
  if (parser_->folder.empty() || !program_.change_folder) return std::nullopt;
  const base::Status changed = program_.change_folder(parser_->folder);
  if (changed) return std::nullopt;
  return program_.fail(changed.error(), About::file);
}

ExitCode Arguments::unexpected(const std::string& word) {
  std::string hint = "plankeep help " + name_;
  if (!word.starts_with('-')) {
    return program_.fail({base::ErrorKind::invalid_input, "unexpected argument " + word, {}, std::move(hint)},
                         About::request);
  }
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : parser_->app.get_options()) {
    for (const std::string& one : option->get_lnames()) names.push_back("--" + one);
    for (const std::string& one : option->get_snames()) names.push_back("-" + one);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (const std::string_view meant = nearest(name, known); !meant.empty())
    hint = "did you mean " + std::string(meant) + "? " + hint;
  if (takes_text(parser_->app)) hint += "; to give it as text: " + behind_dashes(name_, word);
  return program_.fail({base::ErrorKind::invalid_input, "unknown option " + name, {}, std::move(hint)},
                       About::request);
}

}  // namespace plankeep::cli
