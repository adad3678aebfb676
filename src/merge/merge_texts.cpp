#include "merge/merge_texts.hpp"

#include <algorithm>

namespace plankeep::markdown {
namespace {

// Three-way on a value: the side that changed it has it.
template <class T>
T chosen(const T& base, const T& ours, const T& theirs) {
  return ours == base ? theirs : ours;
}

enum class LineEnds { none, lf, crlf, mixed };

LineEnds line_ends(std::string_view text) {
  bool lf = false;
  bool crlf = false;
  for (std::size_t at = text.find_first_of("\r\n"); at != std::string_view::npos;
       at = text.find_first_of("\r\n", at + 1)) {
    if (text[at] == '\n') {
      lf = true;
    } else if (at + 1 < text.size() && text[at + 1] == '\n') {
      crlf = true;
      ++at;
    } else {
      return LineEnds::mixed;
    }
    if (lf && crlf) return LineEnds::mixed;
  }
  return lf ? LineEnds::lf : crlf ? LineEnds::crlf : LineEnds::none;
}

std::string with_line_ends(std::string_view text, LineEnds wanted) {
  std::string result;
  result.reserve(text.size() + text.size() / 32);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\r') continue;  // of a CRLF: there is no other here
    if (text[at] == '\n' && wanted == LineEnds::crlf) result += '\r';
    result += text[at];
  }
  return result;
}

bool ends_a_line(std::string_view text) {
  return !text.empty() && (text.back() == '\n' || text.back() == '\r');
}

std::string first_line_end(std::string_view text) {
  const std::size_t at = text.find_first_of("\r\n");
  if (at == std::string_view::npos || text[at] == '\n') return "\n";
  return at + 1 < text.size() && text[at + 1] == '\n' ? "\r\n" : "\r";
}

}  // namespace

MergeTexts::MergeTexts(std::string_view base, std::string_view ours, std::string_view theirs)
    : text{std::string(base), std::string(ours), std::string(theirs)} {
  const std::array given{line_ends(base), line_ends(ours), line_ends(theirs)};
  const LineEnds wanted = chosen(given[kBase], given[kOurs], given[kTheirs]);
  const bool uniform =
      std::none_of(given.begin(), given.end(), [](LineEnds ends) { return ends == LineEnds::mixed; });
  if (uniform && (wanted == LineEnds::lf || wanted == LineEnds::crlf)) {
    for (const Side side : kSides) {
      if (given[side] != wanted) text[side] = with_line_ends(text[side], wanted);
    }
  }
  if (wanted == LineEnds::crlf) line_end = "\r\n";
  if (wanted == LineEnds::mixed) line_end = first_line_end(text[kOurs]);
  if (wanted == LineEnds::none) line_end = first_line_end(text[kTheirs]);
  // An empty text says nothing about how the last line ends.
  const auto ended = [&](Side side, bool otherwise) {
    return text[side].empty() ? otherwise : ends_a_line(text[side]);
  };
  const bool ours_ended = ended(kOurs, ended(kTheirs, true));
  const bool theirs_ended = ended(kTheirs, ours_ended);
  final_line_end = chosen(ended(kBase, ours_ended && theirs_ended), ours_ended, theirs_ended);
  for (std::string& each : text) {
    if (!each.empty() && !ends_a_line(each)) each += line_end;
  }
}

void MergeTexts::end_as_wanted(std::string& result) const {
  if (!final_line_end && result.ends_with(line_end)) result.erase(result.size() - line_end.size());
}

}  // namespace plankeep::markdown
