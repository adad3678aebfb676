#pragma once
// One command's options and arguments. Built only by the command that runs, so start-up never pays for the
// others.
//
//   Arguments arguments(program, "done", "Tick tasks or criteria ...");
//   std::vector<std::string> ids;
//   arguments.positionals("ID", ids, "...", Arguments::Need::required);
//   arguments.plan(plan);
//   if (auto stop = arguments.parse(words)) return *stop;      // help was asked for, or a mistake was
//   reported
//
// Every command takes the global options (cli/globals) besides: its own of the same name go first. What stood
// in front of the command counts where nothing stands behind it.
//
// What is not given leaves the variable as it was. A text that begins with "-" comes behind "--".

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/program.hpp"

namespace plankeep::cli {

class Arguments {
 public:
  enum class Need { optional, required };

  /// `description`: what `plankeep help NAME` begins with.
  Arguments(Program& program, std::string_view name, std::string_view description);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  void positional(const std::string& placeholder, std::string& value, const std::string& help, Need need);
  void positionals(const std::string& placeholder, std::vector<std::string>& values, const std::string& help,
                   Need need);
  void option(const std::string& names, std::string& value, const std::string& placeholder,
              const std::string& help);
  void option(const std::string& names, std::optional<std::string>& value, const std::string& placeholder,
              const std::string& help);
  /// May be given several times, with one value each.
  void options(const std::string& names, std::vector<std::string>& values, const std::string& placeholder,
               const std::string& help);
  /// A whole number from 0 on.
  void number(const std::string& names, std::size_t& value, const std::string& placeholder,
              const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);
  void choice(const std::string& names, std::string& value, const std::vector<std::string>& choices,
              const std::string& help);

  // The options that many commands share.
  void plan(std::optional<std::string>& value);
  void json(bool& value);
  /// For a command whose format has an option of its own, `name`, with the value `given` (empty: not used).
  /// Reports an error if --json contradicts it. nullopt: go on; `given` is the format, `usual` by default.
  [[nodiscard]] std::optional<ExitCode> settle_format(std::string_view name, std::string& given, bool json,
                                                      std::string_view usual);
  void actor(std::string& value);

  /// nullopt: go on. Otherwise the exit status to end with; help or the mistake have been printed.
  [[nodiscard]] std::optional<ExitCode> parse(const std::vector<std::string>& words);

 private:
  struct Parser;
  void add_globals();
  std::optional<ExitCode> apply_globals();
  ExitCode unexpected(const std::string& word);

  Program& program_;
  std::string name_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace plankeep::cli
