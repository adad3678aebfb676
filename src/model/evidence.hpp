#pragma once
// What running a criterion's `verify:` command showed (spec 11), and what that is worth now. Pure.
//
// Evidence stands in CriterionState::evidence and in the events acceptance_met and acceptance_unmet. It says
// that one exact command gave one result over one content of the work tree's files. It is fresh as long as
// both are what they were; then a pass proves the criterion. A ticked box proves nothing, and neither does
// evidence that cannot be held against the files because git does not answer.
//
// An untick without evidence (by hand) takes the evidence away, as it does the time: whoever unticks knows
// better. A tick without evidence leaves what there is, also a failure.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/ids.hpp"
#include "model/plan.hpp"
#include "model/unknown_fields.hpp"

namespace plankeep::core {

struct Evidence {
  std::string command;           // its exact text
  int status = 0;                // exit status; 128 + the signal's number when a signal ended it
  bool timed_out = false;        // it was ended because its time was over
  std::int64_t duration_ms = 0;  // from its start to its end
  std::string output_sha256;     // of everything it said, 64 hexadecimal digits
  std::string last_lines;        // the end of it (last_lines_of)
  std::string head;              // the commit, full id; empty: none, or no repository
  bool dirty = false;            // tracked files differed from it
  std::string tree;            // what the files held when it began (worktree/work_content); empty: not known
  bool changed_files = false;  // they held something else when it ended, so it is stale from the start
  base::Instant time;          // when it had ended
  UnknownFields unknown;

  bool passed() const { return status == 0 && !timed_out; }
  bool operator==(const Evidence&) const = default;
};

/// What is known of the files now: those that git tracks, and new ones that it does not ignore.
struct TreeNow {
  enum class Kind {
    not_looked,  // nobody asked: evidence counts as fresh while its command is the same
    known,
    unknown,  // somebody asked, and git did not answer
  };
  Kind kind = Kind::not_looked;
  std::string digest;
  std::string reason{};  // of `unknown`
  /// For people, by the digest of earlier evidence: the files that differ now, where that is known.
  std::map<std::string, std::string, std::less<>> changes{};
  bool operator==(const TreeNow&) const = default;
};

/// Of a criterion that has a command. `stale`: its command or the files are not what they were, or nobody
/// knows what they were. `unknown`: it passed, and whether it is stale cannot be told.
enum class Proof { no_command, unproven, stale, failed, unknown, proven };

/// "no_command", "unproven", "stale", "failed", "unknown", "proven".
std::string_view name_of(Proof proof);

Proof judge(const std::optional<Evidence>& evidence, std::string_view command, const TreeNow& now);

/// Why it is stale or unknown ("helper.txt (new), src/a.c", "its command was changed"), for people, unsafe to
/// print; empty for the others, and where nothing more is known.
std::string why_not_fresh(const std::optional<Evidence>& evidence, std::string_view command,
                          const TreeNow& now);

/// How many criteria of a phase have which proof; those without a command are left out.
struct ProofCount {
  std::int64_t commands = 0;
  std::int64_t proven = 0;
  std::int64_t unproven = 0;
  std::int64_t stale = 0;
  std::int64_t failed = 0;
  std::int64_t unknown = 0;

  void add(Proof proof);
  /// The phase is proven: some of its criteria have commands, and all of those are proven.
  bool all_proven() const { return commands > 0 && proven == commands; }
  bool operator==(const ProofCount&) const = default;
};

/// Whether the command can be shown as it is and be run: it is not empty, valid UTF-8 and without a character
/// that a terminal would not show (control characters, bidirectional overrides, invisible tags).
bool can_be_shown(std::string_view command);

/// The last lines of an output, made safe to print: at most kLastLines and kLastBytes. Secrets are taken out
/// before: a part of one would not be recognised.
inline constexpr std::size_t kLastLines = 20;
inline constexpr std::size_t kLastBytes = 2000;
std::string last_lines_of(std::string_view output);

}  // namespace plankeep::core
