#pragma once
// Desk over the real use cases. Looking writes nothing, no cache either.

#include <map>
#include <string>

#include "lsp/desk.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rewind/restore.hpp"
#include "secrets/known_secrets.hpp"

namespace plankeep::lsp {

class PlanDesk : public Desk {
 public:
  PlanDesk(const app::Context& context, std::string actor) : context_(context), actor_(std::move(actor)) {}

  Records records(const std::string& path) override;
  std::vector<core::Diagnostic> secrets(const std::string& path, std::string_view text) override;
  core::TreeNow tree(const std::string& path) override;
  base::Result<std::string> status(const std::string& path, const OpenPlan* open) override;
  base::Instant now() override { return context_.clock.now(); }
  EarlierNames earlier_names(const std::string& path, const core::PhaseId& phase, const std::string& id,
                             const std::string& title) override;
  base::Result<std::string> annotated(const std::string& path, const std::string& text) override;
  std::vector<std::string> lost_tasks(const std::string& path, const std::string& text) override;
  base::Result<std::string> with_lost_tasks(const std::string& path, const std::string& text) override;
  std::vector<std::string> plans_around(const std::string& folder) override;
  base::Result<std::optional<std::string>> text_of(const std::string& path, std::string& stamp) override;
  base::Result<std::string> set_box(const std::string& path, const std::string& id,
                                    core::BoxState state) override;
  base::Result<std::string> annotate(const std::string& path) override;
  base::Result<std::string> restore_lost(const std::string& path) override;
  base::Result<std::string> claim(const std::string& path, const std::string& id) override;
  base::Result<CriterionCommands> commands_of(const std::string& path, const std::string& id,
                                              const std::string* text) override;
  base::Result<CommandResult> run_command(const std::string& path, const CriterionCommand& command,
                                          bool trust, system::CommandWatch& watch) override;
  base::Result<std::vector<std::string>> saved(const std::string& path) override;
  std::string diagnostics_page() override;
  const std::string& actor() const override { return actor_; }

 private:
  // Of one file, and what its records looked like when they were read.
  struct Known {
    app::PlanLocation plan;
    Records records;
    std::string stamp;
    bool read = false;
  };
  Known& known(const std::string& path);
  app::PlanLocation location(const std::string& path);

  const app::Context& context_;
  std::string actor_;
  std::map<std::string, Known> known_;
  std::uint64_t age_ = 0;
  secrets::KnownSecrets secrets_;  // for the text of the last call of secrets()
};

}  // namespace plankeep::lsp
