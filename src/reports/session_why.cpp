#include "reports/session_why.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/enum_names.hpp"
#include "base/text.hpp"
#include "reports/why_sessions.hpp"
#include "session_rules/line_changes.hpp"
#include "session_rules/session_part.hpp"
#include "tracking/history.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// Git looks no further for a NUL either.
constexpr std::uint64_t kBinaryLook = 8000;

Result<git::WorkTree> work_tree_at(const Context& context, const std::string& folder) {
  if (context.processes == nullptr) return base::fail(ErrorKind::not_found, "git cannot be started here");
  git::Git git(*context.processes, context.files);
  TRY_ASSIGN(auto tree, git.work_tree(folder));
  if (!tree)
    return base::fail(ErrorKind::not_found, "not in a git work tree",
                      "sessions are found by commits; run it inside a repository");
  return std::move(*tree);
}

core::WantedLine wanted_line(const WhySessions& sessions, const git::BlamedLines& lines, std::string text) {
  core::WantedLine wanted;
  wanted.path = lines.path;
  wanted.text = std::move(text);
  wanted.top = sessions.tree().top;
  // Of the author, who wrote it; a rebase comes later.
  if (!lines.commit.empty()) wanted.until = core::end_of_commit(lines.time);
  return wanted;
}

void keep_most(WhyReport& report) {
  report.all_commits = report.commits.size();
  if (report.commits.size() > kMostWhyCommits) report.commits.resize(kMostWhyCommits);
}

// A file in the work tree, its links resolved up to its own name.
struct PlacedFile {
  std::unique_ptr<system::Folder> folder;
  std::string name;
  std::string path;  // absolute
};

Result<PlacedFile> place_file(const Context& context, const std::string& typed) {
  const std::string absolute = absolute_path(context, typed);
  PlacedFile placed;
  placed.name = last_part(absolute);
  TRY_ASSIGN(const std::string folder, context.files.real_path(parent_of(absolute)));
  TRY_ASSIGN(placed.folder, context.files.open_folder(folder));
  placed.path = (folder == "/" ? folder : folder + "/") + placed.name;
  TRY_ASSIGN(const system::FileInfo info, placed.folder->info(placed.name));
  if (info.kind != system::FileKind::regular)
    return base::fail(
        info.kind == system::FileKind::missing ? ErrorKind::not_found : ErrorKind::invalid_input,
        typed + (info.kind == system::FileKind::missing ? ": no such file" : ": is no file"));
  return placed;
}

Status add_line(WhySessions& sessions, WhyReport& report, const PlacedFile& placed) {
  TRY_ASSIGN(git::BlamedLines lines,
             git::blame_line(sessions.git(), sessions.tree(), report.path, report.line));
  report.text = lines.text;
  WhyCommit& commit = report.commits.emplace_back();
  commit.lines = std::move(lines);
  core::WantedLine wanted = wanted_line(sessions, commit.lines, report.text);
  if (!commit.lines.commit.empty()) {
    wanted.file = sessions.text_at(commit.lines.commit, commit.lines.path);
    return sessions.of_commit(commit, wanted, commit.lines.path);
  }
  wanted.file = placed.folder->read(placed.name, core::kLargestReplayed).value_or("");
  commit.sessions = sessions.of_live_transcripts(wanted);
  return {};
}

Status add_file(WhySessions& sessions, WhyReport& report) {
  std::vector<git::BlamedLines> parts;
  if (report.binary) {
    TRY_ASSIGN(git::BlamedLines last, git::last_change(sessions.git(), sessions.tree(), report.path));
    parts.push_back(std::move(last));
  } else {
    TRY_ASSIGN(parts, git::blame_file(sessions.git(), sessions.tree(), report.path));
  }
  for (git::BlamedLines& lines : parts) {
    WhyCommit& commit = report.commits.emplace_back();
    commit.lines = std::move(lines);
    if (report.binary) commit.link = WhyLink::last_change;
  }
  keep_most(report);
  for (WhyCommit& commit : report.commits) {
    if (!commit.lines.commit.empty()) TRY(sessions.of_commit(commit, std::nullopt, commit.lines.path));
  }
  return {};
}

// A file that git does not know yet: only the running sessions can tell.
Status add_unknown_file(WhySessions& sessions, WhyReport& report, const std::string& text) {
  const auto lines = core::text_lines(text);
  if (report.line > std::ssize(lines))
    return base::fail(ErrorKind::invalid_input,
                      "file " + report.path + " has only " + base::counted(lines.size(), "line", "lines"));
  WhyCommit& commit = report.commits.emplace_back();
  commit.lines.path = report.path;
  commit.lines.line = report.line;
  commit.lines.count = std::ssize(lines);
  if (report.kind != WhyReport::Kind::line) return {};
  std::string_view line = lines[static_cast<std::size_t>(report.line - 1)];
  if (line.ends_with('\n')) line.remove_suffix(1);
  report.text = std::string(line);
  commit.lines.text = report.text;
  commit.lines.count = 1;
  core::WantedLine wanted = wanted_line(sessions, commit.lines, report.text);
  wanted.file = text;
  commit.sessions = sessions.of_live_transcripts(wanted);
  return {};
}

