#include "model/json/sidecar_json.hpp"

#include <array>
#include <utility>

#include "base/json_writer.hpp"
#include "model/json/json_fields.hpp"
#include "model/session.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::Result;
using base::Status;

Status read_commit_id(JsonReader& in, std::string& id, std::string_view expected, bool may_be_empty) {
  TRY(in.string(id));
  if (may_be_empty && id.empty()) return {};
  return is_commit_id(id) ? Status{} : Status(in.error(expected));
}

Status read_session_checkpoint(JsonReader& in, std::string& id) {
  TRY(in.string(id));
  return session_id_kind(id) ? Status{} : Status(in.error("the id of a session checkpoint"));
}

Status read_version(JsonReader& in, std::string& version) {
  TRY(in.string(version));
  return version.starts_with("1.") ? Status{} : Status(in.error("version 1"));
}

Status read_tier(JsonReader& in, Tier& tier) {
  std::string name;
  TRY(in.string(name));
  const auto found = tier_named(name);
  if (!found) return in.error("tier0, tier1 or tier2");
  tier = *found;
  return {};
}

Status read_milestone(JsonReader& in, std::int64_t& milestone) {
  TRY(in.integer(milestone));
  return milestone >= 0 ? Status{} : Status(in.error("a number from 0"));
}

Status read_run(JsonReader& in, std::string& run) {
  TRY(in.string(run));
  return is_run_id(run) ? Status{} : Status(in.error("a run's id"));
}

Status read_commands(JsonReader& in, std::vector<std::string>& commands) {
  commands.clear();
  return in.array([&]() -> Status { return in.string(commands.emplace_back()); });
}

// What has to be there.
struct SeenKeys {
  static constexpr std::array<std::string_view, 8> kNames{
      "schema_version",  "sha",        "run_id", "milestone_index",
      "milestone_title", "created_at", "tier",   "verification_commands"};
  std::array<bool, kNames.size()> seen{};

  void note(std::string_view key) {
    for (std::size_t i = 0; i < kNames.size(); ++i) seen[i] = seen[i] || kNames[i] == key;
  }
};

Status read_field(JsonReader& in, std::string_view key, Sidecar& sidecar) {
  if (key == "schema_version") return read_version(in, sidecar.version);
  if (key == "sha") return read_commit_id(in, sidecar.sha, "a commit's full id", false);
  if (key == "run_id") return read_run(in, sidecar.run);
  if (key == "milestone_index") return read_milestone(in, sidecar.milestone);
  if (key == "milestone_title") return in.string(sidecar.title);
  if (key == "created_at") return read_time(in, sidecar.created_at);
  if (key == "tier") return read_tier(in, sidecar.tier);
  if (key == "verification_commands") return read_commands(in, sidecar.commands);
  if (key == "plan_path") return in.string(sidecar.plan_path);
  if (key == "phase_complete") return in.boolean(sidecar.phase_complete.emplace());
  if (key == "tree") return read_commit_id(in, sidecar.tree, "a tree's full id", true);
  if (key == "patch_id") return read_commit_id(in, sidecar.patch_id, "a patch id", true);
  if (key == "plan_id") return in.string(sidecar.plan_id);
  if (key == "phase_id") return in.string(sidecar.phase.text);
  if (key == "relinked_from") return read_commit_id(in, sidecar.relinked_from, "a commit's full id", true);
  if (key == "entire_checkpoint") return read_session_checkpoint(in, sidecar.entire_checkpoint);
  std::string name(key);
  std::string_view json;
  TRY(in.raw(json));
  sidecar.unknown.push_back({std::move(name), std::string(json)});
  return {};
}

}  // namespace

std::string encode_sidecar(const Sidecar& sidecar) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("schema_version").value(sidecar.version);
  out.key("sha").value(sidecar.sha);
  out.key("run_id").value(sidecar.run);
  out.key("milestone_index").value(sidecar.milestone);
  out.key("milestone_title").value(sidecar.title);
  out.key("created_at").value(base::to_iso8601(sidecar.created_at));
  out.key("tier").value(name_of(sidecar.tier));
  out.key("verification_commands").begin_array();
  for (const std::string& command : sidecar.commands) out.value(command);
  out.end_array();
  out.key("tree").value(sidecar.tree);
  out.key("patch_id").value(sidecar.patch_id);
  out.key("plan_id").value(sidecar.plan_id);
  out.key("phase_id").value(sidecar.phase.text);
  if (!sidecar.plan_path.empty()) out.key("plan_path").value(sidecar.plan_path);
  if (sidecar.phase_complete) out.key("phase_complete").value(*sidecar.phase_complete);
  if (!sidecar.relinked_from.empty()) out.key("relinked_from").value(sidecar.relinked_from);
  if (!sidecar.entire_checkpoint.empty()) out.key("entire_checkpoint").value(sidecar.entire_checkpoint);
  for (const UnknownField& field : sidecar.unknown) out.key(field.name).raw(field.json);
  out.end_object();
  return out.finish();
}

Result<Sidecar> decode_sidecar(std::string_view text) {
  Sidecar sidecar;
  SeenKeys seen;
  JsonReader in(text);
  TRY(in.object([&](std::string_view key) -> Status {
    seen.note(key);
    return read_field(in, key, sidecar);
  }));
  TRY(in.end());
  for (std::size_t i = 0; i < SeenKeys::kNames.size(); ++i) {
    if (!seen.seen[i]) return in.error("a \"" + std::string(SeenKeys::kNames[i]) + "\"");
  }
  return sidecar;
}

}  // namespace plankeep::core
