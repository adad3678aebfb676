#include "mcp/fleet_tools.hpp"

#include <utility>

#include "project/own_program.hpp"
#include "render/style.hpp"
#include "tracking/show.hpp"

namespace plankeep::mcp {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::chrono::milliseconds kTimeout{30'000};
constexpr std::size_t kOutput = std::size_t{4} << 20;
// plankeep's exit statuses: the answer is "no"; busy.
constexpr int kNo = 1;
constexpr int kBusy = 5;

// The JSON that it printed, when its status is 0 or 1.
Result<std::string> ask(const ToolCall& call, const app::PlanLocation& plan, std::vector<std::string> words) {
  const auto program = app::fleet_program(call.context);
  if (!program || call.context.processes == nullptr)
    return base::fail(ErrorKind::not_found, "plankeep-fleet is not installed",
                      "install the package plankeep-fleet");
  system::Run run;
  run.words = {*program};
  for (std::string& word : words) run.words.push_back(std::move(word));
  run.words.insert(run.words.end(), {"--json", "--plan", plan.path()});
  run.timeout = kTimeout;
  run.output_limit = kOutput;
  run.keep_errors = true;
  TRY_ASSIGN(const system::Finished finished, call.context.processes->run(run));
  if (finished.timed_out) return base::fail(ErrorKind::busy, "the fleet's server does not answer in time");
  const auto told = json_rpc::parse_rendered(finished.output);
  const bool answered = told && !told->contains("error");
  if (answered && (finished.status == 0 || finished.status == kNo)) return finished.output;
  std::string message = "plankeep-fleet ended with status " + std::to_string(finished.status);
  std::string hint;
  if (told && told->contains("error")) {
    const auto& error = (*told)["error"];
    message = error.value("message", message);
    hint = error.value("hint", hint);
  }
  return base::fail(finished.status == kBusy ? ErrorKind::busy : ErrorKind::io, std::move(message),
                    std::move(hint));
}

// Of the words that a claim without a fleet has.
std::string result_of(const std::string& verdict, const std::string& why) {
  if (verdict == "granted") return "claimed";
  if (verdict == "local") return why.empty() ? "held" : why;
  return verdict;
}

}  // namespace

Result<std::string> fleet_status(const ToolCall& call, const app::PlanLocation& plan) {
  return ask(call, plan, {"status"});
}

Result<ToolAnswer> fleet_claim(const ToolCall& call, const app::PlanLocation& plan, const std::string& id,
                               const app::ClaimRequest& request, bool release) {
  std::vector<std::string> words{release ? "release" : id.empty() ? "next" : "claim"};
  if (!id.empty()) words.push_back(id);
  words.insert(words.end(), {"--by", request.actor});
  if (!release) words.insert(words.end(), {"--ttl", std::to_string(request.ttl / base::kSecond) + "s"});
  if (request.fence != 0) words.insert(words.end(), {"--fence", std::to_string(request.fence)});
  TRY_ASSIGN(const std::string told, ask(call, plan, std::move(words)));
  TRY_ASSIGN(auto fleet, json_rpc::parse_rendered(told));
  const std::string verdict = fleet.value("result", "");
  if (verdict == "none_left" || !fleet["task"].is_object()) {
    return base::fail(ErrorKind::not_found, "no task is available in the fleet",
                      "plan_status with fleet shows what is claimed");
  }
  const std::string why = fleet["why"].is_string() ? fleet["why"].get<std::string>() : std::string();
  const std::string result = result_of(verdict, why);
  TRY_ASSIGN(const app::Shown shown, app::load_shown(call.context, plan, 0));
  const bool good = verdict == "granted" || verdict == "renewed" || verdict == "released";
  std::string text = (good ? "" : "not available: ") + result +
                     " in the fleet: " + render::safe_line(fleet["task"].value("id", "")) + "\n";
  const auto& other = fleet["other"];
  if (other.is_object()) {
    text += "it is with " + render::safe_line(other.value("by", "")) + " (" +
            render::safe_line(other.value("login", "")) + ")\n";
  }
  if (fleet["claim"].is_object())
    text += "fence " + std::to_string(fleet["claim"].value("fence", std::int64_t{0})) + "\n";
  decltype(fleet) answer = {{"plan", {{"id", plan.plan_id()}, {"path", plan.path()}}}, {"result", result}};
  answer["task"] = fleet["task"];
  answer["previous"] = nullptr;
  answer["revision"] = shown.state ? shown.state->revision : 0;
  answer["warnings"] = decltype(fleet)::array();
  answer["fleet"] = std::move(fleet);
  return answer_of(std::move(text), std::move(answer), !good);
}

}  // namespace plankeep::mcp
