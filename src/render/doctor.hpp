#pragma once
// `plankeep doctor`: checks with their remedies.
//
// JSON: { plan {id, path}, healthy, checks [ {name, health, message, remedy?} ] }; healthy: no check is a
// problem.

#include <string>
#include <string_view>
#include <vector>

#include "render/style.hpp"

namespace plankeep::render {

enum class Health { ok, warning, problem };
std::string_view name_of(Health health);

struct Check {
  std::string name;  // "state.json", "history", "lock"
  Health health = Health::ok;
  std::string message;  // one line
  std::string remedy;   // what to do; empty when there is nothing
};

struct DoctorReport {
  std::string plan_id;
  std::string path;  // empty: there is no plan, and the checks are of the rest
  std::vector<Check> checks;
};

bool healthy(const DoctorReport& report);
std::string doctor_text(const DoctorReport& report, const Style& style);
std::string doctor_json(const DoctorReport& report);

}  // namespace plankeep::render
