#include "rules/listing/phase_name.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "base/heading_number.hpp"
#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {

namespace {

base::Error ambiguous(const std::vector<PhaseName>& phases, const std::string& asked,
                      const std::vector<std::size_t>& several) {
  std::string message = "phase " + asked + " is ambiguous:";
  for (const std::size_t one : several) message.append("\n").append(phases[one].id);
  return {base::ErrorKind::ambiguous, std::move(message), {}, "give one of these"};
}

}  // namespace

base::Result<std::size_t> find_phase(const std::vector<PhaseName>& phases, const std::string& asked) {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].id == asked) return i;
  }
  const std::string lower = base::search_text(asked);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (base::search_text(phases[i].title) == lower) return i;
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
  if (error == std::errc() && end == asked.data() + asked.size()) {
    std::vector<std::size_t> with_it;
    bool any = false;
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const std::optional<std::uint64_t> own = base::number_of(phases[i].title);
      any = any || own;
      if (own == number) with_it.push_back(i);
    }
    if (with_it.size() == 1) return with_it.front();
    if (with_it.size() > 1) return base::fail(ambiguous(phases, asked, with_it));
    if (!any && number >= 1 && number <= phases.size()) return number - 1;
  }
  // "Phase 2" begins "Phase 2: Build" rather than "Phase 20": what ends where a word does goes first.
  std::vector<std::size_t> begun;
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < phases.size() && !lower.empty(); ++i) {
    const auto begins = [&lower](const std::string& name) { return name.starts_with(lower); };
    const auto ends_word = [&](const std::string& name) {
      return begins(name) && (name.size() == lower.size() ||
                              !base::is_word_character(base::decode_at(name, lower.size()).value));
    };
    const std::string id = base::search_text(phases[i].id);
    const std::string title = base::search_text(phases[i].title);
    if (begins(id) || begins(title)) begun.push_back(i);
    if (ends_word(id) || ends_word(title)) words.push_back(i);
  }
  if (words.size() == 1) begun = words;
  if (begun.size() == 1) return begun.front();
  if (begun.size() > 1) return base::fail(ambiguous(phases, asked, begun));
  std::string hint;
  for (const PhaseName& phase : phases) hint += (hint.empty() ? "" : ", ") + std::string(phase.id);
  return base::fail(base::ErrorKind::not_found, "no phase " + asked + " in this plan",
                    hint.empty() ? "the plan has no phases" : "its phases: " + hint);
}

}  // namespace plankeep::core
