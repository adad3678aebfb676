#include "render/progress/resume_words.hpp"

#include "model/item_key.hpp"
#include "render/progress/leases.hpp"
#include "render/progress/resume_fit.hpp"
#include "render/style.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::render {

std::string resume_item(std::string_view text, std::size_t limit) {
  return fit_to_characters(secrets::redact(safe_line(text)), limit);
}

std::string resume_name(std::string_view id, std::string_view title, std::size_t limit) {
  std::string text = resume_item(id, limit);
  const std::string_view words = core::title_beside_id(title, id);
  if (!words.empty()) text += ": " + resume_item(words, limit);
  return text;
}

std::string resume_names(const std::vector<core::TaskId>& ids, std::size_t limit) {
  std::string text;
  for (const core::TaskId& id : ids) {
    if (!text.empty()) text += ", ";
    text += resume_item(id.text, limit);
    if (text.size() > 4 * limit) break;
  }
  return fit_to_characters(text, limit);
}

bool stands(const core::LeaseRow* lease) {
  return lease != nullptr && lease->status != core::LeaseStatus::gone;
}

std::string resume_claim(const core::LeaseRow& lease, std::size_t limit) {
  return "claimed by " + resume_item(lease.by, limit) + " until " + minute_of(lease.until);
}

}  // namespace plankeep::render
