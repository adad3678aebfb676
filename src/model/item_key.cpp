#include "model/item_key.hpp"

#include <algorithm>
#include <optional>

namespace plankeep::core {

std::string_view title_beside_id(std::string_view title, std::string_view id) {
  if (title == id) return {};
  if (id.empty() || !title.starts_with(id)) return title;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool capital = id.front() >= 'A' && id.front() <= 'Z';
  if (!is_digit(id.back()) || !(capital || is_digit(id.front()))) return title;
  std::string_view rest = title.substr(id.size());
  const bool mark = std::string_view(":.),").find(rest.front()) != std::string_view::npos;
  // "2 players" is no written id, "2. Players" is.
  if (!mark && std::all_of(id.begin(), id.end(), is_digit)) return title;
  if (mark) rest.remove_prefix(1);
  if (rest.empty()) return rest;
  if (rest.front() != ' ') return title;  // "T0041" and "1.2.3" are other words
  rest.remove_prefix(1);
  for (const std::string_view dash : {"- ", "\u2013 ", "\u2014 "}) {
    if (rest.starts_with(dash)) return rest.substr(dash.size());
  }
  return rest;
}

WrittenNumber written_number(std::string_view title, std::string_view id) {
  const auto behind = [title](std::string_view number) -> std::optional<WrittenNumber> {
    if (title == number) return std::nullopt;  // "one": the id was made of the title
    const std::string_view words = title_beside_id(title, number);
    if (words.size() == title.size()) return std::nullopt;
    return WrittenNumber{number, words};
  };
  if (const auto exact = behind(id)) return *exact;
  std::string_view form = id;
  for (std::size_t dash = form.rfind('-'); dash != std::string_view::npos; dash = form.rfind('-')) {
    if (!is_numbered_form(form, form.substr(0, dash))) break;
    form = form.substr(0, dash);
    if (const auto found = behind(form)) return *found;
  }
  return {{}, title};
}

bool took_the_number(std::string_view title, std::string_view earlier_title, const TaskId& id) {
  const WrittenNumber now = written_number(title, id.text);
  const WrittenNumber before = written_number(earlier_title, id.text);
  return !now.number.empty() && !before.number.empty() && now.words != before.words;
}

bool is_numbered_form(std::string_view id, std::string_view of) {
  if (!id.starts_with(of) || id.size() < of.size() + 2 || id[of.size()] != '-') return false;
  const std::string_view digits = id.substr(of.size() + 1);
  return digits.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace plankeep::core
