#pragma once
// Three-way merge of a plan: two versions that grew out of one, into one text (`plankeep merge-driver`).
// Pure.
//
// The text is merged line by line (merge/line_merge), with the characters between the brackets of boxes left
// out of the comparison; each box then gets its own three-way answer by what it is the box of
// (merge/merge_boxes), written byte for byte as the side has it that decided. So a tick meets no rewording
// of its task, and a tick on one side and one below it on the other are no conflict.
//
//   changed on one side             that side's, ticked or opened again
//   changed on both, differently    the higher of done, active, open: no tick is lost
//   the task was taken out on the other side, and its box was changed here: a conflict
//   a box without a written id was ticked here and reworded on the other side: a conflict. So it is with one
//   whose id is a number in the text, if tasks were numbered anew. If other boxes have the same words, also
//   if the task or heading above it was reworded
//
// Where changes touch each other, tasks, decisions, blockers and headings are taken one by one
// (merge/record_merge): what both sides put in at one place is kept, ours first, or theirs where only that
// leaves every box below its task. So the sides are equal: what merges one way round merges the other way
// round. What is left over becomes conflict markers (`marker_size` times "<", "=", ">"), as git writes them;
// boxes in them have their answer too, so either half keeps the ticks. A half also keeps what the other side
// took out right beside the conflict. Where a half would read wrongly (see below), the stretch is not taken
// one by one, and the halves are as git writes them; and if a tick of the other side would stand at other
// words there, each half has its own ticks only. parse_plan reports markers that were left behind
// (conflict-marker).
//
// The result is read again: a merge that is clean line by line but reads wrongly (a box swallowed by an open
// fence, an id that both sides gave to another task, a tick that no version has for these words, a box that
// is there twice or not at all though both sides have it once, or below a task that it is below on neither
// side) is a conflict without markers. Only the line of a tick that no version has for these words gets
// conflict markers, with the state that each side has.
//
// Line ends: a side that changed all of LF to CRLF, or back, has its way. The final newline likewise. A byte
// order mark, ill-formed UTF-8 and everything else stays as it stands in the line. What cannot be read as a
// plan, or has conflict markers (as git's merge of several bases may), is merged as lines of text; what is
// binary (a NUL among the first 8,000 bytes, as git has it) is ours, and a conflict.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::markdown {

struct MergeLabels {
  std::size_t marker_size = 7;  // git's conflict-marker-size
  std::string ours = "ours";
  std::string theirs = "theirs";
};

struct MergeConflict {
  std::int64_t line = 0;  // in the result, of the first marker; 0: the whole file
  std::string message;    // one line; may quote the plan
  bool operator==(const MergeConflict&) const = default;
};

struct MergedPlan {
  std::string text;
  std::vector<MergeConflict> conflicts;  // empty: clean
};

MergedPlan merge_plans(std::string_view base, std::string_view ours, std::string_view theirs,
                       const MergeLabels& labels = {});

}  // namespace plankeep::markdown