// --- of a task -------------------------------------------------------------------------------------------

class TaskWhy {
 public:
  TaskWhy(const Context& context, const PlanLocation& plan, WhySessions& sessions, WhyReport& report)
      : context_(context), plan_(plan), sessions_(sessions), report_(report) {
    const std::string top = sessions.tree().top + "/";
    if (plan.path().starts_with(top)) plan_path_ = plan.path().substr(top.size());
  }

  Status find() {
    if (!done()) return {};
    TRY(by_plan_links());
    TRY(by_box());
    TRY(by_phase());
    keep_most(report_);
    bool proven = false;
    for (WhyCommit& commit : report_.commits) {
      TRY(sessions_.of_commit(commit, wanted(commit), {}));
      proven = proven || std::any_of(commit.sessions.begin(), commit.sessions.end(),
                                     [](const auto& one) { return one.proof == WhyProof::tool_call; });
    }
    if (!proven) add_live();
    return {};
  }

 private:
  const core::TaskRow* task() const { return report_.task->task(); }
  const core::CriterionRow* criterion() const { return report_.task->criterion_row(); }
  bool done() const { return task() != nullptr ? task()->state == core::BoxState::done : criterion()->met; }
  const std::string& id() const { return task() != nullptr ? task()->id.text : criterion()->id.text; }
  std::int64_t line() const { return task() != nullptr ? task()->line : criterion()->line; }
  std::optional<base::Instant> completed() const {
    if (task() != nullptr && task()->completed_at) return task()->completed_at;
    std::optional<base::Instant> last;
    for (const core::Event& event : report_.task->events) {
      const bool met =
          event.kind == core::EventKind::acceptance_met || event.kind == core::EventKind::task_completed;
      if (met) last = event.time;
    }
    return last;
  }

  Status add(const std::string& sha, WhyLink link, const git::BlamedLines* known = nullptr) {
    const bool is_known = std::any_of(report_.commits.begin(), report_.commits.end(),
                                      [&](const WhyCommit& one) { return one.lines.commit == sha; });
    if (is_known) return {};
    WhyCommit commit;
    commit.link = link;
    if (known != nullptr) {
      commit.lines = *known;
    } else {
      TRY_ASSIGN(auto read, git::commit_words(sessions_.git(), sessions_.tree(), sha));
      if (!read) return {};  // rewritten, and gone
      commit.lines = std::move(*read);
    }
    report_.commits.push_back(std::move(commit));
    return {};
  }

  // Commits whose session checkpoint says that they did it.
  Status by_plan_links() {
    Sessions* const all = sessions_.sessions();
    if (all == nullptr) return {};
    SessionListRequest request;
    request.count = std::size_t{1} << 30;
    request.plan = plan_.plan_id();
    TRY_ASSIGN(const SessionList list, all->list(request));
    for (const SessionListItem& item : list.items) {
      const core::Strings& done_here = item.row.tasks_done;
      if (std::find(done_here.begin(), done_here.end(), id()) == done_here.end()) continue;
      for (const core::SessionLink& link : item.links) {
        if (!link.mentioned) TRY(add(link.commit, WhyLink::plan_link));
      }
    }
    return {};
  }

  // The commit that its line in the plan comes from.
  Status by_box() {
    if (plan_path_.empty() || line() <= 0) return {};
    auto lines = git::blame_line(sessions_.git(), sessions_.tree(), plan_path_, line());
    if (!lines) {
      const ErrorKind kind = lines.error().kind;
      const bool not_in_git = kind == ErrorKind::not_found || kind == ErrorKind::invalid_input;
      return not_in_git ? Status() : Status(base::fail(std::move(lines.error())));
    }
    box_ = std::move(*lines);
    return box_->commit.empty() ? Status() : add(box_->commit, WhyLink::box, &*box_);
  }

  // The first commit of its phase that was recorded since it was done.
  Status by_phase() {
    const auto since = completed();
    auto history = HistoryReader::open(context_, plan_);
    if (!since || !history) return {};
    for (const char* const kind : {"checkpoint_complete", "checkpoint_linked"}) {
      HistoryFilter filter;
      filter.event = kind;
      filter.since = since;
      TRY_ASSIGN(const auto lines, history->newest(kTaskEvents, filter));
      for (const store::TailLine& one : lines) {
        if (one.event.phase != report_.task->phase_row().id || !core::is_commit_id(one.event.commit))
          continue;
        TRY(add(one.event.commit, WhyLink::phase));
        break;
      }
    }
    return {};
  }

  std::string box_text() const {
    if (box_ && !box_->text.empty()) return box_->text;
    return "- [x] " + (task() != nullptr ? task()->title : criterion()->title);
  }

