#include "render/recorded/chain.hpp"

#include "base/json_writer.hpp"
#include "render/style.hpp"

namespace plankeep::render {

std::string chain_words(const core::ChainReport& report) {
  if (report.broken) {
    return "is broken from line " + std::to_string(*report.broken) + " on: a line was changed or removed";
  }
  if (report.chained == 0) return "is empty: it starts with the next save";
  std::string words = "is intact: " + counted(report.chained, "line", "lines");
  if (report.unchained_before > 0)
    words += ", " + std::to_string(report.unchained_before) + " older ones not in it";
  if (report.unchained > 0) {
    words += ", " + std::to_string(report.unchained) + " by other tools or versions not in it";
    if (report.first_unchained)
      words += " (the first is line " + std::to_string(*report.first_unchained) + ")";
  }
  return words;
}

std::string chain_json(const core::ChainReport& report) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("holds").value(report.holds());
  out.key("lines").value(report.lines);
  out.key("chained").value(report.chained);
  out.key("unchainedBefore").value(report.unchained_before);
  out.key("unchained").value(report.unchained);
  if (report.first_unchained) out.key("firstUnchained").value(*report.first_unchained);
  if (report.broken) out.key("brokenFrom").value(*report.broken);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
