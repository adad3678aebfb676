#include "render/recorded/rewind.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/line_diff.hpp"

namespace plankeep::render {
namespace {

// A whole build put back is a number, not a list.
constexpr std::size_t kPathsShown = 40;
constexpr std::size_t kWordColumns = 8;
constexpr std::size_t kNamesShown = 3;

struct NamedFile {
  std::string path;
  std::string word;  // of a change what it is; of another why it stays
};

std::vector<NamedFile> changes_of(const app::Rewound& rewound) {
  std::vector<NamedFile> files;
  files.reserve(rewound.files.changes.size());
  for (const git::TreeChange& change : rewound.files.changes)
    files.push_back({change.path, std::string(git::name_of(change.what))});
  return files;
}

std::vector<NamedFile> kept_of(const app::Rewound& rewound) {
  std::vector<NamedFile> files;
  files.reserve(rewound.files.kept.size());
  for (const git::KeptPath& kept : rewound.files.kept) files.push_back({kept.path, kept.why});
  return files;
}

std::vector<NamedFile> named(const std::vector<git::LeftOut>& left_out) {
  std::vector<NamedFile> files;
  files.reserve(left_out.size());
  for (const git::LeftOut& left : left_out) files.push_back({left.path, std::string(git::name_of(left.why))});
  return files;
}

void add_paths(std::string& text, const std::vector<NamedFile>& files, bool reasons, const Style& style) {
  const std::size_t shown = style.columns == kUnlimited ? files.size() : std::min(files.size(), kPathsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const NamedFile& file = files[i];
    const std::string path = safe_line(file.path);
    const std::string line = reasons ? "  " + path + ": " + safe_line(file.word)
                                     : "  " + pad_right(file.word, kWordColumns) + "  " + path;
    text += line + "\n";
  }
  if (files.size() == shown) return;
  const auto more = static_cast<std::int64_t>(files.size() - shown);
  text += paint(style, Paint::dim, "  and " + counted(more, "more", "more")) + "\n";
}

std::string commit_id(const std::string& commit) {
  constexpr std::size_t kDigits = 12;
  return commit.substr(0, kDigits);
}

// What no checkpoint ever holds, in one line.
std::string about_left_out(std::string_view what, const std::vector<git::LeftOut>& left) {
  const std::vector<NamedFile> left_out = named(left);
  if (left_out.empty()) return {};
  const auto name = [](const NamedFile& file) {
    return safe_line(file.path) + " (" + safe_line(file.word) + ")";
  };
  const std::string names = base::first_joined(left_out, kNamesShown, name);
  return std::string(what) + names + "\n";
}

// What a person has to know of HEAD, and does not see.
std::string about_head(const app::Rewound& rewound) {
  std::string text;
  if (rewound.head_moved && rewound.branch.empty())
    text += std::string(rewound.dry ? "HEAD would be" : "HEAD is") +
            " detached: new commits will be on no branch (create one: git switch -c NAME)\n";
  if (rewound.left_behind > 0)
    text += counted(rewound.left_behind, "commit is", "commits are") +
            " no longer on any branch; to keep: git branch NAME " + commit_id(rewound.left_commit) + "\n";
  return text;
}

std::string what_changed(const app::Rewound& rewound) {
  std::string text;
  const auto add = [&text](const std::string& part) { base::append_listed(text, part); };
  if (rewound.head_moved)
    add((rewound.nothing_staged ? "HEAD and its index (nothing staged) at " : "HEAD and the index at ") +
        (rewound.branch.empty() ? commit_id(rewound.commit) : safe_line(rewound.branch)));
  if (!rewound.files.changes.empty()) add(counted(rewound.files.changes.size(), "file", "files"));
  if (rewound.plan_changes()) {
    add(rewound.plan_missing_after ? "the plan (missing then)" : "the plan");
  } else if (rewound.plan_permissions_change()) {
    add("the plan's permissions");
  }
  return text;
}

}  // namespace

std::string rewind_text(const app::Rewound& rewound, base::Instant now, const Style& style,
                        std::string_view plan) {
  const std::string named = shell_word(plan);
  const bool can_tell = plan.empty() || !named.empty();
  const auto command = [&](const std::string& label, const std::string& what) {
    const std::string of = plan.empty() ? std::string() : " --of " + named;
    return can_tell ? paint(style, Paint::dim, label + ": plankeep rewind " + what + of) + "\n" : "";
  };
  const std::string checkpoint = safe_line(rewound.to.id.text) + " (" +
                                 safe_line(core::name_of(rewound.to.type)) + ", " +
                                 base::ago(rewound.to.timestamp, now) + ")";
  const std::string changed = what_changed(rewound);
  std::string text;
  if (changed.empty()) {
    text = "already identical to " + checkpoint + "\n";
    if (!rewound.behind.empty()) text += command("One step further", safe_line(rewound.behind));
  } else {
    text = (rewound.dry ? "would restore " : "restored ") + changed + " from " + checkpoint + "\n";
  }
  add_paths(text, changes_of(rewound), false, style);
  if (!rewound.files.kept.empty()) {
    text += "not changed:\n";
    add_paths(text, kept_of(rewound), true, style);
  }
  text += about_left_out("in no checkpoint, not changed: ", rewound.files.left_out);
  text += about_left_out("gone, and in no checkpoint to restore from: ", rewound.files.gone);
  for (const std::string& other : rewound.other_plans_shown)
    text += std::string(rewound.dry ? "would also rewind another plan: " : "also rewound another plan: ") +
            safe_line(other) + "\n";
  text += about_head(rewound);
  if (rewound.dry) {
    if (rewound.plan_changes()) text += line_diff(rewound.plan_before, rewound.plan_after, style);
    return text;
  }
  if (rewound.outcome && rewound.outcome->readable && rewound.plan_changes())
    text += std::to_string(rewound.outcome->state.progress.completed) + " of " +
            counted(rewound.outcome->state.progress.total, "task", "tasks") + " done\n";
  if (!rewound.from.empty()) text += rewound.undid ? command("Redo", "--redo") : command("Undo", "--undo");
  return text;
}

std::string rewind_json(const app::Rewound& rewound) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, rewound.plan);
  out.key("to").begin_object();
  out.key("checkpoint").value(rewound.to.id.text);
  out.key("type").value(core::name_of(rewound.to.type));
  out.key("time").value(base::to_iso8601(rewound.to.timestamp));
  out.end_object();
  out.key("from");
  if (rewound.from.empty()) {
    out.null();
  } else {
    out.value(rewound.from);
  }
  out.key("what").value(app::name_of(rewound.what));
  out.key("dryRun").value(rewound.dry);
  out.key("planChanged").value(rewound.plan_changes());
  if (rewound.plan_permissions_change()) out.key("planPermissionsChanged").value(true);
  const auto list = [&out](std::string_view name, std::string_view word,
                           const std::vector<NamedFile>& files) {
    out.key(name).begin_array();
    for (const NamedFile& file : files) {
      out.begin_object();
      out.key("path").value(file.path);
      out.key(word).value(file.word);
      out.end_object();
    }
    out.end_array();
  };
  list("files", "change", changes_of(rewound));
  list("kept", "reason", kept_of(rewound));
  list("leftOut", "reason", named(rewound.files.left_out));
  if (!rewound.files.gone.empty()) list("gone", "reason", named(rewound.files.gone));
  write_strings(out, "otherPlans", rewound.other_plans_shown);
  if (!rewound.commit.empty()) {
    out.key("commit").value(rewound.commit);
    write_optional(out, "branch", rewound.branch);
    out.key("headMoved").value(rewound.head_moved);
    if (rewound.left_behind > 0) {
      out.key("leftBehind").begin_object();
      out.key("commit").value(rewound.left_commit);
      out.key("count").value(rewound.left_behind);
      out.end_object();
    }
  }
  if (rewound.dry) out.key("diff").value(line_diff(rewound.plan_before, rewound.plan_after, Style{}));
  if (rewound.outcome) {
    write_progress(out, rewound.outcome->state.progress);
    out.key("revision").value(rewound.outcome->state.revision);
  }
  write_strings(out, "warnings", rewound.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
