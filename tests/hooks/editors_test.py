"""The pieces for editors: Vim is run where it is installed, the others are read as far as that is possible without them.

  editors_test.py PROGRAM
"""

import json
import re
import shutil
import subprocess
import sys

from support import HOOKS, PLAN, TIMEOUT, collector, main, needs, wait_until

tests, test = collector()

PLUGIN = HOOKS / "vim" / "plankeep.vim"
BROKEN = PLAN.replace("TASK: bricks", "TASK: bricks | after: mortar").replace("- [ ] Dig", "- [ ] Dig 'deep' % # \\ |")


def vim(world, *commands, name="plan.md", editor="vim"):
    """Runs Ex commands in a Vim without a terminal; what :Say prints comes back."""
    script = world.base / "script.vim"
    out = world.base / "said"
    out.write_text("")
    script.write_text("\n".join([
        "set nomore shortmess+=I",
        "command! -nargs=1 Say call Say(<args>)",
        "function! Say(text)", f"  call writefile(split(a:text, \"\\n\", 1), {str(out)!r}, 'a')", "endfunction",
        # As long as it takes: a job that ends is seen by its effect.
        "function! Until(condition) abort", "  for l:turn in range(6000)",
        "    if eval(a:condition) | return | endif", "    sleep 10m", "  endfor", "  Say 'never: ' . a:condition",
        "endfunction",
        f"source {PLUGIN}", f"edit {name}", *commands, "qall!", ""]), encoding="utf-8")
    words = {"vim": ["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", str(script)],
             "nvim": ["nvim", "--headless", "--clean", "-n", "-S", str(script)]}[editor]
    run = subprocess.run(words, cwd=world.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, timeout=4 * TIMEOUT, check=False,
                         env={**world.environment, "TERM": "dumb", "VIM_TEST": "1"})
    said = out.read_text(encoding="utf-8")
    assert "never:" not in said and not re.search(r"\bE\d+:", run.stdout.decode("utf-8", "replace")), \
        f"{run.stdout!r} {said!r}"
    return said


def with_program(world, name="plankeep"):
    world.bin = world.base / "bin"
    world.bin.mkdir()
    (world.bin / name).symlink_to(world.program)
    world.environment["PATH"] = f"{world.bin}:/usr/bin:/bin"
    world.environment["LANG"] = "C.UTF-8"


def vim_tests(editor):
    def saving_a_plan_records_it(world):
        with_program(world)
        world.track()
        history = world.tracking / "history.jsonl"
        vim(world, r"%s/\[ \] Dig/[x] Dig/", "write",
            f"call Until({json.dumps('join(readfile(' + repr(str(history)) + '), nr2char(10)) =~# ' + repr('task_completed'))})",
            editor=editor)
        wait_until(lambda: world.done("dig"), "the state knows it too")

    def a_save_that_ends_the_editor_is_recorded_too(world):
        with_program(world)
        world.track()
        vim(world, r"%s/\[ \] Dig/[x] Dig/", "wq", editor=editor)
        wait_until(lambda: world.done("dig"), "the tick is recorded")

    def other_files_and_plans_that_are_not_tracked_are_left_alone(world):
        with_program(world)
        (world.root / "notes.md").write_text(PLAN)
        (world.root / "plan.md").write_text("- [ ] no marker\n")
        said = vim(world, "write", "edit plan.md", "write", "sleep 300m", "Say execute('messages')", name="notes.md",
                   editor=editor)
        assert not world.tracking.exists() and "plankeep:" not in said, said

    def status_and_next_show_a_window(world):
        with_program(world)
        world.track()
        said = vim(world, "PlanStatus", "Say join(getline(1, '$'), \"\\n\")", "Say &buftype . winnr('$')",
                   "PlanNext", "Say join(getline(1, '$'), \"\\n\")", "Say &buftype . winnr('$')", editor=editor)
        assert "survey" in said and "dig" in said and "why" in said, said
        assert said.count("nofile2") == 2, "one window serves both"

    def lint_fills_the_quickfix_list(world):
        with_program(world)
        world.plan.write_text(BROKEN)
        said = vim(world, "PlanLint",
                   "for item in getqflist() | call Say(printf('%s:%d:%d:%s:%s', fnamemodify(bufname(item.bufnr), ':t'), "
                   "item.lnum, item.col, item.type, item.text)) | endfor", editor=editor)
        line = 1 + BROKEN.splitlines().index(next(text for text in BROKEN.splitlines() if "mortar" in text))
        assert re.search(rf"^plan\.md:{line}:\d+:E:.*mortar.*\[unknown-dependency\]", said, re.MULTILINE), said

    def names_with_everything_in_them_stay_one_word(world):
        with_program(world)
        folder = world.root / "it's a $(touch made) `touch made` \"plan\""
        folder.mkdir()
        (folder / "plan.md").write_text(PLAN)
        world.must("init", str(folder))
        said = vim(world, f"execute 'edit ' . fnameescape({json.dumps(str(folder / 'plan.md'))})", "PlanStatus",
                   "Say join(getline(1, '$'), \"\\n\")", name="other.txt", editor=editor)
        assert "survey" in said, said
        assert not list(world.base.rglob("made"))

    def without_the_program_it_says_so_and_saves_all_the_same(world):
        world.plan.write_text(PLAN)
        said = vim(world, r"%s/\[ \] Dig/[x] Dig/", "write", "PlanStatus", "Say join(getline(1, '$'), \"\\n\")",
                   editor=editor)
        assert "there is no program plankeep" in said, said
        assert "[x] Dig" in world.plan.read_text()

    for function in (saving_a_plan_records_it, a_save_that_ends_the_editor_is_recorded_too,
                     other_files_and_plans_that_are_not_tracked_are_left_alone, status_and_next_show_a_window,
                     lint_fills_the_quickfix_list, names_with_everything_in_them_stay_one_word,
                     without_the_program_it_says_so_and_saves_all_the_same):
        function.__name__ = f"{editor}_{function.__name__}"
        test(needs(editor)(function))


