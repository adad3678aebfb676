#pragma once
// What a plan is called (spec 2.2): a value of its path, and at the top of a git work tree of its repository.
//
// A general name (plan.md, tasks.md, ...) says nothing: such a plan is called after the folder that holds it,
// and at the root of a git work tree after the repository, so that it is the same in a clone of another name
// and in a linked work tree. Every other file is called after itself, without its extension.
//
// Git is not asked: the name comes from the repository's own configuration file, or from where it lies.

#include <string>
#include <string_view>
#include <vector>

#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// plan.md, tasks.md, task_plan.md, fix_plan.md, implementation_plan.md, todo.md, prd.md, in any letter case;
/// and @fix_plan.md.
bool is_general_plan_name(std::string_view name);

/// The URL of `[remote "origin"]` in the text of a git configuration file, the last one; empty: none.
std::string origin_in(std::string_view configuration);
/// "shop" of "https://host/shop.git", "host:team/shop", "/srv/shop/.git".
std::string repository_name_in(std::string_view place);

/// Fills plan.id with what its repository says, where that matters; a plan that has an id keeps it.
void identify(const Context& context, PlanLocation& plan);

/// What to call each of these plans where they stand side by side: its id, or, where two have the same, with
/// so many folders above it as it takes ("team/auth"; "linked/shop" for a work tree of shop in a folder
/// called linked), or at last its path; in the same order.
std::vector<std::string> distinct_ids(const std::vector<PlanLocation>& plans);

/// What to call one plan beside the other tracked ones of its folder: its id, or, where another one has the
/// same, what distinct_ids() gives it among them. Looks into the folder only for a general name but plan.md.
std::string id_in_own_folder(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
