#include "render/progress/hook_words.hpp"

#include <algorithm>

#include "render/progress/resume_fit.hpp"
#include "render/style.hpp"
#include "rules/rewind_steps.hpp"

namespace plankeep::render {
namespace {

constexpr std::string_view kMark = "[plankeep] ";
constexpr std::size_t kHookItemLimit = 160;
// Why a plan cannot be read ends with what to do, and a notice with what became of the tasks that it names.
constexpr std::size_t kReasonLimit = 2 * kHookItemLimit;
// More lines than this help nobody: status and lint show the rest.
constexpr std::size_t kLinesShown = 8;
constexpr std::size_t kIdsShown = 20;
constexpr std::size_t kFilesShown = 4;

std::string safe_item(std::string_view text, std::size_t limit) {
  return without_tags(fit_to_characters(safe_line(text), limit));
}

std::string hook_item(std::string_view text) {
  return safe_item(text, kHookItemLimit);
}

bool worth_a_word(core::NoticeKind kind) {
  switch (kind) {
    case core::NoticeKind::task_reopened:
    case core::NoticeKind::task_removed:
    case core::NoticeKind::task_renamed:
    case core::NoticeKind::criterion_unmet:
    case core::NoticeKind::criterion_removed:
    case core::NoticeKind::task_skipped:  // less is left to do than before
    case core::NoticeKind::criterion_skipped:
    case core::NoticeKind::plan_replaced:
    case core::NoticeKind::phase_completed:
    case core::NoticeKind::plan_completed:
    case core::NoticeKind::done_before_dependency:  // a claim that does not hold yet (spec 10.2)
      return true;
    case core::NoticeKind::tasks_renumbered:  // whoever numbered them anew knows
    case core::NoticeKind::boxes_found:       // of an earlier version; nobody did anything
    case core::NoticeKind::phase_reopened:    // follows from a task that was
    case core::NoticeKind::done_by_another:   // nothing is wrong with the tick; log and sync tell of it
      return false;
  }
  return false;
}

std::string joined(const std::vector<std::string>& ids) {
  return base::first_joined(ids, kIdsShown, hook_item);
}

std::string with_lines(std::string_view file, const std::vector<std::string>& lines) {
  std::string text = std::string(kMark) + hook_item(file) + ":";
  if (lines.size() == 1) return text + " " + lines.front();
  for (std::size_t i = 0; i < lines.size() && i < kLinesShown; ++i) text += "\n- " + lines[i];
  if (lines.size() > kLinesShown) text += "\n- and " + std::to_string(lines.size() - kLinesShown) + " more";
  return text;
}

}  // namespace

std::string edit_news(const EditNews& news) {
  std::vector<std::string> lines;
  const std::string_view name = std::string_view(news.file).substr(news.file.rfind('/') + 1);
  const bool named = !news.unreadable.empty() && news.unreadable.starts_with(name);
  if (!news.unreadable.empty()) lines.push_back(safe_item(news.unreadable, kReasonLimit));
  // A plan that is complete completes its last phase: one line says it.
  const bool complete = std::any_of(news.notices.begin(), news.notices.end(), [](const core::Notice& notice) {
    return notice.kind == core::NoticeKind::plan_completed;
  });
  bool lost = false;
  for (const core::Notice& notice : news.notices) {
    if (!worth_a_word(notice.kind)) continue;
    if (complete && notice.kind == core::NoticeKind::phase_completed) continue;
    lost = lost || notice.kind == core::NoticeKind::task_removed ||
           notice.kind == core::NoticeKind::criterion_removed ||
           notice.kind == core::NoticeKind::plan_replaced;
    lines.push_back(safe_item(notice.text, kReasonLimit));
  }
  for (const std::string& error : news.new_errors)
    lines.push_back("new error in the plan: " + hook_item(error));
  if (lines.empty()) return {};
  // The reason names the file already.
  const std::string_view behind = named ? std::string_view(news.unreadable).substr(name.size()) : "";
  std::string text = named && lines.size() == 1
                         ? std::string(kMark) + hook_item(news.file) + (behind.starts_with(' ') ? " " : "") +
                               safe_item(behind, kReasonLimit)
                         : with_lines(news.file, lines);
  if (lost) text += "\nTo see and restore earlier versions: plankeep restore";
  if (!news.new_errors.empty()) text += "\nFor details: plankeep lint";
  return text;
}

std::string finding_reason(std::string_view file, const std::vector<std::string>& unverified) {
  const bool one = unverified.size() == 1;
  return std::string(kMark) + "You said that " + joined(unverified) + (one ? " is" : " are") + " done, but " +
         hook_item(file) + (one ? " does not have it ticked." : " does not have them ticked.") +
         " For each: if it is really done, set its box to [x] in the plan; if not, say what is missing. " +
         "Do not tick anything that is not done.";
}

std::string finding_notice(std::string_view file, const std::vector<std::string>& unverified) {
  const bool one = unverified.size() == 1;
  return std::string(kMark) + "The agent said that " + joined(unverified) + (one ? " is" : " are") +
         " done, but " + (one ? "its box" : "their boxes") + " in " + hook_item(file) +
         (one ? " is not ticked." : " are not ticked.");
}

std::string doubt_notice(const core::WorkDoubts& doubts) {
  std::string text;
  const auto say = [&text](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence; };
  const auto are = [](const std::vector<std::string>& files) { return files.size() == 1 ? " was" : " were"; };
  if (!doubts.missing.empty()) {
    say("The last message says that " + joined(doubts.missing) + are(doubts.missing) +
        " created or changed, but no such file is there.");
  }
  if (!doubts.unchanged.empty()) {
    say("The last message says that " + joined(doubts.unchanged) + are(doubts.unchanged) +
        " changed, but not since this session began.");
  }
  if (doubts.tests == core::WorkDoubts::Tests::not_run) {
    say("The last message says that tests pass, but the transcript shows no test run.");
  }
  if (doubts.tests == core::WorkDoubts::Tests::failed) {
    say("The last message says that all tests pass, but the last test run in the transcript failed.");
  }
  return text.empty() ? text : std::string(kMark) + text;
}

std::string rewind_report(std::string_view file, const core::Event& rewound, bool detached) {
  const bool without_plan = rewound.what == core::kFilesAndHead;
  const bool head = core::moves_head(rewound.what);
  std::string text = without_plan                       ? "files, git's index and HEAD were"
                     : head                             ? "plan, files, git's index and HEAD were"
                     : rewound.what == "all"            ? "plan and files were"
                     : rewound.what == "files"          ? "the files were"
                     : rewound.what == core::kSomePaths ? "some files were"
                                                        : "the plan was";
  text += " rewound";
  if (!rewound.by.empty()) text += " by " + hook_item(rewound.by);
  if (rewound.to.starts_with("cp_")) text += " to checkpoint " + hook_item(rewound.to);
  text += ". Read again any file you rely on.";
  if (head && detached)
    text += " HEAD is detached: new commits will be on no branch (to create one: git switch -c NAME).";
  return with_lines(file, {text});
}

std::string edited_prompt_report(std::string_view file, std::string_view checkpoint, bool at_once) {
  const std::string command = "plankeep rewind " + hook_item(checkpoint);
  std::string text =
      "The user edited an earlier message. Files and plan are still as the messages after it left them. ";
  text += at_once ? "Take the work back to that message before you go on: " + command +
                        " (undo: plankeep rewind --undo)."
                  : "To take the work back to that message: " + command +
                        " (--dry-run shows what would change). Ask the user first.";
  return with_lines(file, {text});
}

std::string finding_report(std::string_view file, const std::vector<core::AuditFinding>& findings) {
  std::vector<std::string> files;  // in the order in which they are named first
  std::vector<std::vector<std::string>> lines;
  for (const core::AuditFinding& claim : findings) {
    const std::string about = claim.plan.empty() ? std::string(file) : claim.plan;
    const auto known = std::find(files.begin(), files.end(), about);
    const auto at = static_cast<std::size_t>(known - files.begin());
    if (known == files.end()) {
      files.push_back(about);
      lines.emplace_back();
    }
    const bool one = claim.unverified.size() == 1;
    lines[at].push_back("subagent " + hook_item(claim.agent_type) + " (" + hook_item(claim.agent) +
                        ") said that " + joined(claim.unverified) + (one ? " is" : " are") + " done, but " +
                        (one ? "its box is" : "their boxes are") +
                        " not ticked. Check before relying on it.");
  }
  std::string text;
  for (std::size_t i = 0; i < files.size() && i < kFilesShown; ++i)
    base::append_line(text, with_lines(files[i], lines[i]));
  if (files.size() > kFilesShown)
    base::append_line(text, "and in " + std::to_string(files.size() - kFilesShown) + " more plans");
  return text;
}

}  // namespace plankeep::render
