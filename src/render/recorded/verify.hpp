#pragma once
// What `plankeep verify` shows: the commands before they run, what came of them, and what is proven.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/evidence.hpp"
#include "render/style.hpp"
#include "verify/verify.hpp"

namespace plankeep::render {

/// A criterion with a command, and what came of it in this run.
struct VerifyRow : app::VerifyCommand {
  explicit VerifyRow(app::VerifyCommand criterion) : VerifyCommand(std::move(criterion)) {}

  /// Takes over the result of running the command. If no evidence was recorded, keeps the old one.
  void take(const app::Verified& verified);

  std::optional<app::Verified::Result> result;  // nullopt: not run
  bool ticked = false;
  bool unticked = false;
};

struct VerifyView {
  app::PlanLocation plan;
  std::string root;
  bool check = false;  // nothing was to be run
  std::vector<VerifyRow> rows;
  std::vector<std::string> warnings;

  std::int64_t proven() const;
  /// Whether some could not be looked at.
  bool unknown() const;
};

/// "in /home/kim/app these commands would run:" and the commands, safe to print, each on a line of its own.
std::string commands_text(const std::string& root, const std::vector<VerifyRow>& rows, const Style& style);

/// What came of one command. `with_output`: and the last lines of one that failed.
std::string verified_text(const VerifyRow& row, bool with_output, const Style& style);

/// "tests  12 s", for the line that is drawn over while a command runs; at most `columns` wide.
std::string progress_text(const VerifyRow& row, std::int64_t seconds, std::size_t columns);

/// What is not proven, a line each, and the last line: "2 of 3 criteria proven".
std::string check_text(const VerifyView& view, const Style& style);
/// The last line alone.
std::string summary_text(const VerifyView& view, const Style& style);

std::string verify_json(const VerifyView& view);

/// "unproven", "stale", "stale, and it had failed", "failed", "proven", "unknown" for people, and behind it
/// why, safe to print: "stale (src/a.c)".
std::string proof_text(core::Proof proof, bool failed_before, std::string_view why = {});

}  // namespace plankeep::render
