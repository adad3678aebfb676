#pragma once
// The chain through history.jsonl (spec 4): a line that was changed or taken out later shows. Pure.
//
// The last line of a save carries `chain`: the first 32 hexadecimal digits of SHA-256 over the newest chain
// before it (32 digits, or nothing where there is none) and the save's lines, each with its LF, as they were
// before `chain` was put in. It is the last field of its line, so that it is put in and taken out as text.
//
//   ChainCheck check;
//   for (each line, from the first) check.take(line, number, batch);
//   ChainReport report = check.report();
//
// Lines without a chain are allowed: older versions and other tools write such. They are counted, and what
// becomes of them does not show. LIMITATIONS: no secret is in it, so whoever rewrites all of a history can
// chain it again; and of lines that were cut off at the end nothing is left to tell (state.json knows how
// long the history was).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"
#include "model/event.hpp"

namespace plankeep::core {

inline constexpr std::size_t kChainDigits = 32;

/// Whether it has the form of a chain: 32 lower-case hexadecimal digits.
bool is_chain(std::string_view text);

/// `lines` are those of one save, each with its LF. Gives the chain and puts it into the last of them.
/// Nothing happens, and the answer is empty, when they do not end like an event's line.
std::string put_chain(std::string_view before, std::string& lines);

/// The chain of a line, given with or without its LF; empty when it has none.
std::string_view chain_of(std::string_view line);

struct ChainReport {
  std::int64_t lines = 0;                       // all that were looked at
  std::int64_t chained = 0;                     // of saves whose chain holds
  std::int64_t unchained_before = 0;            // before the first chain
  std::int64_t unchained = 0;                   // behind it
  std::optional<std::int64_t> first_unchained;  // of the latter
  /// The first line of the first save that does not fit what stands before it.
  std::optional<std::int64_t> broken;
  bool holds() const { return !broken; }
};

class ChainCheck {
 public:
  /// A line without its LF and its place in its batch; lines that are no events are left out, empty ones too.
  void take(std::string_view line, std::int64_t number, const Batch& batch);

  ChainReport report() const;

 private:
  void begin();
  void give_up();

  ChainReport report_;
  std::string chain_;
  bool any_ = false;  // a chain was seen
  // The save that is being read.
  std::unique_ptr<base::Sha256> digest_;
  Batch last_;
  std::int64_t first_ = 0;
  std::int64_t pending_ = 0;
};

}  // namespace plankeep::core
