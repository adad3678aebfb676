#include "store/sidecar_index.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "store/paths.hpp"

namespace plankeep::store {
namespace {

using base::JsonReader;
using base::Result;
using base::Status;

constexpr std::int64_t kVersion = 2;

Status read_entry(JsonReader& in, SidecarEntry& entry) {
  int place = 0;
  TRY(in.array([&]() -> Status {
    switch (place++) {
      case 0:
        TRY(in.string(entry.sha));
        return core::is_commit_id(entry.sha) ? Status{} : Status(in.error("a commit's full id"));
      case 1:
        return in.integer(entry.milestone);
      case 2: {
        std::string time;
        TRY(in.string(time));
        const auto parsed = base::parse_iso8601(time);
        if (!parsed) return in.error("a time");
        entry.created_at = *parsed;
        return {};
      }
      case 3:
        TRY(in.string(entry.relinked_from));
        return core::is_commit_id(entry.relinked_from) ? Status{} : Status(in.error("a commit's full id"));
      default:
        return in.skip();
    }
  }));
  return place >= 3 ? Status{} : Status(in.error("a commit, its milestone and its time"));
}

Status read_version(JsonReader& in) {
  std::int64_t version = 0;
  TRY(in.integer(version));
  return version == kVersion ? Status{} : Status(in.error("version 2"));
}

// Ends the reading where enough is known; no error of the text.
base::Error enough() {
  return {base::ErrorKind::internal, "enough was read", {}, {}};
}

bool newer(const SidecarEntry& a, const SidecarEntry& b) {
  return a.created_at != b.created_at ? a.created_at > b.created_at : a.sha < b.sha;
}

void write_entry(base::JsonWriter& out, const SidecarEntry& entry) {
  out.begin_array();
  out.value(entry.sha).value(entry.milestone).value(base::to_iso8601(entry.created_at));
  if (!entry.relinked_from.empty()) out.value(entry.relinked_from);
  out.end_array();
}

std::vector<SidecarEntry> newest_of(const SidecarIndex& index, std::size_t count) {
  std::vector<SidecarEntry> all;
  for (const auto& [run, entries] : index.runs) all.insert(all.end(), entries.begin(), entries.end());
  const std::size_t kept = std::min(count, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), newer);
  all.resize(kept);
  return all;
}

bool asked_for(const SidecarQuery& query, std::string_view run, bool own) {
  return run == query.run || (query.own && own);
}

void cut(std::vector<SidecarEntry>& entries, std::size_t count) {
  if (entries.size() > count) entries.resize(count);
}

// The value of a word of a line, taken off its front.
std::string_view take_word(std::string_view& line) {
  const std::size_t end = line.find(' ');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

bool read_number(std::string_view word, std::int64_t& number) {
  const auto [end, ec] = std::from_chars(word.data(), word.data() + word.size(), number);
  return ec == std::errc{} && end == word.data() + word.size() && !word.empty();
}

// "<sha> <milestone> <milliseconds> <from> own|named <run>"
std::optional<SidecarAddition> read_addition(std::string_view line) {
  SidecarAddition added;
  added.entry.sha = take_word(line);
  const bool numbers = read_number(take_word(line), added.entry.milestone) &&
                       read_number(take_word(line), added.entry.created_at.milliseconds);
  const std::string_view from = take_word(line);
  if (from != "-") added.entry.relinked_from = from;
  const std::string_view whose = take_word(line);
  added.own = whose == "own";
  added.run = line;
  const bool good = numbers && core::is_commit_id(added.entry.sha) && core::is_run_id(added.run) &&
                    (added.own || whose == "named") && (from == "-" || core::is_commit_id(from));
  return good ? std::optional(std::move(added)) : std::nullopt;
}

}  // namespace

std::string files_digest(const std::vector<std::string>& names) {
  base::Sha256 digest;
  for (const std::string& name : names) {
    if (sha_in_name(name).empty()) continue;
    digest.add(name);
    digest.add("\n");
  }
  return digest.hex();
}

bool goes_before(const SidecarEntry& a, const SidecarEntry& b) {
  if (a.milestone != b.milestone) return a.milestone > b.milestone;
  if (a.created_at != b.created_at) return a.created_at > b.created_at;
  return a.sha < b.sha;
}

SidecarAddition addition_of(const core::Sidecar& sidecar) {
  return {{sidecar.sha, sidecar.milestone, sidecar.created_at, sidecar.relinked_from},
          sidecar.run,
          sidecar.run == core::run_of_plan(sidecar.plan_id)};
}

std::string encode_stamp(const IndexStamp& stamp) {
  std::string text = stamp.folder + "\n";
  for (const SidecarAddition& added : stamp.added) {
    const SidecarEntry& entry = added.entry;
    text += entry.sha + " " + std::to_string(entry.milestone) + " " +
            std::to_string(entry.created_at.milliseconds) + " " +
            (entry.relinked_from.empty() ? "-" : entry.relinked_from) + (added.own ? " own " : " named ") +
            added.run + "\n";
  }
  return text;
}

std::optional<IndexStamp> decode_stamp(std::string_view text) {
  if (!text.ends_with('\n')) return std::nullopt;
  IndexStamp stamp;
  bool first = true;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    if (std::exchange(first, false)) {
      stamp.folder = line;
      continue;
    }
    auto added = read_addition(line);
    if (!added) return std::nullopt;
    stamp.added.push_back(std::move(*added));
  }
  return stamp;
}

