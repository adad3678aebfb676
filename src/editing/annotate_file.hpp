#pragma once
// Giving a plan the markers that it lacks (spec 9, annotate), and mending what has one right answer (lint
// --fix), in the plan's file.
//
// The ids are those under which the boxes are recorded already, where the plan is tracked, so no completion
// is lost. A tracked plan is synced before and after, under its lock, by `actor`; one that is not tracked is
// only edited. The file is written as editing/complete writes it; annotating twice changes nothing.
//
// Errors: conflict where markers cannot say what the plan says (markdown/edits/annotate), else as
// editing/complete.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "markdown/edits/annotate.hpp"
#include "markdown/edits/fix_plan.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct AnnotatedFile {
  std::vector<markdown::AddedMarker> added;  // in document order; empty when nothing was missing
  std::optional<Outcome> outcome;            // of the sync behind it; absent when the plan is not tracked
};

/// `check_only`: says what would be added and writes nothing at all.
[[nodiscard]] base::Result<AnnotatedFile> annotate_file(const Context& context, const PlanLocation& plan,
                                                        bool check_only, const std::string& actor);

struct FixedFile {
  std::vector<markdown::Fix> fixes;  // empty when nothing was to be mended
  std::vector<markdown::Fix> left;   // what could not be: it would bring another problem
  std::string before;
  std::string after;
  std::optional<Outcome> outcome;  // as of AnnotatedFile
};

/// The same for markdown/edits/fix_plan.
[[nodiscard]] base::Result<FixedFile> fix_file(const Context& context, const PlanLocation& plan,
                                               bool check_only, const std::string& actor);

}  // namespace plankeep::app
