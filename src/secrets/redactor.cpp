#include "secrets/redactor.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/json_writer.hpp"
#include "secrets/json_values.hpp"

namespace plankeep::secrets {
namespace {

constexpr std::string_view kRedacted = "REDACTED";
constexpr int kDeepest = 8;  // JSON in a string in JSON …
// Removing a secret may join two pieces into something that looks like another. Two rounds are almost always
// enough.
constexpr int kRounds = 4;
constexpr std::size_t kShortestNamed = 4;

std::string json_string(const std::string& text) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.value(text);
  std::string json = out.finish();
  while (json.ends_with('\n')) json.pop_back();
  return json;
}

bool may_be_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

// Bytes of a part, at least. A part ends at a line end.
constexpr std::size_t kPart = std::size_t{512} << 10;
constexpr std::size_t kMostThreads = 4;

std::size_t end_of_part(std::string_view text, std::size_t begin) {
  if (text.size() - begin <= kPart) return text.size();
  const std::size_t feed = text.find('\n', begin + kPart);
  return feed == std::string_view::npos ? text.size() : feed + 1;
}

}  // namespace

std::size_t RedactionReport::total() const {
  std::size_t sum = pictures;
  for (const auto& [rule, count] : findings) sum += count;
  return sum;
}

void RedactionReport::add(const RedactionReport& other) {
  for (const auto& [rule, count] : other.findings) findings[rule] += count;
  pictures += other.pictures;
}

base::Result<Redactor> Redactor::make(RedactorOptions options) {
  TRY_ASSIGN(SecretFinder finder, SecretFinder::make(std::move(options.finder)));
  return Redactor(std::move(finder), options.keep_pictures);
}

std::string Redactor::redact_text(std::string_view text, RedactionReport& report, bool tokens_only) const {
  std::string now(text);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<Region> regions = tokens_only ? finder_.find(now, RuleKind::token) : finder_.find(now);
    if (regions.empty()) return now;
    std::string next;
    std::size_t at = 0;
    for (const Region& region : regions) {
      const Rule& rule = finder_.rules()[region.rule];
      next.append(now, at, region.begin - at).append(rule.replacement);
      at = region.end;
      ++report.findings[std::string(rule.id)];
    }
    next.append(now, at);
    if (next == now) return now;
    now = std::move(next);
  }
  // There is still something, so nothing of the text is kept.
  return finder_.find(now).empty() ? now : std::string(kRedacted);
}

std::string Redactor::redact_value(std::string_view text, RedactionReport& report, int depth) const {
  std::string now(text);
  // A text that is not JSON may become JSON when its secrets are replaced.
  for (int round = 0; round < kRounds; ++round) {
    std::string inner;
    const bool json = depth < kDeepest && may_be_json(now) && redact_json(now, report, depth + 1, inner);
    std::string next = redact_text(json ? inner : now, report, false);
    if (next == now) return now;
    now = std::move(next);
  }
  return std::string(kRedacted);
}

std::string Redactor::redact_document(std::string_view text, RedactionReport& report) const {
  std::string now;
  if (redact_json(text, report, 0, now)) return now;
  now = redact_text(text, report, false);
  std::string json;
  return now != text && redact_json(now, report, 0, json) ? json : now;
}

bool Redactor::redact_json(std::string_view text, RedactionReport& report, int depth,
                           std::string& out) const {
  const auto values = string_values(text);
  if (!values) return false;
  std::size_t at = 0;
  for (const JsonValue& value : *values) {
    std::string now;
    switch (value.use) {
      case ValueUse::text:
        now = redact_value(value.text(), report, depth);
        break;
      case ValueUse::id:
      case ValueUse::key:
        now = redact_text(value.text(), report, true);
        break;
      case ValueUse::secret:
        if (value.text().size() < kShortestNamed || is_placeholder(value.text())) {
          now = redact_value(value.text(), report, depth);
        } else {
          now = kRedacted;
          ++report.findings["named-value"];
        }
        break;
      case ValueUse::picture:
        if (keep_pictures_ || value.text() == kRedacted) {
          now = value.text();
        } else {
          now = kRedacted;
          ++report.pictures;
        }
        break;
    }
    if (now == value.text()) continue;
    out.append(text.substr(at, value.begin - at)).append(json_string(now));
    at = value.end;
  }
  out.append(text.substr(at));
  return true;
}

const Redactor& Redactor::standard() {
  static const Redactor standard = *make({});  // the built-in rules are never refused
  return standard;
}

std::string redact(std::string_view text) {
  return Redactor::standard().plain(text).take();
}

Redacted Redactor::plain(std::string_view text) const {
  RedactionReport report;
  std::string now = redact_text(text, report, false);
  return {std::move(now), std::move(report)};
}

Redacted Redactor::json(std::string_view text) const {
  RedactionReport report;
  std::string now = redact_document(text, report);
  return {std::move(now), std::move(report)};
}

Redacted Redactor::lines(std::string_view text) const {
  RedactionReport report;
  std::string now;
  now.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line_feed = text.find('\n', at);
    std::size_t end = line_feed == std::string_view::npos ? text.size() : line_feed;
    const std::size_t next = line_feed == std::string_view::npos ? end : end + 1;
    if (end > at && text[end - 1] == '\r') --end;
    const std::string_view line = text.substr(at, end - at);
    now += redact_document(line, report);
    now.append(text.substr(end, next - end));
    at = next;
  }
  return {std::move(now), std::move(report)};
}

Redacted Redactor::json_lines(std::string_view text) const {
  if (text.size() < 2 * kPart) return lines(text);
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_part(text, at);
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  std::vector<std::optional<Redacted>> done(parts.size());
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex failing;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < parts.size(); i = next++) done[i] = lines(parts[i]);
    } catch (...) {  // out of memory: nothing is let through
      const std::lock_guard lock(failing);
      failed = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  try {
    for (std::size_t i = 1; i < std::min({cores, kMostThreads, parts.size()}); ++i)
      threads.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads to be had: those that there are do the work
  }
  work();
  for (std::thread& thread : threads) thread.join();
  if (failed) std::rethrow_exception(failed);
  RedactionReport report;
  std::string now;
  now.reserve(text.size());
  for (std::optional<Redacted>& part : done) {
    report.add(part->report());
    now += part->text();
    part.reset();
  }
  return {std::move(now), std::move(report)};
}

}  // namespace plankeep::secrets