vim_tests("vim")
vim_tests("nvim")


@test
def the_problem_matcher_for_vs_code_reads_what_lint_prints(world):
    world.plan.write_text(BROKEN.replace("- [ ] Bricks", "- [ ] Unmarked: [odd] text\n- [ ] Bricks"))
    tasks = json.loads((HOOKS / "vscode" / "tasks.json").read_bytes())["tasks"]
    lint = next(task for task in tasks if task["label"] == "plankeep: lint")
    pattern = lint["problemMatcher"]["pattern"]
    run = world.run(*lint["args"])
    assert run.returncode == 1
    matches = [re.match(pattern["regexp"], line) for line in run.stdout.decode().splitlines()]
    found = [[match[pattern[part]] for part in ("file", "line", "column", "severity", "code")] for match in matches if match]
    wanted = json.loads(world.run("lint", "--json").stdout)["files"][0]["diagnostics"]
    assert len(wanted) >= 2
    assert found == [["plan.md", str(one["line"]), str(one["column"]), one["severity"], one["code"]] for one in wanted]


@test
def the_tasks_for_vs_code_name_commands_that_there_are(world):
    known = world.must("--help").stdout.decode()
    for task in json.loads((HOOKS / "vscode" / "tasks.json").read_bytes())["tasks"]:
        assert task["command"] == "plankeep" and task["type"] == "process", "no shell reads the words"
        assert re.search(rf"^  {task['args'][0]} ", known, re.MULTILINE), task["args"]


@test
def the_file_for_emacs_has_its_parentheses_in_order(world):
    text = (HOOKS / "emacs" / "plankeep.el").read_text(encoding="utf-8")
    depths = top_level_depths(text)
    assert depths and all(depth == 0 for depth in depths), "a form that begins a line stands inside another"
    for name in ("plankeep-status", "plankeep-next", "plankeep-lint", "plankeep-mode"):
        assert re.search(rf"^\((defun|define-minor-mode) {name}\s", text, re.MULTILINE), name
    known = world.must("--help").stdout.decode()
    for command in re.findall(r'plankeep--show "(\w+)"|list plankeep-program "(\w+)"', text):
        assert re.search(rf"^  {command[0] or command[1]} ", known, re.MULTILINE), command


@test
@needs("emacs")
def emacs_compiles_it_without_a_warning_and_records_a_save(world):
    with_program(world)
    world.track()
    copy = shutil.copy(HOOKS / "emacs" / "plankeep.el", world.base / "plankeep.el")
    base = ["emacs", "-Q", "--batch"]
    subprocess.run([*base, "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", copy],
                   check=True, env=world.environment, timeout=TIMEOUT)
    subprocess.run([*base, "-l", copy, "--eval",
                    '(progn (plankeep-mode 1) (find-file "plan.md") (search-forward "[ ] Dig") '
                    '(replace-match "[x] Dig") (save-buffer) '
                    '(while (process-list) (accept-process-output nil 0.05)))'],
                   check=True, cwd=world.root, env=world.environment, timeout=TIMEOUT)
    assert world.done("dig")


def top_level_depths(text):
    """The depth at which each form that begins in the first column stands; comments and texts are passed over."""
    depths, depth, at, line_start = [], 0, 0, True
    while at < len(text):
        c = text[at]
        if c == ";":
            at = text.index("\n", at)
            continue
        if c == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif c == "?" and text[at + 1] == "\\":
            at += 2
        elif c == "(":
            if line_start:
                depths.append(depth)
            depth += 1
        elif c == ")":
            depth -= 1
        line_start = text[at] == "\n"
        at += 1
    return [*depths, depth]


if __name__ == "__main__":
    sys.exit(main(tests, __doc__))
