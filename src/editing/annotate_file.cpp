#include "editing/annotate_file.hpp"

#include "editing/edit_loop.hpp"
#include "markdown/parse_plan.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr int kAnnotateRounds = 20;

// Null when the file is not tracked.
Result<std::unique_ptr<system::Folder>> tracking_of(system::Folder& folder, const PlanLocation& plan) {
  auto tracking = store::open_tracking(folder, plan.name);
  if (tracking) return std::move(*tracking);
  if (tracking.error().kind == ErrorKind::not_found) return std::unique_ptr<system::Folder>();
  return base::fail(std::move(tracking.error()));
}

Result<markdown::Annotated> inspect(store::PlanFile& file, system::Folder* tracking, const PlanLocation& plan,
                                    std::string& bytes) {
  TRY_ASSIGN(auto text, file.read());
  bytes = std::move(text.bytes);
  TRY_ASSIGN(core::Plan parsed, markdown::parse_plan(bytes));
  if (tracking != nullptr) {
    TRY_ASSIGN(const LoadedState loaded, load_state(*tracking, plan));
    // Only for its side: the ids that the boxes are recorded by.
    if (loaded.tracked()) (void)effective_state(loaded, parsed, plan);
  }
  return markdown::annotate(bytes, parsed);
}

}  // namespace

Result<AnnotatedFile> annotate_file(const Context& context, const PlanLocation& plan, bool check_only,
                                    const std::string& actor) {
  TRY_ASSIGN(auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, tracking_of(*folder, plan));
  if (tracking && !check_only) {
    PlanWork work(context, plan);
    AnnotatedFile result;
    TRY(edit_plan(work, {actor}, [&]() -> Result<std::string> {
      TRY_ASSIGN(auto annotated, markdown::annotate(work.bytes(), work.plan()));
      result.added = std::move(annotated.added);
      return std::move(annotated.text);
    }));
    result.outcome = work.take_outcome();
    return result;
  }

  store::PlanFile file(context.files, *folder, plan.name);
  for (int round = 0; round < kAnnotateRounds; ++round) {
    std::string bytes;
    TRY_ASSIGN(auto annotated, inspect(file, tracking.get(), plan, bytes));
    if (check_only || annotated.added.empty()) return AnnotatedFile{std::move(annotated.added), std::nullopt};
    const base::Status replaced = file.replace(bytes, annotated.text);
    if (replaced) return AnnotatedFile{std::move(annotated.added), std::nullopt};
    if (replaced.error().kind != ErrorKind::conflict) return base::fail(replaced.error());
  }
  return base::fail(ErrorKind::conflict, "another program changed the plan at every attempt to edit it",
                    "try again when the other program has finished");
}

Result<FixedFile> fix_file(const Context& context, const PlanLocation& plan, bool check_only,
                           const std::string& actor) {
  TRY_ASSIGN(auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, tracking_of(*folder, plan));
  FixedFile result;
  if (tracking && !check_only) {
    PlanWork work(context, plan);
    TRY(edit_plan(work, {actor}, [&]() -> Result<std::string> {
      TRY_ASSIGN(auto fixed, markdown::fix_plan(work.bytes(), work.plan()));
      result.fixes = std::move(fixed.fixes);
      result.left = std::move(fixed.left);
      result.before = work.bytes();
      result.after = fixed.text;
      return std::move(fixed.text);
    }));
    result.outcome = work.take_outcome();
    return result;
  }
  store::PlanFile file(context.files, *folder, plan.name);
  for (int round = 0; round < kAnnotateRounds; ++round) {
    TRY_ASSIGN(auto text, file.read());
    TRY_ASSIGN(const core::Plan parsed, markdown::parse_plan(text.bytes));
    TRY_ASSIGN(auto fixed, markdown::fix_plan(text.bytes, parsed));
    result = {std::move(fixed.fixes), std::move(fixed.left), std::move(text.bytes), std::move(fixed.text),
              std::nullopt};
    if (check_only || result.fixes.empty()) return result;
    const base::Status replaced = file.replace(result.before, result.after);
    if (replaced) return result;
    if (replaced.error().kind != ErrorKind::conflict) return base::fail(replaced.error());
  }
  return base::fail(ErrorKind::conflict, "another program changed the plan at every attempt to edit it",
                    "try again when the other program has finished");
}

}  // namespace plankeep::app
