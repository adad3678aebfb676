#pragma once
// What a hook says to a model or a person (spec 10.2, 10.4, 10.5): short lines, each beginning with
// "[plankeep]".
//
// Plan text and agents' names are data from strangers: they are made safe (render/style safe_line), cut, put
// in quotes where they are a title, and "<" loses its meaning where a tag could begin.

#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.hpp"
#include "audit/claimed_work.hpp"
#include "model/event.hpp"
#include "model/ids.hpp"
#include "model/state.hpp"
#include "rules/reconcile.hpp"

namespace plankeep::render {

/// What an edit did that is worth a word. All empty: nothing is.
struct EditNews {
  std::string file;                     // as short as it is right
  std::vector<core::Notice> notices;    // of kinds that are not worth it are passed over
  std::vector<std::string> new_errors;  // model/diagnostics error_lines
  std::string unreadable;               // why the last state was kept; empty: the plan could be read
  bool nothing() const { return notices.empty() && new_errors.empty() && unreadable.empty(); }
};

/// Empty when there is nothing to say. Ends without a line feed.
std::string edit_news(const EditNews& news);

/// Sends a subagent (or, at the gate, the main thread) back once: what it said is done and is not ticked.
std::string finding_reason(std::string_view file, const std::vector<std::string>& unverified);

/// The same of the main thread, for the person: nobody is sent back.
std::string finding_notice(std::string_view file, const std::vector<std::string>& unverified);

/// What was said of files and tests and does not hold. Empty when there is nothing of the kind.
std::string doubt_notice(const core::WorkDoubts& doubts);

/// Tells a model that goes on working that plan or files were taken back (an event rewound). `detached`:
/// git's HEAD is now, if the event moved it.
std::string rewind_report(std::string_view file, const core::Event& rewound, bool detached = false);

/// Tells a parent what its subagents claimed.
std::string finding_report(std::string_view file, const std::vector<core::AuditFinding>& findings);

/// For the model: the person edited an earlier message, and the work of the messages behind it is still
/// there. `checkpoint` is the one that fits; `at_once`: to be gone back to without asking.
std::string edited_prompt_report(std::string_view file, std::string_view checkpoint, bool at_once);

}  // namespace plankeep::render
