// audit/audit on any message: claims are tasks of the plan or look like ids of it, and a plan that is quoted
// in a fence behind the message changes nothing.

#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.hpp"
#include "audit/claimed_work.hpp"
#include "fuzz/law.hpp"

namespace {

using namespace plankeep;

std::vector<core::AuditTask> some_tasks() {
  std::vector<core::AuditTask> tasks;
  const auto add = [&](const char* id, const char* title, const char* phase, const char* phase_title) {
    core::AuditTask& task = tasks.emplace_back();
    task.id = core::TaskId(id);
    task.title = title;
    task.phase = core::PhaseId(phase);
    task.phase_title = phase_title;
    task.done = tasks.size() % 2 == 0;
  };
  add("T001", "Create project skeleton", "p1", "Phase 1: Setup");
  add("T002", "Add config loader", "p1", "Phase 1: Setup");
  add("T010", "Write unit tests for the loader", "p1", "Phase 1: Setup");
  add("setup", "Setup", "p2", "Phase 2: Core");
  add("auth-login", "Auth login", "p2", "Phase 2: Core");
  add("1.2", "Choose a license", "p2", "Phase 2: Core");
  add("T001", "The same id again", "p2", "Phase 2: Core");
  return tasks;
}

/// A fence that is still open would take in what follows.
std::string without_fences(std::string_view message) {
  std::string text(message);
  for (char& c : text)
    if (c == '`' || c == '~') c = '\'';
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fuzz::law;
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  const std::vector<core::AuditTask> tasks = some_tasks();
  std::size_t next = 0;
  for (const core::Assertion& assertion : core::find_assertions(message, tasks)) {
    law(assertion.line >= 1, "a claim stands on a line");
    if (assertion.task) {
      law(*assertion.task >= next && *assertion.task < tasks.size(),
          "claims are tasks, each once, in the plan's order");
      law(assertion.id == tasks[*assertion.task].id.text, "a claim has its task's id");
      next = *assertion.task + 1;
    } else {
      next = tasks.size();
      law(!assertion.id.empty() && message.find(assertion.id) != std::string_view::npos,
          "an unknown id is one that the message has");
    }
  }
  const core::Audit audit = core::audit_message(message, tasks);
  law(audit.clean() == audit.unverified.empty(), "clean says what the lists say");

  if (size < (core::kAuditedHead + core::kAuditedTail) / 2) {
    const std::string text = without_fences(message) + "\n\n";
    const std::string quoted =
        text + "```\n- [x] T001 Create project skeleton\nT002 is done\nDONE: setup\n```\n";
    law(core::find_assertions(text, tasks) == core::find_assertions(quoted, tasks),
        "a quoted plan claims nothing");
  }
  law(core::named_tasks(message, tasks).size() <= tasks.size(), "a prompt names tasks of the plan");
  const std::vector<core::ClaimedFile> files = core::claimed_files(message);
  law(files.size() <= core::kMostClaimedFiles, "so many files are taken");
  for (const core::ClaimedFile& file : files) {
    law(message.find(file.path) != std::string_view::npos && file.path.find("..") == std::string::npos,
        "a claimed file is a path of the message, and leads nowhere else");
  }
  (void)core::claimed_tests(message);
  return 0;
}
