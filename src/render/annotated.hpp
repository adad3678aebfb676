#pragma once
// What `plankeep annotate` added, or would add (--check).
//
// JSON: { path, written, added [ {line, kind, id} ] }.

#include <cstdint>
#include <string>
#include <vector>

#include "render/style.hpp"

namespace plankeep::render {

struct AddedRow {
  std::int64_t line = 1;  // in the text before
  std::string kind;       // "TASK", "CHECKPOINT"
  std::string id;
};

struct Annotation {
  std::string path;      // as the person named it
  bool written = false;  // false with --check
  std::vector<AddedRow> added;
};

/// "file:line: TASK auth" for every marker, then a summary.
std::string annotated_text(const Annotation& annotation, const Style& style);
std::string annotated_json(const Annotation& annotation);

}  // namespace plankeep::render
