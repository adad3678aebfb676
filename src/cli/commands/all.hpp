#pragma once
// Every command, one file each. The table with their summaries is in cli/program.cpp.

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace plankeep::cli {

using Words = std::vector<std::string>;

ExitCode run_add(Program& program, const Words& words);
ExitCode run_after_commit(Program& program, const Words& words);
ExitCode run_after_hook(Program& program, const Words& words);
ExitCode run_annotate(Program& program, const Words& words);
ExitCode run_archive(Program& program, const Words& words);
ExitCode run_block(Program& program, const Words& words);
ExitCode run_board(Program& program, const Words& words);
ExitCode run_checkpoint(Program& program, const Words& words);
ExitCode run_claim(Program& program, const Words& words);
ExitCode run_commit(Program& program, const Words& words);
ExitCode run_completion(Program& program, const Words& words);
ExitCode run_decide(Program& program, const Words& words);
ExitCode run_doctor(Program& program, const Words& words);
ExitCode run_done(Program& program, const Words& words);
ExitCode run_export(Program& program, const Words& words);
ExitCode run_fleet(Program& program, const Words& words);
ExitCode run_git_hook(Program& program, const Words& words);
ExitCode run_git_setup(Program& program, const Words& words);
ExitCode run_graph(Program& program, const Words& words);
ExitCode run_help(Program& program, const Words& words);
ExitCode run_hook(Program& program, const Words& words);
ExitCode run_import(Program& program, const Words& words);
ExitCode run_init(Program& program, const Words& words);
ExitCode run_install(Program& program, const Words& words);
ExitCode run_lint(Program& program, const Words& words);
ExitCode run_list(Program& program, const Words& words);
ExitCode run_log(Program& program, const Words& words);
ExitCode run_lsp(Program& program, const Words& words);
ExitCode run_mcp(Program& program, const Words& words);
ExitCode run_merge_driver(Program& program, const Words& words);
ExitCode run_new(Program& program, const Words& words);
ExitCode run_next(Program& program, const Words& words);
ExitCode run_note(Program& program, const Words& words);
ExitCode run_parse(Program& program, const Words& words);
ExitCode run_plans(Program& program, const Words& words);
ExitCode run_release(Program& program, const Words& words);
ExitCode run_reopen(Program& program, const Words& words);
ExitCode run_report(Program& program, const Words& words);
ExitCode run_restore(Program& program, const Words& words);
ExitCode run_resume(Program& program, const Words& words);
ExitCode run_rewind(Program& program, const Words& words);
ExitCode run_search(Program& program, const Words& words);
ExitCode run_session(Program& program, const Words& words);
ExitCode run_show(Program& program, const Words& words);
ExitCode run_start(Program& program, const Words& words);
ExitCode run_status(Program& program, const Words& words);
ExitCode run_statusline(Program& program, const Words& words);
ExitCode run_sync(Program& program, const Words& words);
ExitCode run_timeline(Program& program, const Words& words);
ExitCode run_unblock(Program& program, const Words& words);
ExitCode run_uninstall(Program& program, const Words& words);
ExitCode run_use(Program& program, const Words& words);
ExitCode run_verify(Program& program, const Words& words);
ExitCode run_version(Program& program, const Words& words);
ExitCode run_watch(Program& program, const Words& words);

}  // namespace plankeep::cli