void add_to(SidecarIndex& index, const SidecarAddition& added) {
  for (auto& [run, entries] : index.runs) {
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [&added](const SidecarEntry& one) { return one.sha == added.entry.sha; }),
                  entries.end());
  }
  std::vector<SidecarEntry>& entries = index.runs[added.run];
  entries.insert(std::upper_bound(entries.begin(), entries.end(), added.entry, goes_before), added.entry);
  if (added.own) index.own.insert(added.run);
}

SidecarIndex make_index(std::string files, const std::vector<core::Sidecar>& sidecars) {
  SidecarIndex index;
  index.files = std::move(files);
  for (const core::Sidecar& sidecar : sidecars) {
    SidecarAddition added = addition_of(sidecar);
    if (added.own) index.own.insert(added.run);
    index.runs[added.run].push_back(std::move(added.entry));
  }
  for (auto& [run, entries] : index.runs) std::sort(entries.begin(), entries.end(), goes_before);
  return index;
}

std::string encode_index(const SidecarIndex& index) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  out.key("version").value(kVersion);
  out.key("files").value(index.files);
  out.key("own").begin_array();
  for (const std::string& run : index.own) out.value(run);
  out.end_array();
  out.key("newest").begin_array();
  for (const SidecarEntry& entry : newest_of(index, kNewest)) write_entry(out, entry);
  out.end_array();
  out.key("runs").begin_object();
  for (const auto& [run, entries] : index.runs) {
    out.key(run).begin_array();
    for (const SidecarEntry& entry : entries) write_entry(out, entry);
    out.end_array();
  }
  out.end_object();
  out.end_object();
  return out.finish();
}

Result<std::optional<SidecarSelection>> select_in(std::string_view text, std::string_view files,
                                                  const SidecarQuery& query) {
  SidecarSelection found;
  std::set<std::string, std::less<>> own;
  std::size_t runs = 0;  // that were asked for and read
  bool same = false;
  bool stop = false;
  JsonReader in(text);
  const auto end_here = [&stop]() -> Status {
    stop = true;
    return base::fail(enough());
  };
  const auto read_run = [&]() -> Status {
    std::vector<SidecarEntry> entries;
    TRY(in.array([&]() -> Status {
      if (entries.size() >= query.count) return in.skip();
      return read_entry(in, entries.emplace_back());
    }));
    found.best.insert(found.best.end(), entries.begin(), entries.end());
    const bool only = !query.own || (own.size() == 1 && own.count(query.run) != 0);
    return ++runs == 1 && only ? end_here() : Status{};
  };
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "version") return read_version(in);
    if (key == "files") {
      std::string made_from;
      TRY(in.string(made_from));
      same = files.empty() || made_from == files;
      return same ? Status{} : end_here();
    }
    if (key == "own") {
      return in.array([&]() -> Status {
        std::string run;
        TRY(in.string(run));
        own.insert(std::move(run));
        return {};
      });
    }
    if (key == "newest") {
      return in.array([&]() -> Status {
        if (found.newest.size() >= query.newest) return in.skip();
        return read_entry(in, found.newest.emplace_back());
      });
    }
    if (key != "runs" || !same) return in.skip();
    return in.object([&](std::string_view name) -> Status {
      return asked_for(query, name, own.find(name) != own.end()) ? read_run() : in.skip();
    });
  });
  if (!read && !stop) return base::fail(read.error());
  if (!same) return std::optional<SidecarSelection>();
  if (runs > 1) std::sort(found.best.begin(), found.best.end(), goes_before);
  cut(found.best, query.count);
  return std::optional(std::move(found));
}

SidecarSelection select_in(const SidecarIndex& index, const SidecarQuery& query) {
  SidecarSelection found;
  for (const auto& [run, entries] : index.runs) {
    if (asked_for(query, run, index.own.count(run) != 0))
      found.best.insert(found.best.end(), entries.begin(), entries.end());
  }
  std::sort(found.best.begin(), found.best.end(), goes_before);
  cut(found.best, query.count);
  found.newest = newest_of(index, std::min(query.newest, kNewest));
  return found;
}

void add_to(SidecarSelection& selection, const std::vector<SidecarAddition>& added,
            const SidecarQuery& query) {
  for (const SidecarAddition& one : added) {
    if (asked_for(query, one.run, one.own)) selection.best.push_back(one.entry);
    selection.newest.push_back(one.entry);
  }
  std::sort(selection.best.begin(), selection.best.end(), goes_before);
  std::sort(selection.newest.begin(), selection.newest.end(), newer);
  cut(selection.best, query.count);
  cut(selection.newest, std::min(query.newest, kNewest));
}

Result<SidecarIndex> decode_index(std::string_view text) {
  SidecarIndex index;
  JsonReader in(text);
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "version") return read_version(in);
    if (key == "files") return in.string(index.files);
    if (key == "own") {
      return in.array([&]() -> Status {
        std::string run;
        TRY(in.string(run));
        index.own.insert(std::move(run));
        return {};
      });
    }
    if (key != "runs") return in.skip();
    return in.object([&](std::string_view run) -> Status {
      std::vector<SidecarEntry>& entries = index.runs[std::string(run)];
      entries.clear();
      return in.array([&]() -> Status { return read_entry(in, entries.emplace_back()); });
    });
  }));
  TRY(in.end());
  return index;
}

}  // namespace plankeep::store
