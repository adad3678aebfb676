#include "fleet/own_place.hpp"

#include <array>
#include <random>

#include "base/hex.hpp"
#include "base/text.hpp"
#include "fleet/project_name.hpp"
#include "git/git.hpp"
#include "project/project.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "system/file_parts.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/show.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::uint64_t kMachineIdLimit = 256;

// The commit that the project began with. A project of several beginnings is named by the first of them.
std::optional<std::string> root_commit(git::Git& git, const std::string& folder) {
  const auto told = git.run(folder, {"rev-list", "--max-parents=0", "HEAD"});
  if (!told || told->status != 0) return std::nullopt;
  std::vector<std::string> commits = base::parts_of(told->output, '\n');
  if (commits.empty()) return std::nullopt;
  return *std::min_element(commits.begin(), commits.end());
}

std::string host_of(const app::Context& context) {
  return context.processes == nullptr ? std::string() : context.processes->host();
}

std::string machine_id(const app::Context& context) {
  return system::read_start(context.files, "/etc/machine-id", kMachineIdLimit);
}

}  // namespace

Result<std::string> project_name(const app::Context& context, const std::string& folder,
                                 const std::string& named) {
  if (!named.empty()) {
    const auto name = project_of_name(named);
    if (!name) return base::fail(ErrorKind::invalid_input, "--project: that cannot be a project's name");
    return *name;
  }
  const app::Project project(context, folder);
  if (project.in_git() && context.processes != nullptr) {
    git::Git git(*context.processes, context.files);
    // The URL as the repository has it: what url.<base>.insteadOf makes of it is this machine's affair.
    const auto origin = git.config(project.root(), "remote.origin.url");
    if (origin && *origin) {
      if (const auto name = project_of_origin(**origin)) return *name;
    }
    if (const auto commit = root_commit(git, project.root())) return project_of_commit(*commit);
  }
  return base::fail(ErrorKind::not_found,
                    "nothing names this project for other machines: it has no origin and no commit",
                    "give --project NAME, the same on every machine");
}

Result<OwnPlace> own_place(const app::Context& context, const app::PlanLocation& plan,
                           const std::string& named) {
  OwnPlace place;
  place.plan = plan;
  TRY_ASSIGN(place.project, project_name(context, plan.folder, named));
  const std::string root = app::Project(context, plan.folder).root();
  place.path = app::path_below(plan.path(), root);
  if (place.path.empty()) place.path = plan.name;
  if (place.path.size() > kLongestName)
    return base::fail(ErrorKind::invalid_input, "the plan's path is too long for the fleet");
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking) return base::fail(app::not_tracked(context, plan));
  const std::string host = host_of(context);
  const std::string id = machine_id(context);
  place.machine = machine_of(place.project, host, id);
  TRY_ASSIGN(const system::FileInfo info, context.files.info((*tracking)->path()));
  place.place = place_of(host, id, (*tracking)->path(), info.device, info.inode);
  return place;
}

std::string new_replica_id() {
  // The system's own source; 128 bits, so that no two replicas ever meet.
  std::random_device source;
  std::array<unsigned char, 16> bytes{};
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(source() & 0xffU);
  return base::to_hex(bytes);
}

namespace {

bool knows(const core::State& state, const OwnPlace& place) {
  return state.replica && state.replica->place == place.place && is_replica_id(state.replica->id);
}

}  // namespace

Result<std::optional<std::string>> known_replica(const app::Context& context, const OwnPlace& place) {
  TRY_ASSIGN(const app::Shown shown, app::load_shown(context, place.plan, 0));
  if (!shown.state || !knows(*shown.state, place)) return std::optional<std::string>{};
  return std::optional(shown.state->replica->id);
}

Result<std::string> replica_of(const app::Context& context, const OwnPlace& place, Renew renew) {
  app::PlanWork work(context, place.plan);
  TRY(work.open(app::PlanWork::Create::if_plan));
  const auto known = [&](const core::State& state) { return renew == Renew::no && knows(state, place); };
  const auto unchanged = work.unchanged_in_brief();
  if (unchanged && *unchanged && known(work.state())) return work.state().replica->id;
  TRY(work.lock(app::kTimeout));
  TRY(work.sync(app::Edit{}));
  if (known(work.state())) return work.state().replica->id;
  core::Event event;
  event.kind = core::EventKind::replica_created;
  event.time = work.now();
  event.replica = new_replica_id();
  event.place = place.place;
  core::State state = work.state();
  state.replica = core::Replica{event.replica, event.place};
  TRY(work.save(std::move(state), {event}));
  return event.replica;
}

}  // namespace plankeep::fleet
