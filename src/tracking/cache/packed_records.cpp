#include "tracking/cache/packed_records.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/enum_names.hpp"

namespace plankeep::app {
namespace {

template <class T, class Wanted>
concept IsA = std::same_as<std::remove_const_t<T>, Wanted>;

class Packer {
 public:
  std::string out;

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7f) | 0x80));
    out.push_back(static_cast<char>(value));
  }
  void text(const std::string& value) {
    number(value.size());
    out += value;
  }
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : in_(bytes) {}

  bool good() const { return good_; }
  bool at_end() const { return at_ == in_.size(); }
  std::size_t left() const { return in_.size() - at_; }
  void fail() {
    good_ = false;
    at_ = in_.size();
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ < in_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(in_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  void text(std::string& value) {
    const std::uint64_t size = number();
    if (size > left()) return fail();
    value.assign(in_.substr(at_, size));
    at_ += size;
  }

 private:
  std::string_view in_;
  std::size_t at_ = 0;
  bool good_ = true;
};

// item() packs or unpacks one value. Small negative numbers also take few bytes.
void item(Packer& to, const std::string& value) {
  to.text(value);
}
void item(Packer& to, const bool& value) {
  to.number(value ? 1 : 0);
}
template <class Number>
requires(std::unsigned_integral<Number> && !std::same_as<Number, bool>) void item(Packer& to,
                                                                                  const Number& value) {
  to.number(value);
}
void item(Packer& to, const std::int64_t& value) {
  to.number((static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}
void item(Packer& to, const int& value) {
  item(to, static_cast<std::int64_t>(value));
}
void item(Packer& to, const base::Instant& value) {
  item(to, value.milliseconds);
}

void item(Unpacker& from, std::string& value) {
  from.text(value);
}
void item(Unpacker& from, bool& value) {
  value = from.number() != 0;
}
template <class Number>
requires(std::unsigned_integral<Number> && !std::same_as<Number, bool>) void item(Unpacker& from,
                                                                                  Number& value) {
  value = static_cast<Number>(from.number());
}
void item(Unpacker& from, std::int64_t& value) {
  const std::uint64_t bits = from.number();
  value = static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
}
void item(Unpacker& from, int& value) {
  std::int64_t wide = 0;
  item(from, wide);
  value = static_cast<int>(wide);
}
void item(Unpacker& from, base::Instant& value) {
  item(from, value.milliseconds);
}

template <class Enumeration>
requires std::is_enum_v<Enumeration>
void item(Packer& to, const Enumeration& value) {
  to.number(static_cast<std::uint64_t>(value));
}
template <class Enumeration>
requires std::is_enum_v<Enumeration>
void item(Unpacker& from, Enumeration& value) {
  const std::uint64_t number = from.number();
  if (number >= base::enumerator_count<Enumeration>()) return from.fail();
  value = static_cast<Enumeration>(number);
}

template <class Archive, class Kind>
void item(Archive& archive, core::Id<Kind>& id) {
  item(archive, id.text);
}
template <class Archive, class Kind>
void item(Archive& archive, const core::Id<Kind>& id) {
  item(archive, id.text);
}

template <class Archive, class Struct>
requires std::is_class_v<Struct>
void item(Archive& archive, Struct& value);
template <class Value>
void item(Packer& to, const std::optional<Value>& value);
template <class Value>
void item(Unpacker& from, std::optional<Value>& value);
template <class Value>
void item(Packer& to, const std::vector<Value>& values);
template <class Value>
void item(Unpacker& from, std::vector<Value>& values);

template <class Archive, class... Values>
void each(Archive& archive, Values&... values) {
  (item(archive, values), ...);
}

// Each part as the list of its fields.
template <class A, IsA<core::Box> T>
void fields(A& a, T& v) {
  auto& [offset, length] = v;
  each(a, offset, length);
}
template <class A, IsA<core::Task> T>
void fields(A& a, T& v) {
  auto& [id, title, state, optional, line, after, parent, section, marked, boxes, id_in_text] = v;
  each(a, id, title, state, optional, line, after, parent, section, marked, boxes, id_in_text);
}
template <class A, IsA<core::Criterion> T>
void fields(A& a, T& v) {
  auto& [id, title, met, line, verify, boxes, optional, parent, section, active] = v;
  each(a, id, title, met, line, verify, boxes, optional, parent, section, active);
}
template <class A, IsA<core::Phase> T>
void fields(A& a, T& v) {
  auto& [id, title, line, tasks, acceptance] = v;
  each(a, id, title, line, tasks, acceptance);
}
template <class A, IsA<core::Decision> T>
void fields(A& a, T& v) {
  auto& [text, reason, line] = v;
  each(a, text, reason, line);
}
template <class A, IsA<core::Blocker> T>
void fields(A& a, T& v) {
  auto& [text, line] = v;
  each(a, text, line);
}
template <class A, IsA<core::Diagnostic> T>
void fields(A& a, T& v) {
  auto& [line, column, code, message, hint] = v;
  each(a, line, column, code, message, hint);
}
template <class A, IsA<core::Plan> T>
void fields(A& a, T& v) {
  // What was renumbered is told of a state that is older than the packed one.
  auto& [title, skipped, has_markers, phases, decisions, blockers, diagnostics, renumbered] = v;
  (void)renumbered;
  each(a, title, skipped, has_markers, phases, decisions, blockers, diagnostics);
}
template <class A, IsA<core::Progress> T>
void fields(A& a, T& v) {
  auto& [total, completed, percent_tenths, optional, optional_open] = v;
  each(a, total, completed, percent_tenths, optional, optional_open);
}
template <class A, IsA<core::UnknownField> T>
void fields(A& a, T& v) {
  auto& [name, json] = v;
  each(a, name, json);
}
template <class A, IsA<core::Evidence> T>
void fields(A& a, T& v) {
  auto& [command, status, timed_out, duration_ms, output_sha256, last_lines, head, dirty, tree, changed_files,
         time, unknown] = v;
  each(a, command, status, timed_out, duration_ms, output_sha256, last_lines, head, dirty, tree,
       changed_files, time, unknown);
}
template <class A, IsA<core::TaskState> T>
void fields(A& a, T& v) {
  auto& [id, title, done, optional, completed_at, completed_by, unknown, parent] = v;
  each(a, id, title, done, optional, completed_at, completed_by, unknown, parent);
}
template <class A, IsA<core::CriterionState> T>
void fields(A& a, T& v) {
  auto& [id, title, met, verified_at, evidence, unknown, optional] = v;
  each(a, id, title, met, verified_at, evidence, unknown, optional);
}
template <class A, IsA<core::PhaseState> T>
void fields(A& a, T& v) {
  auto& [id, title, status, started_at, completed_at, tasks, acceptance, unknown] = v;
  each(a, id, title, status, started_at, completed_at, tasks, acceptance, unknown);
}
template <class A, IsA<core::DecisionState> T>
void fields(A& a, T& v) {
  auto& [time, decision, reason, unknown] = v;
  each(a, time, decision, reason, unknown);
}
template <class A, IsA<core::AgentState> T>
void fields(A& a, T& v) {
  auto& [id, type, assigned_tasks, completed_tasks, last_active, status, session, sent_back, assignment_known,
         assigned_plan, unknown] = v;
  each(a, id, type, assigned_tasks, completed_tasks, last_active, status, session, sent_back,
       assignment_known, assigned_plan, unknown);
}
template <class A, IsA<core::Assignment> T>
void fields(A& a, T& v) {
  auto& [tool_use, type, tasks, plan] = v;
  each(a, tool_use, type, tasks, plan);
}
template <class A, IsA<core::SessionState> T>
void fields(A& a, T& v) {
  auto& [id, client, started_at, ended_at, last_active, process, transcript, prompts, context_percent,
         context_window, context_full, resume_due, last_message, last_answer, last_answered, last_revision,
         edited_prompt, assignments, unknown] = v;
  each(a, id, client, started_at, ended_at, last_active, process, transcript, prompts, context_percent,
       context_window, context_full, resume_due, last_message, last_answer, last_answered, last_revision,
       edited_prompt, assignments, unknown);
}
template <class A, IsA<core::AuditFinding> T>
void fields(A& a, T& v) {
  auto& [agent, agent_type, session, time, background, unverified, plan, unknown] = v;
  each(a, agent, agent_type, session, time, background, unverified, plan, unknown);
}
template <class A, IsA<core::UnreadEdit> T>
void fields(A& a, T& v) {
  auto& [by, agent, time, before, after, everywhere] = v;
  each(a, by, agent, time, before, after, everywhere);
}
template <class A, IsA<core::LeaseState> T>
void fields(A& a, T& v) {
  auto& [task, phase, by, fence, since, renewed, until, session, host, process, fleet_fence, unknown] = v;
  each(a, task, phase, by, fence, since, renewed, until, session, host, process, fleet_fence, unknown);
}
template <class A, IsA<core::RemovedTask> T>
void fields(A& a, T& v) {
  auto& [task, phase, title, completed_at, completed_by, removed_at] = v;
  each(a, task, phase, title, completed_at, completed_by, removed_at);
}
template <class A, IsA<core::SavedCheckpoint> T>
void fields(A& a, T& v) {
  auto& [id, type, phase, time, unknown] = v;
  each(a, id, type, phase, time, unknown);
}
template <class A, IsA<core::SavedCommit> T>
void fields(A& a, T& v) {
  auto& [sha, milestone, phase, tier, phase_complete, time, unknown] = v;
  each(a, sha, milestone, phase, tier, phase_complete, time, unknown);
}
template <class A, IsA<core::Replica> T>
void fields(A& a, T& v) {
  auto& [id, place] = v;
  each(a, id, place);
}
template <class A, IsA<core::PlanStamp> T>
void fields(A& a, T& v) {
  auto& [mtime_ns, size, inode] = v;
  each(a, mtime_ns, size, inode);
}
template <class A, IsA<core::FromPlan> T>
void fields(A& a, T& v) {
  auto& [progress, phases, current_phase, current_task, blockers, decisions] = v;
  each(a, progress, phases, current_phase, current_task, blockers, decisions);
}
template <class A, IsA<core::FromHistory> T>
void fields(A& a, T& v) {
  auto& [session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed, latest_checkpoint,
         last_commit, archived_at, replica, vanished_at] = v;
  each(a, session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed, latest_checkpoint,
       last_commit, archived_at, replica, vanished_at);
}
template <class A, IsA<core::Bookkeeping> T>
void fields(A& a, T& v) {
  auto& [findings, unread, structure_hash, plan_seen, plan_unreadable, unsaid_since] = v;
  each(a, findings, unread, structure_hash, plan_seen, plan_unreadable, unsaid_since);
}
template <class A, IsA<core::Stamp> T>
void fields(A& a, T& v) {
  auto& [plan_id, plan_path, last_saved, checksum, lint_errors, every_box, revision, history_offset,
         history_offset_known, history_chain, plan_stamp, unknown] = v;
  each(a, plan_id, plan_path, last_saved, checksum, lint_errors, every_box, revision, history_offset,
       history_offset_known, history_chain, plan_stamp, unknown);
}
template <class A, IsA<core::State> T>
void fields(A& a, T& v) {
  const auto part = [&a](auto& of) { fields(a, of); };
  using Const = std::is_const<T>;
  part(static_cast<std::conditional_t<Const::value, const core::FromPlan, core::FromPlan>&>(v));
  part(static_cast<std::conditional_t<Const::value, const core::FromHistory, core::FromHistory>&>(v));
  part(static_cast<std::conditional_t<Const::value, const core::Bookkeeping, core::Bookkeeping>&>(v));
  part(static_cast<std::conditional_t<Const::value, const core::Stamp, core::Stamp>&>(v));
}

template <class Archive, class Struct>
requires std::is_class_v<Struct>
void item(Archive& archive, Struct& value) {
  fields(archive, value);
}
template <class Value>
void item(Packer& to, const std::optional<Value>& value) {
  to.number(value ? 1 : 0);
  if (value) item(to, *value);
}
template <class Value>
void item(Unpacker& from, std::optional<Value>& value) {
  if (from.number() != 0) item(from, value.emplace());
}
template <class Value>
void item(Packer& to, const std::vector<Value>& values) {
  to.number(values.size());
  for (const Value& value : values) item(to, value);
}
template <class Value>
void item(Unpacker& from, std::vector<Value>& values) {
  const std::uint64_t count = from.number();
  // Each element takes at least one byte, most take many: reserve only what is likely to be needed.
  if (count > from.left()) return from.fail();
  values.reserve(std::min<std::size_t>(count, 1 + from.left() / 32));
  for (std::uint64_t i = 0; i < count && from.good(); ++i) item(from, values.emplace_back());
}

}  // namespace

std::string pack(const core::Plan& plan, const core::State& state) {
  Packer to;
  fields(to, plan);
  fields(to, state);
  return std::move(to.out);
}

base::Result<PackedRecords> unpack(std::string_view bytes) {
  PackedRecords records;
  Unpacker from(bytes);
  fields(from, records.plan);
  fields(from, records.state);
  if (!from.good() || !from.at_end())
    return base::fail(base::ErrorKind::corrupt, "not the records of a plan");
  return records;
}

}  // namespace plankeep::app
