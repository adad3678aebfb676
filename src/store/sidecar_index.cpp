#include "store/sidecar_index.hpp"

#include <algorithm>
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

constexpr std::int64_t kVersion = 1;

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
      default:
        return in.skip();
    }
  }));
  return place >= 3 ? Status{} : Status(in.error("a commit, its milestone and its time"));
}

Status read_version(JsonReader& in) {
  std::int64_t version = 0;
  TRY(in.integer(version));
  return version == kVersion ? Status{} : Status(in.error("version 1"));
}

// Ends the reading where enough is known; no error of the text.
base::Error enough() {
  return {base::ErrorKind::internal, "enough was read", {}, {}};
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

SidecarIndex make_index(std::string files, const std::vector<core::Sidecar>& sidecars) {
  SidecarIndex index;
  index.files = std::move(files);
  for (const core::Sidecar& sidecar : sidecars) {
    index.runs[sidecar.run].push_back({sidecar.sha, sidecar.milestone, sidecar.created_at});
  }
  for (auto& [run, entries] : index.runs) std::sort(entries.begin(), entries.end(), goes_before);
  return index;
}

std::string encode_index(const SidecarIndex& index) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  out.key("version").value(kVersion);
  out.key("files").value(index.files);
  out.key("runs").begin_object();
  for (const auto& [run, entries] : index.runs) {
    out.key(run).begin_array();
    for (const SidecarEntry& entry : entries) {
      out.begin_array();
      out.value(entry.sha).value(entry.milestone).value(base::to_iso8601(entry.created_at));
      out.end_array();
    }
    out.end_array();
  }
  out.end_object();
  out.end_object();
  return out.finish();
}

Result<std::optional<std::vector<SidecarEntry>>> entries_in(std::string_view text, std::string_view files,
                                                            std::string_view run, std::size_t count) {
  std::vector<SidecarEntry> entries;
  bool same = false;
  bool stop = false;
  JsonReader in(text);
  const auto end_here = [&stop]() -> Status {
    stop = true;
    return base::fail(enough());
  };
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "version") return read_version(in);
    if (key == "files") {
      std::string made_from;
      TRY(in.string(made_from));
      same = files.empty() || made_from == files;
      return same ? Status{} : end_here();
    }
    if (key != "runs" || !same) return in.skip();
    return in.object([&](std::string_view name) -> Status {
      if (name != run) return in.skip();
      TRY(in.array([&]() -> Status {
        if (entries.size() >= count) return end_here();
        return read_entry(in, entries.emplace_back());
      }));
      return end_here();
    });
  });
  if (!read && !stop) return base::fail(read.error());
  if (!same) return std::optional<std::vector<SidecarEntry>>();
  return std::optional(std::move(entries));
}

Result<SidecarIndex> decode_index(std::string_view text) {
  SidecarIndex index;
  JsonReader in(text);
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "version") return read_version(in);
    if (key == "files") return in.string(index.files);
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
