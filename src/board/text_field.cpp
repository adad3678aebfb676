#include "board/text_field.hpp"

#include "base/utf8.hpp"
#include "board/cells.hpp"

namespace plankeep::board {
namespace {

std::string bytes_of(const std::u32string& characters, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) base::append_utf8(text, characters[i]);
  return text;
}

bool is_text(char32_t value) {
  return value >= 0x20 && value != 0x7F && !(value >= 0x80 && value < 0xA0) &&
         !(value >= 0xD800 && value < 0xE000) && value <= 0x10FFFF;
}

}  // namespace

bool TextField::press(const Key& key) {
  using Pressed = Key::Kind;
  switch (key.kind) {
    case Pressed::left:
      if (at_ > 0) --at_;
      return true;
    case Pressed::right:
      if (at_ < characters_.size()) ++at_;
      return true;
    case Pressed::home:
      at_ = 0;
      return true;
    case Pressed::end:
      at_ = characters_.size();
      return true;
    case Pressed::backspace:
      if (at_ > 0) characters_.erase(--at_, 1);
      return true;
    case Pressed::remove:
      if (at_ < characters_.size()) characters_.erase(at_, 1);
      return true;
    case Pressed::character:
      break;
    default:
      return false;
  }
  if (key.character == control('a')) at_ = 0;
  if (key.character == control('e')) at_ = characters_.size();
  if (key.character == control('w')) erase_word();
  if (key.character == control('u')) {
    characters_.erase(0, at_);
    at_ = 0;
  }
  if (is_text(key.character) && characters_.size() < kMost) characters_.insert(at_++, 1, key.character);
  return true;
}

void TextField::erase_word() {
  std::size_t from = at_;
  while (from > 0 && base::is_space(characters_[from - 1])) --from;
  while (from > 0 && !base::is_space(characters_[from - 1])) --from;
  characters_.erase(from, at_ - from);
  at_ = from;
}

std::string TextField::text() const {
  return bytes_of(characters_, 0, characters_.size());
}

void TextField::clear() {
  characters_.clear();
  at_ = 0;
}

TextField::View TextField::view(std::size_t columns) const {
  // The cursor keeps a column behind the text before it.
  std::size_t from = at_;
  while (from > 0 && base::display_width(simple_line(bytes_of(characters_, from - 1, at_))) + 1 <= columns) {
    --from;
  }
  View view;
  view.text = simple_line(bytes_of(characters_, from, at_));
  view.cursor = base::display_width(view.text);
  std::size_t end = at_;
  while (end < characters_.size()) {
    const std::string longer = simple_line(bytes_of(characters_, from, end + 1));
    if (base::display_width(longer) > columns) break;
    view.text = longer;
    ++end;
  }
  return view;
}

}  // namespace plankeep::board
