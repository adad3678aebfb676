#include "rewind/rewind_note.hpp"

#include <array>
#include <utility>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "store/plan_file.hpp"

namespace plankeep::app {
namespace {

constexpr std::array<std::pair<std::string_view, std::string RewindNote::*>, 16> kFields{
    {{"plan", &RewindNote::plan},
     {"from", &RewindNote::from},
     {"to", &RewindNote::to},
     {"what", &RewindNote::what},
     {"by", &RewindNote::by},
     {"planBefore", &RewindNote::plan_before},
     {"planAfter", &RewindNote::plan_after},
     {"others", &RewindNote::others},
     {"branch", &RewindNote::branch},
     {"commit", &RewindNote::commit},
     {"toBranch", &RewindNote::to_branch},
     {"toCommit", &RewindNote::to_commit},
     {"index", &RewindNote::index},
     {"toIndex", &RewindNote::to_index},
     {"safety", &RewindNote::safety},
     {"indexFile", &RewindNote::index_file}}};

}  // namespace

std::string to_json(const RewindNote& note) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  for (const auto& [key, member] : kFields) out.key(key).value(note.*member);
  out.end_object();
  return out.finish();
}

base::Result<RewindNote> rewind_note(std::string_view text) {
  RewindNote note;
  base::JsonReader in(text);
  TRY(in.object([&](std::string_view key) -> base::Status {
    for (const auto& [name, member] : kFields) {
      if (key == name) return in.string(note.*member);
    }
    return in.skip();
  }));
  TRY(in.end());
  return note;
}

core::Event rewound(const RewindNote& note, base::Instant time) {
  core::Event event;
  event.kind = core::EventKind::rewound;
  event.time = time;
  event.by = note.by;
  event.from = note.from;
  event.to = note.to;
  event.what = note.what;
  return event;
}

std::string digest_of(const Context& context, const PlanLocation& plan) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return {};
  store::PlanFile file(context.files, **folder, plan.name);
  const auto text = file.read();
  if (!text && text.error().kind == base::ErrorKind::not_found) return {};
  return base::sha256_hex(text ? text->bytes : std::string());
}

}  // namespace plankeep::app
