#include "render/sessions/session.hpp"

#include <array>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/sessions/session_network.hpp"
#include "cli/commands/sessions/session_options.hpp"
#include "cli/locate.hpp"
#include "render/sessions/transcript.hpp"
#include "sessions/sessions.hpp"

namespace plankeep::cli {

ExitCode wrong_session(Program& program, std::string message) {
  return program.fail(
      {base::ErrorKind::invalid_input, std::move(message), {}, "for help: plankeep help session"},
      About::request);
}

ExitCode fail_session(Program& program, const base::Error& error) {
  return program.fail(error, error.kind == base::ErrorKind::ambiguous ? About::plan : About::request);
}

namespace {

constexpr std::size_t kEvery = std::size_t{1} << 30;

std::optional<std::string> misplaced_option(const SessionOptions& options) {
  struct Belongs {
    bool given;
    std::string_view option;
    std::array<std::string_view, 2> actions;
  };
  const std::array belongs{Belongs{options.branch.has_value(), "--branch", {"list", "list"}},
                           Belongs{options.client.has_value(), "--client", {"list", "resume"}},
                           Belongs{!options.since.empty(), "--since", {"list", "list"}},
                           Belongs{options.pending, "--pending", {"list", "clean"}},
                           Belongs{options.session.has_value(), "--session", {"show", "resume"}},
                           Belongs{options.prompts, "--prompts", {"show", "show"}},
                           Belongs{options.files, "--files", {"show", "show"}},
                           Belongs{options.transcript, "--transcript", {"show", "show"}},
                           Belongs{options.raw, "--raw", {"show", "show"}},
                           Belongs{options.verify, "--verify", {"show", "show"}},
                           Belongs{options.deep, "--deep", {"check", "check"}},
                           Belongs{options.secrets, "--secrets", {"check", "check"}},
                           Belongs{options.remote, "--remote", {"list", "list"}},
                           Belongs{options.print, "--print", {"resume", "resume"}},
                           Belongs{!options.older_than.empty(), "--older-than", {"clean", "clean"}},
                           Belongs{options.dry, "--dry-run", {"clean", "clean"}},
                           Belongs{options.yes, "--yes", {"push", "clean"}}};
  for (const Belongs& one : belongs) {
    const bool fits = one.actions[0] == options.action || one.actions[1] == options.action;
    if (one.given && !fits)
      return std::string(one.option) + " can only be used with session " + std::string(one.actions[0]) +
             (one.actions[1] != one.actions[0] ? " and " + std::string(one.actions[1]) : "");
  }
  if (options.pending && (options.branch || options.client || !options.since.empty()))
    return "--pending cannot be combined with --branch, --client or --since";
  if (options.all && options.action != "list" && options.action != "show")
    return "--all cannot be used with session " + options.action;
  if (options.all && options.action == "show" && !options.transcript)
    return "--all can only be used with --transcript here";
  if (options.remote &&
      (options.branch || options.client || options.plan || options.pending || !options.since.empty()))
    return "--remote cannot be combined with --branch, --client, --plan, --pending or --since";
  const bool takes_none = (options.action == "list" && !options.remote) || options.action == "check";
  if (!options.named.empty() && takes_none) return "session " + options.action + " takes no ID";
  const bool cleans = options.action == "clean";
  if (cleans && !options.named.empty() && (options.pending || !options.older_than.empty()))
    return "ID cannot be combined with --pending or --older-than";
  if (options.dry && options.yes) return "give only one of --dry-run and --yes";
  if (options.named.size() > 1 && !cleans && options.action != "fetch")
    return "session " + options.action + " takes one argument";
  const int forms = int{options.prompts} + int{options.files} + int{options.transcript} + int{options.raw};
  if (forms > 1) return "give only one of --prompts, --files, --transcript, --raw";
  if (options.verify && forms > 0)
    return "--verify cannot be combined with --prompts, --files, --transcript or --raw";
  if (options.json && (options.raw || options.transcript))
    return "--json cannot be combined with --raw or --transcript";
  return std::nullopt;
}

ExitCode list_pending(Program& program, const SessionOptions& options) {
  auto sessions = app::Sessions::open(program.context);
  if (!sessions) return program.fail(sessions.error(), About::file);
  auto pending = sessions->pending();
  if (!pending) return program.fail(pending.error(), About::file);
  if (!options.all && pending->branches.size() > options.count) pending->branches.resize(options.count);
  return program.print(options.json ? render::pending_sessions_json(*pending)
                                    : render::pending_sessions_text(*pending, program.context.clock.now(),
                                                                    program.list_style()));
}

ExitCode list_sessions(Program& program, const SessionOptions& options) {
  if (options.pending) return list_pending(program, options);
  app::SessionListRequest request;
  request.count = options.all ? kEvery : options.count;
  request.branch = options.branch;
  request.client = options.client;
  if (!options.since.empty()) {
    const auto moment = base::read_since("--since", options.since, program.context.clock.now());
    if (!moment) return program.fail(moment.error(), About::request);
    request.since = *moment;
  }
  if (options.plan) {
    ExitCode code = ExitCode::fine;
    const auto plan = locate(program, options.plan, code);
    if (!plan) return code;
    request.plan = plan->plan_id();
  }
  auto sessions = app::Sessions::open(program.context);
  if (!sessions) return program.fail(sessions.error(), About::file);
  const auto listed = sessions->list(request);
  if (!listed) return program.fail(listed.error(), About::file);
  if (options.json) return program.print(render::session_list_json(*listed));
  for (const std::string& warning : listed->warnings) program.warn(warning);
  return program.print(render::session_list_text(*listed, program.context.clock.now(), program.list_style()));
}

// The transcript of one session: byte for byte, or as people read it.
ExitCode print_transcript(Program& program, app::Sessions& sessions, const sessions::StoredSession& session,
                          const SessionOptions& options) {
  std::string text;
  const auto read = sessions.transcript(session, [&](std::string_view part) -> base::Status {
    if (!options.raw) {
      text += part;
      return {};
    }
    program.has_printed = true;
    if (program.console.write(part)) return {};
    return base::fail(base::ErrorKind::io, "standard output was closed");
  });
  if (!options.raw) {
    const std::size_t first = options.all || !session.metadata ? 0 : core::first_line_of(*session.metadata);
    program.print(render::transcript_text(text, first, program.style));
  }
  if (read) return ExitCode::fine;
  return program.fail(read.error(), ExitCode::no);
}

ExitCode show_session(Program& program, const SessionOptions& options) {
  if (options.which().empty()) return wrong_session(program, "which session checkpoint?");
  auto sessions = app::Sessions::open(program.context);
  if (!sessions) return program.fail(sessions.error(), About::file);
  auto view = sessions->show(options.which());
  if (!view) return fail_session(program, view.error());
  if (options.verify) {
    auto signature = sessions->signature(*view);
    if (!signature) return program.fail(signature.error(), About::file);
    view->signature = std::move(*signature);
  }
  // A client's session that was asked for is the one that is meant.
  std::optional<std::string> wanted = options.session;
  if (!wanted && view->session(options.which()) != nullptr) wanted = options.which();
  const sessions::StoredSession* one = view->session(wanted);
  if (options.session && one == nullptr) {
    return program.fail({base::ErrorKind::not_found,
                         "checkpoint " + view->checkpoint.found.id + " has no session " + *options.session,
                         {},
                         {}},
                        About::request);
  }
  const std::vector<std::string> problems = view->problems();
  if (!options.json) {
    for (const std::string& problem : problems) program.warn(problem);
  }
  const bool is_forged =
      view->signature && view->signature->verdict == sessions::CommitSignature::Verdict::bad;
  const ExitCode code = problems.empty() && !is_forged ? ExitCode::fine : ExitCode::no;
  if (options.raw || options.transcript) {
    if (one == nullptr)
      return program.fail({base::ErrorKind::not_found, "no transcript found for checkpoint", {}, {}},
                          ExitCode::no);
    const ExitCode printed = print_transcript(program, *sessions, *one, options);
    return printed == ExitCode::fine ? code : printed;
  }
  if (options.json) return program.print(render::session_json(*view), code);
  const sessions::StoredSession* only = wanted ? one : nullptr;
  if (options.prompts) return program.print(render::session_prompts_text(*view, only, program.style), code);
  if (options.files) return program.print(render::session_files_text(*view, only), code);
  return program.print(render::session_text(*view, program.context.clock.now(), program.style), code);
}

ExitCode check_sessions(Program& program, const SessionOptions& options) {
  auto sessions = app::Sessions::open(program.context);
  if (!sessions) return program.fail(sessions.error(), About::file);
  const auto check = sessions->check({options.deep, options.secrets});
  if (!check) return program.fail(check.error(), About::file);
  const ExitCode code = check->all_findings == 0 ? ExitCode::fine : ExitCode::no;
  return program.print(options.json ? render::session_check_json(*check)
                                    : render::session_check_text(*check, program.list_style()),
                       code);
}

}  // namespace

ExitCode run_session(Program& program, const Words& words) {
  SessionOptions options;
  Arguments arguments(
      program, "session",
      "Shows session checkpoints: records in git of what AI sessions did for a commit, in the\n"
      "format of Entire's tools. Both layouts are read (refs/entire/checkpoints/ and the branch\n"
      "entire/checkpoints/v1). Only push, fetch and list --remote use the network; only clean\n"
      "--yes removes anything.\n"
      "\n"
      "list shows the newest. show prints one; ID is its id (the first 4 or more characters or,\n"
      "of a long id, the last 6 or more), a commit that names it, or a client's session. why\n"
      "tells which prompt, session and commit a line of a file comes from, or who did a task and\n"
      "for which prompts; \"./NAME\" is always a file, \"task:ID\" a task. resume writes the\n"
      "transcript to where its client looks for it and prints the command that continues the\n"
      "session; a transcript that is already there is never overwritten, only extended. check\n"
      "reads all of them and reports what is broken. Exit status 1: something is missing or\n"
      "broken, and the rest was printed; 3: ID is ambiguous.\n"
      "\n"
      "clean lists the shadow branches that are finished: their sessions have ended and are\n"
      "recorded, and every file on them is in a commit. With IDs it lists these session\n"
      "checkpoints instead. --yes removes what is listed, after writing it to a bundle.\n"
      "\n"
      "push sends session checkpoints to a remote: the one named, else the one in the setting\n"
      "sessionsPush, else origin, else the only one. It overwrites nothing there: what others\n"
      "pushed is merged. The first push to a remote needs your consent. Exit status 1: consent is\n"
      "missing, or something was not pushed.\n"
      "\n"
      "fetch downloads session checkpoints, all or those with the given IDs, into a repository\n"
      "that plankeep keeps for them; yours does not change. The name of the remote may follow the\n"
      "IDs. list --remote shows what a remote has.");
  arguments.choice("ACTION", options.action,
                   {"list", "show", "why", "resume", "check", "clean", "push", "fetch"}, "What to do");
  arguments.positionals("ID", options.named,
                        "show, resume: the session checkpoint, commit or session; why: FILE, FILE:LINE or a "
                        "task; clean: session checkpoints; fetch: "
                        "session checkpoints, then the remote; push, list --remote: the remote",
                        Arguments::Need::optional);
  arguments.number("-n,--lines", options.count, "N", "list: maximum number (default: 20)");
  arguments.flag("--all", options.all,
                 "list: all of them; show --transcript: the whole session, not only this checkpoint's part");
  arguments.option("--branch", options.branch, "BRANCH", "list: only those made on this branch");
  arguments.option("--client", options.client, "CLIENT",
                   "list: only those of this client, such as claude-code; resume: the client, if the record "
                   "names none");
  arguments.option("--since", options.since, "TIME", "list: only newer than 2h, 3d or 2026-11-20T15:00:00Z");
  arguments.flag("--pending", options.pending,
                 "list: the running sessions instead, and the snapshots on shadow branches that "
                 "no commit names yet; clean: only shadow branches");
  arguments.flag("--prompts", options.prompts, "show: only the prompts");
  arguments.flag("--files", options.files, "show: only the files");
  arguments.flag("--transcript", options.transcript, "show: the transcript as text");
  arguments.flag("--raw", options.raw, "show: the stored bytes of the transcript");
  arguments.flag("--verify", options.verify, "show: also check the signature of the commit that recorded it");
  arguments.option("--session", options.session, "SID",
                   "show, resume: this session of the client (default: the last)");
  arguments.flag("--deep", options.deep, "check: also read the transcripts and compare their hashes");
  arguments.flag("--secrets", options.secrets,
                 "check: also look for secrets in prompts and transcripts; they are never printed");
  arguments.flag("--remote", options.remote,
                 "list: session checkpoints on the remote that have "
                 "refs of their own");
  arguments.flag("--print", options.print, "resume: only print the command; write nothing");
  arguments.option("--older-than", options.older_than, "TIME",
                   "clean: minimum age of a shadow branch's newest snapshot (default: 7d)");
  arguments.flag("--dry-run", options.dry, "clean: only list what would be removed (the default)");
  arguments.flag("--yes", options.yes,
                 "clean: remove what is listed; push: do not ask before the first push to a "
                 "remote");
  arguments.plan(options.plan);
  arguments.json(options.json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto mistake = misplaced_option(options)) return wrong_session(program, *mistake);
  if (options.action == "fetch") return fetch_sessions(program, options.named, options.json);
  if (options.remote) {
    RemoteListOptions list{{}, options.all ? kEvery : options.count, options.json};
    if (!options.named.empty()) list.remote = options.which();
    return list_remote_sessions(program, list);
  }
  if (options.action == "list") return list_sessions(program, options);
  if (options.action == "show") return show_session(program, options);
  if (options.action == "push") {
    SessionPushOptions push{{}, options.yes, options.json};
    if (!options.named.empty()) push.remote = options.which();
    return push_sessions(program, push);
  }
  if (options.action == "why") return explain_session(program, options);
  if (options.action == "resume") return resume_session(program, options);
  if (options.action == "clean") return clean_sessions(program, options);
  return check_sessions(program, options);
}

}  // namespace plankeep::cli
