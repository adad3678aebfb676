#include "render/progress/status_columns.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/fitting.hpp"
#include "render/glyphs.hpp"

namespace plankeep::render {
namespace {

std::string_view title_beside(const StatusItem& item) {
  return core::title_beside_id(item.title, item.id);
}

}  // namespace

StatusColumns::StatusColumns(const std::vector<StatusItem>& items, const Style& style, std::size_t columns,
                             const std::string& file)
    : style_(style), columns_(columns), file_(file) {
  std::size_t titles = 0;
  for (const StatusItem& item : items) {
    // A long one is never cut: its title makes room.
    const std::size_t id = base::display_width(safe_line(item.id));
    if (id <= columns_ / 4) ids_ = std::max(ids_, id);
    titles = std::max(titles, base::display_width(safe_line(title_beside(item), columns_)));
    const std::size_t info = base::display_width(safe_line(item.info));
    if (info <= columns_ / 3 || item.finished) infos_ = std::max(infos_, std::min(info, columns_ / 3));
  }
  const std::size_t left = 4 + ids_ + 2;
  const std::size_t right = infos_ > 0 ? infos_ + 2 : 0;
  titles_ = std::min(titles, columns_ > left + right ? columns_ - left - right : 0);
}

std::string StatusColumns::row(const StatusItem& item) const {
  const Paint colour = item.current ? Paint::strong : item.finished ? Paint::dim : Paint::plain;
  const std::string id = pad_right(safe_line(item.id), ids_);
  const std::size_t wider = base::display_width(id) - ids_;
  std::vector<StatusCell> cells = {{id, colour}};
  std::size_t used = 4 + ids_ + wider;
  const std::size_t titles = titles_ - std::min(titles_, wider);
  if (titles > 0) {
    cells.push_back({"  ", Paint::plain});
    cells.push_back({pad_right(safe_line(title_beside(item), titles), titles), colour});
    used += 2 + titles;
  }
  // Of what is open it may hold ids, which are never cut: where there is no room it goes below.
  const std::string info = item.finished ? safe_line(item.info, infos_) : safe_line(item.info);
  const Paint paint_of_info = item.finished ? Paint::dim : Paint::active;
  std::string below;
  if (base::display_width(info) > infos_) {
    for (const std::string& line : base::parts_of(wrapped(info, columns_ - 4, 0), '\n'))
      below += "    " + paint(style_, paint_of_info, line) + "\n";
  } else if (!info.empty()) {
    cells.push_back({"  ", Paint::plain});
    cells.push_back({info, paint_of_info});
    used += 2 + base::display_width(info);
  }
  if (item.current && item.line > 0) {
    const std::string where = safe_line(place(file_, item.line));
    if (used + 2 + base::display_width(where) <= columns_) {
      cells.push_back({"  ", Paint::plain});
      cells.push_back({where, Paint::dim});
    } else {
      below = "    " + paint(style_, Paint::dim, where) + "\n" + below;
    }
  }
  const std::string pointer = item.current ? paint(style_, Paint::active, "▸") : std::string(" ");
  return pointer + " " + item.mark + " " + joined_cells(style_, std::move(cells)) + "\n" + below;
}

std::string joined_cells(const Style& style, std::vector<StatusCell> cells) {
  while (!cells.empty()) {
    std::string& last = cells.back().text;
    while (last.ends_with(' ')) last.pop_back();
    if (!last.empty()) break;
    cells.pop_back();
  }
  std::string line;
  for (const StatusCell& cell : cells) line += paint(style, cell.paint, cell.text);
  return line;
}

}  // namespace plankeep::render
