#include "render/sessions/session_export.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;
using namespace plankeep::render;

namespace {

app::SessionExport sample() {
  const std::string sha(40, 'a');
  app::SessionExport done;
  done.commits = 3;
  done.exported.push_back({sha,
                           "Add \x1b[2Jmain",
                           "01HF7YAT00000G40R40M30E209",
                           core::SessionLayout::refs,
                           core::KeptLines{13, 3, 6},
                           {}});
  app::ExportedSession one;
  one.commit = sha;
  one.session = "sess-1";
  one.client = "claude-code";
  one.files = {"a.txt", "main.c"};
  one.prompts = 1;
  one.has_transcript = true;
  one.agent_percentage = 65.38461538461539;
  one.is_new = true;
  one.redacted.findings = {{"github-token", 2}};
  one.redacted.pictures = 1;
  done.sessions.push_back(one);
  one.session = "sess-2";
  one.client = "cursor";
  one.has_transcript = false;
  one.transcript_left_out = "the client keeps no transcript";
  one.agent_percentage.reset();
  one.no_attribution = "it is not known when files were written";
  one.is_new = false;
  one.redacted = {};
  done.sessions.push_back(one);
  done.left_out.push_back({sha, {}, "sess-3", "codex", "another tool has written it already"});
  return done;
}

}  // namespace

TEST_CASE("an export says for each session what was written, what is missing and why") {
  CHECK(session_export_text(sample(), Style{}) ==
        "Commit aaaaaaaaaa Add main\n"
        "  session checkpoint 01HF7YAT00000G40R40M30E209 (refs)\n"
        "  lines: agent 13, person 3, unknown 6\n"
        "  session sess-1 (Claude Code): written\n"
        "    1 prompt, 2 files, transcript, agent 65.4 %\n"
        "    redacted: github-token 2, pictures 1\n"
        "  session sess-2 (Cursor): already there\n"
        "    1 prompt, 2 files, no transcript (the client keeps no transcript), agent's share unknown (it is "
        "not "
        "known when files were written)\n"
        "  session sess-3 (Codex): left out, another tool has written it already\n"
        "3 commits: 1 session written, 1 already there, 1 left out; 2 commits without a session\n");
}

TEST_CASE("a dry run says what would be written, and no session is an answer too") {
  app::SessionExport done = sample();
  done.dry_run = true;
  done.exported.front().lines.reset();
  done.exported.front().no_lines = "the commit changes too many files to compare";
  const std::string text = session_export_text(done, Style{});
  CHECK(text.find("(Claude Code): would be written\n") != std::string::npos);
  CHECK(text.find("  lines not counted: the commit changes too many files to compare\n") !=
        std::string::npos);
  CHECK(text.find("3 commits: 2 sessions would be written, 1 left out") != std::string::npos);
  app::SessionExport none;
  none.commits = 1;
  CHECK(session_export_text(none, Style{}) == "no session wrote a file of this commit\n");
  none.commits = 0;
  CHECK(session_export_text(none, Style{}) == "no commits to export\n");
}
