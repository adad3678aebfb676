#include "checkpoints/fleet_checkpoints.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/limits.hpp"
#include "base/sha256.hpp"
#include "model/json/checkpoint_json.hpp"
#include "project/project.hpp"
#include "project/state_home.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

constexpr std::size_t kDigits = 16;

std::string name_of(const PlanLocation& plan, const ProjectFiles& files) {
  return "fleet-" + base::sha256_hex(plan.path()).substr(0, kDigits) + files.suffix + ".jsonl";
}

base::Result<FleetCheckpoint> read_line(std::string_view line) {
  FleetCheckpoint read;
  base::JsonReader in(line);
  bool has_checkpoint = false;
  TRY(in.object([&](std::string_view key) -> base::Status {
    if (key == "replica") return in.string(read.replica);
    if (key == "login") return in.string(read.login);
    if (key == "machine") return in.string(read.machine);
    if (key != "checkpoint") return in.skip();
    std::string_view raw;
    TRY(in.raw(raw));
    TRY_ASSIGN(read.checkpoint, core::decode_checkpoint(raw));
    has_checkpoint = true;
    return {};
  }));
  TRY(in.end());
  if (!has_checkpoint) return base::fail(base::ErrorKind::corrupt, "no checkpoint");
  return read;
}

}  // namespace

std::string fleet_checkpoint_line(std::string_view replica, std::string_view login, std::string_view machine,
                                  std::string_view checkpoint) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  out.key("replica").value(replica);
  out.key("login").value(login);
  out.key("machine").value(machine);
  out.key("checkpoint").raw(checkpoint);
  out.end_object();
  std::string line = out.finish();
  while (line.ends_with('\n')) line.pop_back();
  return line + "\n";
}

base::Status write_fleet_checkpoints(const Context& context, const PlanLocation& plan,
                                     std::string_view lines) {
  const Project project(context, plan.folder);
  TRY_ASSIGN(const ProjectFiles files, open_project_files(context, project, true));
  return system::write_file(*files.folder, name_of(plan, files), lines, system::Durability::cache);
}

base::Result<std::vector<FleetCheckpoint>> read_fleet_checkpoints(const Context& context,
                                                                  const PlanLocation& plan) {
  const Project project(context, plan.folder);
  TRY_ASSIGN(const ProjectFiles files, open_project_files(context, project, false));
  const auto text = files.folder->read(name_of(plan, files), base::kLargestJson);
  if (!text) {
    if (text.error().kind != base::ErrorKind::not_found) return base::fail(text.error());
    return base::fail(base::ErrorKind::not_found, "no checkpoints of other machines were pulled yet",
                      "plankeep fleet pull");
  }
  std::vector<FleetCheckpoint> found;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto read = read_line(rest.substr(0, end));
    if (read) found.push_back(std::move(*read));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

}  // namespace plankeep::app
