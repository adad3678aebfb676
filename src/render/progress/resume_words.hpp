#pragma once
// How a resume text names tasks, phases and claims: safe to be said to a model, without secrets, each of a
// bounded length. Private to this room.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// No item may crowd out the others: a title of a novel's length is cut here. In characters.
inline constexpr std::size_t kItemLimit = 200;

std::string resume_item(std::string_view text, std::size_t limit);
/// "login: Add login"; the id alone where the title says nothing else.
std::string resume_name(std::string_view id, std::string_view title, std::size_t limit);
std::string resume_names(const std::vector<core::TaskId>& ids, std::size_t limit);

/// Whether somebody holds it: a lease whose holder has ended does not stand.
bool stands(const core::LeaseRow* lease);
/// With the moment until which it holds, and not whether that is over: the text is the same for the same
/// state.
std::string resume_claim(const core::LeaseRow& lease, std::size_t limit);

}  // namespace plankeep::render
