#include "store/running_shells.hpp"

#include <optional>
#include <utility>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"

namespace plankeep::store {
namespace {

constexpr std::size_t kMostShells = 64;
constexpr std::uint64_t kShellFileLimit = std::uint64_t{8} << 10;

struct NamedShell {
  std::string name;  // of its file
  RunningShell shell;
};

std::string file_of(const std::string& session, const std::string& agent) {
  return base::short_checksum(session + "\n" + agent) + ".json";
}

std::optional<RunningShell> decode_shell(std::string_view text) {
  base::JsonReader in(text);
  RunningShell shell;
  std::string since;
  const base::Status read = in.object([&](std::string_view key) -> base::Status {
    if (key == "namesSubagents") return in.boolean(shell.names_subagents);
    if (in.peek() != base::JsonType::string) return in.skip();
    if (key == "sessionId") return in.string(shell.session);
    if (key == "agentId") return in.string(shell.agent);
    if (key == "agentType") return in.string(shell.agent_type);
    if (key == "team") return in.string(shell.team);
    if (key == "since") return in.string(since);
    return in.skip();
  });
  const auto time = base::parse_iso8601(since);
  if (!read || !time) return std::nullopt;
  shell.since = *time;
  return shell;
}

std::vector<NamedShell> read_shells(system::Folder& folder) {
  std::vector<NamedShell> shells;
  const auto names = folder.list();
  if (!names) return shells;
  for (const std::string& name : *names) {
    if (shells.size() == kMostShells) break;
    if (!name.ends_with(".json")) continue;
    const auto text = folder.read_with_info(name, kShellFileLimit);
    auto shell = text ? decode_shell(text->bytes) : std::nullopt;
    if (!shell) continue;
    shell->noted_ns = text->info.mtime_ns;
    shell->device = text->info.device;
    shells.push_back({name, std::move(*shell)});
  }
  return shells;
}

}  // namespace

std::vector<RunningShell> running_shells(system::Folder& shells, base::Instant now) {
  std::vector<RunningShell> running;
  for (NamedShell& known : read_shells(shells)) {
    const std::int64_t age = now.milliseconds - known.shell.since.milliseconds;
    if (age <= kLongestShell) {
      running.push_back(std::move(known.shell));
    } else {
      (void)shells.remove(known.name);
    }
  }
  return running;
}

base::Status note_shell(system::Folder& shells, const RunningShell& shell) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  out.key("sessionId").value(shell.session);
  out.key("agentId").value(shell.agent);
  if (!shell.agent_type.empty()) out.key("agentType").value(shell.agent_type);
  if (!shell.team.empty()) out.key("team").value(shell.team);
  if (!shell.names_subagents) out.key("namesSubagents").value(false);
  out.key("since").value(base::to_iso8601(shell.since));
  out.end_object();
  TRY_ASSIGN(const auto file, shells.create(file_of(shell.session, shell.agent)));
  return file->write(out.finish());
}

void end_shells(system::Folder& shells, const std::string& session, const std::string& agent,
                bool whole_session) {
  if (!whole_session) {
    (void)shells.remove(file_of(session, agent));
    return;
  }
  for (const NamedShell& known : read_shells(shells)) {
    if (known.shell.session == session) (void)shells.remove(known.name);
  }
}

}  // namespace plankeep::store
