// The hook engine: a person went back to an earlier message and edited it.

#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/message_target.hpp"
#include "clients/transcripts/edited_prompt.hpp"
#include "hooks/hook_call.hpp"
#include "render/progress/hook_words.hpp"

namespace plankeep::app {

std::optional<clients::EditedPrompt> HookCall::new_edited_prompt(const core::SessionState& session,
                                                                 const PlanLocation& plan) {
  if (!client_.tells_model(event_) || event_.transcript.empty()) return std::nullopt;
  auto edited = clients::edited_prompt(transcript_tail());
  if (!edited || edited->id == session.edited_prompt) return std::nullopt;
  // Settings are read only where they can matter.
  if (settings(plan).rewind_on_edit == RewindOnEdit::off) return std::nullopt;
  return edited;
}

namespace {

std::string report_on(const Context& context, const PlanLocation& plan, const std::string& prompt,
                      bool automatic) {
  const auto opened = open_checkpoints(context, plan, records::Access::read);
  if (!opened) return {};
  const auto fit = checkpoint_at_message(context, plan, *opened, prompt);
  if (!fit) return {};
  const auto newest = opened->store->latest({});
  // Nothing was done since.
  if (!newest || !*newest || (**newest).head.id == fit->head.id) return {};
  return render::edited_prompt_report(shown_path(context, plan.path()), fit->head.id.text, automatic);
}

}  // namespace

const std::string& HookCall::edited_prompt_report(const PlanLocation& plan,
                                                  const clients::EditedPrompt& edited) {
  if (!edited_report_) {
    const bool automatic = settings(plan).rewind_on_edit == RewindOnEdit::automatic;
    edited_report_ = report_on(context_, plan, edited.before, automatic);
  }
  return *edited_report_;
}

}  // namespace plankeep::app
