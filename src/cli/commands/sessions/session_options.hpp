#pragma once
// What `plankeep session` was asked for. Private to this folder: session.cpp reads the words, the other files
// run one action each.

#include <optional>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace plankeep::cli {

struct SessionOptions {
  std::string action;
  std::vector<std::string> named;  // ID, or what `why` is asked about
  std::size_t count = 20;
  std::optional<std::string> branch;
  bool all = false;
  std::optional<std::string> client;
  std::string since;
  bool pending = false;
  std::optional<std::string> session;
  bool prompts = false;
  bool files = false;
  bool transcript = false;
  bool raw = false;
  bool verify = false;
  bool deep = false;
  bool secrets = false;
  bool remote = false;
  bool print = false;
  std::string older_than;
  bool dry = false;
  bool yes = false;
  std::optional<std::string> plan;
  bool json = false;

  /// The first of `named`; empty: none was given.
  const std::string& which() const {
    static const std::string none;
    return named.empty() ? none : named.front();
  }
};

/// A mistake on the command line.
ExitCode wrong_session(Program& program, std::string message);
/// An id that means several is answered like a plan that may be several (exit status 3).
ExitCode fail_session(Program& program, const base::Error& error);

ExitCode explain_session(Program& program, const SessionOptions& options);
ExitCode resume_session(Program& program, const SessionOptions& options);
ExitCode clean_sessions(Program& program, const SessionOptions& options);

}  // namespace plankeep::cli