  std::optional<core::WantedLine> wanted(const WhyCommit& commit) const {
    if (plan_path_.empty()) return std::nullopt;
    git::BlamedLines in_plan = commit.lines;
    in_plan.path = plan_path_;
    return wanted_line(sessions_, in_plan, box_text());
  }

  void add_live() {
    if (plan_path_.empty()) return;
    git::BlamedLines lines;
    lines.path = plan_path_;
    auto live = sessions_.of_live_transcripts(wanted_line(sessions_, lines, box_text()));
    if (live.empty()) return;
    WhyCommit& commit = report_.commits.emplace_back();
    commit.link = WhyLink::box;
    commit.lines = std::move(lines);
    commit.sessions = std::move(live);
    ++report_.all_commits;
  }

  const Context& context_;
  const PlanLocation& plan_;
  WhySessions& sessions_;
  WhyReport& report_;
  std::string plan_path_;  // relative to the top; empty: the plan is outside of the work tree
  std::optional<git::BlamedLines> box_;
};

constexpr auto kProofs =
    base::enum_names<WhyProof>({{WhyProof::tool_call, "tool_call"}, {WhyProof::checkpoint, "checkpoint"}});
constexpr auto kLinks = base::enum_names<WhyLink>({{WhyLink::line, "line"},
                                                   {WhyLink::last_change, "last_change"},
                                                   {WhyLink::plan_link, "plan_link"},
                                                   {WhyLink::box, "box"},
                                                   {WhyLink::phase, "phase"}});

}  // namespace

std::string_view name_of(WhyProof proof) {
  return kProofs.name_of(proof);
}
std::string_view name_of(WhyLink link) {
  return kLinks.name_of(link);
}

std::optional<FileAndLine> file_and_line(const Context& context, const std::string& typed) {
  const auto is_there = [&](const std::string& path) {
    if (path.empty()) return false;
    const auto info = context.files.info(absolute_path(context, path));
    return info && info->kind != system::FileKind::missing;
  };
  if (is_there(typed)) return FileAndLine{typed, std::nullopt};
  const std::size_t colon = typed.rfind(':');
  if (colon == std::string::npos || !base::all_digits(std::string_view(typed).substr(colon + 1)) ||
      !is_there(typed.substr(0, colon)))
    return std::nullopt;
  std::int64_t line = 0;
  const char* const end = typed.data() + typed.size();
  // A number that is too large for us is behind the end of every file.
  if (std::from_chars(typed.data() + colon + 1, end, line).ec != std::errc{}) line = INT32_MAX;
  return FileAndLine{typed.substr(0, colon), std::min<std::int64_t>(line, INT32_MAX)};
}

Result<WhyReport> why_line(const Context& context, const FileAndLine& wanted) {
  TRY_ASSIGN(const PlacedFile placed, place_file(context, wanted.path));
  TRY_ASSIGN(git::WorkTree tree, work_tree_at(context, parent_of(placed.path)));
  if (!stands_in(placed.path, tree.top))
    return base::fail(ErrorKind::not_found, wanted.path + " is outside of the work tree " + tree.top);
  if (wanted.line && *wanted.line < 1)
    return base::fail(ErrorKind::invalid_input, "lines are counted from 1");
  WhyReport report;
  report.path = placed.path.substr(tree.top == "/" ? 1 : tree.top.size() + 1);
  report.kind = wanted.line ? WhyReport::Kind::line : WhyReport::Kind::file;
  report.line = wanted.line.value_or(0);
  TRY_ASSIGN(const std::string beginning, placed.folder->read_range(placed.name, 0, kBinaryLook));
  // A binary file has no lines that could be asked about.
  if (core::is_binary_text(beginning)) {
    report.binary = true;
    report.kind = WhyReport::Kind::file;
    report.line = 0;
  }
  WhySessions sessions(context, std::move(tree));
  Status found =
      report.kind == WhyReport::Kind::line ? add_line(sessions, report, placed) : add_file(sessions, report);
  if (!found && found.error().kind == ErrorKind::not_found) {
    report.commits.clear();
    std::string text;
    if (!report.binary) {
      TRY_ASSIGN(text, placed.folder->read(placed.name, kLargestLiveTranscript));
    }
    found = add_unknown_file(sessions, report, text);
  }
  TRY(found);
  report.all_commits = std::max(report.all_commits, report.commits.size());
  report.warnings = sessions.take_warnings();
  return report;
}

Result<WhyReport> why_task(const Context& context, const PlanLocation& plan, const std::string& wanted) {
  TRY_ASSIGN(TaskReport task, report_task(context, plan, wanted));
  TRY_ASSIGN(git::WorkTree tree, work_tree_at(context, plan.folder));
  WhyReport report;
  report.kind = WhyReport::Kind::task;
  report.task = std::move(task);
  WhySessions sessions(context, std::move(tree));
  TRY(TaskWhy(context, plan, sessions, report).find());
  report.warnings = sessions.take_warnings();
  return report;
}

}  // namespace plankeep::app
