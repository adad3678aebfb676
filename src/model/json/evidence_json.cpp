#include "model/json/evidence_json.hpp"

#include "model/json/json_fields.hpp"

namespace plankeep::core {

using base::Status;

void write_evidence(base::JsonWriter& out, const Evidence& evidence) {
  const auto text = [&out](std::string_view name, const std::string& value) {
    if (!value.empty()) out.key(name).value(value);
  };
  out.begin_object();
  out.key("command").value(evidence.command);
  out.key("exitStatus").value(evidence.status);
  if (evidence.timed_out) out.key("timedOut").value(true);
  out.key("durationMs").value(evidence.duration_ms);
  out.key("outputSha256").value(evidence.output_sha256);
  text("lastLines", evidence.last_lines);
  text("head", evidence.head);
  out.key("dirty").value(evidence.dirty);
  text("tree", evidence.tree);
  if (evidence.changed_files) out.key("changedFiles").value(true);
  out.key("time").value(base::to_iso8601(evidence.time));
  for (const UnknownField& field : evidence.unknown) out.key(field.name).raw(field.json);
  out.end_object();
}

Status read_evidence(base::JsonReader& in, Evidence& evidence) {
  evidence = Evidence{};
  bool command = false;
  bool status = false;
  bool time = false;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "command") {
      command = true;
      return in.string(evidence.command);
    }
    if (key == "exitStatus") {
      status = true;
      std::int64_t number = 0;
      TRY(in.integer(number));
      constexpr std::int64_t kLargest = 255;  // as a shell has them
      if (number < 0 || number > kLargest) return in.error("an exit status");
      evidence.status = static_cast<int>(number);
      return {};
    }
    if (key == "time") {
      time = true;
      return read_time(in, evidence.time);
    }
    if (key == "timedOut") return in.boolean(evidence.timed_out);
    if (key == "durationMs") {
      TRY(in.integer(evidence.duration_ms));
      return evidence.duration_ms < 0 ? in.error("a duration") : Status{};
    }
    if (key == "outputSha256") return in.string(evidence.output_sha256);
    if (key == "lastLines") return in.string(evidence.last_lines);
    if (key == "head") return in.string(evidence.head);
    if (key == "dirty") return in.boolean(evidence.dirty);
    if (key == "tree") return in.string(evidence.tree);
    if (key == "changedFiles") return in.boolean(evidence.changed_files);
    std::string name(key);
    std::string_view json;
    TRY(in.raw(json));
    evidence.unknown.push_back({std::move(name), std::string(json)});
    return {};
  }));
  if (!command) return in.error("a \"command\" in this object");
  if (!status) return in.error("an \"exitStatus\" in this object");
  if (!time) return in.error("a \"time\" in this object");
  return {};
}

}  // namespace plankeep::core
