"""git merges plans with `plankeep merge-driver`, set up by `plankeep git-setup`: the real git, in repositories of our own.

  merge_test.py PROGRAM [NAME...]
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from rotation import rotation, whole

PLAN = """# Shop

## Cart
<!-- CHECKPOINT: cart -->
- [ ] Add items <!-- TASK: add -->
- [ ] Remove items <!-- TASK: remove -->
- [ ] Totals <!-- TASK: totals -->

## Pay
<!-- CHECKPOINT: pay -->
- [ ] Card <!-- TASK: card -->
"""
TESTS = []


def test(function):
    TESTS.append(function)
    return function


class World:
    def __init__(self, program, base, set_up=True, name="shop"):
        self.program = program
        self.root = base / name
        self.root.mkdir()
        self.bin = base / "bin"
        self.bin.mkdir(exist_ok=True)
        if not (self.bin / "plankeep").exists():
            (self.bin / "plankeep").symlink_to(program)
        home = base / "home"
        home.mkdir(exist_ok=True)
        self.environment = {"PLANKEEP_CHECKPOINTS": "off", "HOME": str(home), "PATH": f"{self.bin}:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1",
                            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_EDITOR": "true",
                            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org", "LC_ALL": "C"}
        self.git("init", "-q", "-b", "main")
        if set_up:
            self.plankeep("git-setup")
        self.write(PLAN)
        self.commit("plan")

    def run(self, *words, status=0):
        run = subprocess.run(words, cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        assert status is None or run.returncode == status, f"{words}: {run.returncode}\n{run.stdout!r}\n{run.stderr!r}"
        return (run.stdout + run.stderr).decode("utf-8", errors="replace")

    def git(self, *words, status=0):
        return self.run("git", *words, status=status)

    def plankeep(self, *words, status=0):
        return self.run("plankeep", *words, status=status)

    @property
    def plan(self):
        return self.root / "plan.md"

    def text(self):
        return self.plan.read_bytes().decode("utf-8")

    def write(self, text):
        self.plan.write_bytes(text.encode("utf-8"))

    def replace(self, old, new):
        text = self.text()
        assert old in text, old
        self.write(text.replace(old, new, 1))

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def branches(self, ours, theirs):
        """`ours` is done on main, `theirs` on topic; main is checked out."""
        self.git("checkout", "-q", "-b", "topic")
        theirs()
        self.commit("theirs")
        self.git("checkout", "-q", "main")
        ours()
        self.commit("ours")


def tick(world, task, box="x"):
    lines = world.text().splitlines(True)
    world.write("".join(line.replace("[ ]", f"[{box}]", 1) if f"TASK: {task} " in line else line for line in lines))


@test
def ticks_of_neighbours_and_a_rewording_are_merged(world):
    def theirs():
        tick(world, "remove")
        world.replace("Add items", "Add and count items")
    world.branches(lambda: tick(world, "add"), theirs)
    world.git("merge", "-q", "topic", "-m", "merged")
    assert world.text() == PLAN.replace("- [ ] Add items", "- [x] Add and count items").replace(
        "- [ ] Remove", "- [x] Remove"), world.text()
    assert world.git("status", "--porcelain") == ""


@test
def without_the_driver_git_makes_a_conflict_of_the_same(world):
    world.plankeep("git-setup", "--undo")
    world.branches(lambda: tick(world, "add"), lambda: tick(world, "remove"))
    world.git("merge", "-q", "topic", status=1)


@test
def a_rebase_keeps_what_both_did(world):
    def theirs():
        tick(world, "remove")
        world.commit("first")
        world.write(world.text() + "- [ ] Tips <!-- TASK: tips -->\n")
    def ours():
        tick(world, "add")
        world.write(world.text() + "- [x] Refund <!-- TASK: refund -->\n")
    world.branches(ours, theirs)
    world.git("checkout", "-q", "topic")
    world.git("rebase", "-q", "main")
    assert world.text() == PLAN.replace("- [ ] Add", "- [x] Add").replace("- [ ] Remove", "- [x] Remove") + \
        "- [x] Refund <!-- TASK: refund -->\n- [ ] Tips <!-- TASK: tips -->\n", world.text()


@test
def a_cherry_pick_brings_one_tick(world):
    def theirs():
        tick(world, "totals")
        world.commit("totals")
        tick(world, "card")
    world.branches(lambda: tick(world, "remove", "~"), theirs)
    world.git("cherry-pick", "topic~1")
    assert world.text() == PLAN.replace("- [ ] Totals", "- [x] Totals").replace("- [ ] Remove", "- [~] Remove")


@test
def a_stash_is_popped_over_other_ticks(world):
    tick(world, "add")
    world.git("stash", "-q")
    tick(world, "remove")
    world.commit("remove")
    world.git("stash", "pop")
    assert world.text() == PLAN.replace("- [ ] Add", "- [x] Add").replace("- [ ] Remove", "- [x] Remove")


@test
def a_real_conflict_is_one_for_git_and_for_lint_and_keeps_the_tick(world):
    def ours():
        tick(world, "add")
        world.replace("Add items", "Add goods")
    world.branches(ours, lambda: world.replace("Add items", "Add wares"))
    said = world.git("merge", "topic", status=1)
    assert "plan.md:5: both sides changed \"add\"" in said and "CONFLICT" in said, said
    assert world.text() == PLAN.replace("- [ ] Add items <!-- TASK: add -->\n", (
        "<<<<<<< ours\n- [x] Add goods <!-- TASK: add -->\n=======\n- [x] Add wares <!-- TASK: add -->\n"
        ">>>>>>> theirs\n")), world.text()
    assert "UU plan.md" in world.git("status", "--porcelain")
    assert "5:1: error: unresolved merge conflict, down to line 9 [conflict-marker]" in \
        world.plankeep("lint", "plan.md", status=1)
    world.git("merge", "--abort")


@test
def the_marker_size_of_the_attributes_is_kept(world):
    with open(world.root / ".gitattributes", "a", encoding="utf-8") as file:
        file.write("plan.md conflict-marker-size=11\n")
    world.commit("longer")
    world.branches(lambda: world.replace("Card", "Cards"), lambda: world.replace("Card", "Carts"))
    world.git("merge", "-q", "topic", status=1)
    assert "\n<<<<<<<<<<< ours\n" in world.text() and "\n>>>>>>>>>>> theirs\n" in world.text()
    assert "conflict-marker" in world.plankeep("lint", "plan.md", status=1)


@test
def histories_that_crossed_are_merged_by_way_of_their_common_merge(world):
    """A criss-cross: git merges the bases first, with the driver, and takes that as the base."""
    world.branches(lambda: tick(world, "add"), lambda: tick(world, "card"))
    main, topic = world.git("rev-parse", "main").strip(), world.git("rev-parse", "topic").strip()
    world.git("merge", "-q", topic, "-m", "one")
    world.git("checkout", "-q", "topic")
    world.git("merge", "-q", main, "-m", "two")
    tick(world, "totals")
    world.commit("totals")
    world.git("checkout", "-q", "main")
    tick(world, "remove")
    world.commit("remove")
    world.git("merge", "-q", "topic", "-m", "three")
    assert world.text() == PLAN.replace("[ ]", "[x]"), world.text()


@test
def both_add_a_plan_where_there_was_none(world):
    (world.root / "b").mkdir()
    def add(text):
        return lambda: (world.root / "b" / "plan.md").write_text(text, encoding="utf-8")
    (world.root / "b" / "keep").write_text("", encoding="utf-8")
    world.commit("folder")
    world.branches(add("# B\n- [x] One <!-- TASK: one -->\n- [ ] Two <!-- TASK: two -->\n"),
                   add("# B\n- [ ] One <!-- TASK: one -->\n- [x] Two <!-- TASK: two -->\n"))
    world.git("merge", "-q", "topic", "-m", "merged")
    text = (world.root / "b" / "plan.md").read_text(encoding="utf-8")
    assert text == "# B\n- [x] One <!-- TASK: one -->\n- [x] Two <!-- TASK: two -->\n", text


@test
def a_path_full_of_oddities_is_one_word(world):
    folder = world.root / "-a b' $(touch owned) `touch owned`"
    folder.mkdir()
    (folder / "plan.md").write_text(PLAN, encoding="utf-8")
    world.commit("odd")
    def change(old, new):
        def do():
            path = folder / "plan.md"
            path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        return do
    world.branches(change("Card", "Cards"), change("Card", "Carts"))
    said = world.git("merge", "topic", status=1)
    assert "both sides changed \"card\"" in said, said
    assert not (world.root / "owned").exists()


@test
def a_program_that_is_gone_leaves_a_merge_by_lines(world):
    world.branches(lambda: tick(world, "add"), lambda: tick(world, "card"))
    os.unlink(world.bin / "plankeep")
    world.git("merge", "-q", "topic", "-m", "merged")
    assert world.text() == PLAN.replace("- [ ] Add", "- [x] Add").replace("- [ ] Card", "- [x] Card")
    world.git("reset", "-q", "--hard", "HEAD~1")
    tick(world, "totals")
    world.commit("totals")
    world.git("checkout", "-q", "topic")
    tick(world, "remove")
    world.commit("remove")
    world.git("checkout", "-q", "main")
    world.git("merge", "-q", "topic", status=1)
    assert "<<<<<<< ours" in world.text() and "[x] Remove" in world.text(), world.text()


@test
def what_cannot_be_merged_at_all_is_no_merge(world):
    for words in (["a", "b"], ["--odd", "a", "b", "c"], ["a", "b", "c"], [".", ".", "."]):
        assert "error" in world.plankeep("merge-driver", *words, status=129)
    (world.root / "a").write_bytes(b"x")
    (world.root / "link").symlink_to("a")
    world.plankeep("merge-driver", "a", "link", "a", status=129)
    assert (world.root / "link").is_symlink()


@test
def the_result_takes_the_place_of_ours_with_its_mode_and_nothing_else(world):
    folder = world.root / "versions"
    folder.mkdir()
    for name, text in (("o", PLAN), ("a", PLAN.replace("[ ] Add", "[x] Add")), ("b", PLAN.replace("[ ] Card", "[x] Card"))):
        (folder / name).write_text(text, encoding="utf-8")
    os.chmod(folder / "a", 0o640)
    said = world.plankeep("merge-driver", "--marker-size", "7", "--", "versions/o", "versions/a", "versions/b", "p")
    assert said == "", said
    assert (folder / "a").read_text(encoding="utf-8") == PLAN.replace("[ ] Add", "[x] Add").replace("[ ] Card", "[x] Card")
    assert (folder / "a").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b", "o"]
    assert (folder / "o").read_text(encoding="utf-8") == PLAN


@test
def setting_up_twice_changes_nothing_and_undoing_restores_every_byte(world):
    world.plankeep("git-setup", "--undo")
    attributes = world.root / ".gitattributes"
    assert not attributes.exists()
    config = world.root / ".git" / "config"
    for text in (None, b"*.png binary\n", b"*.png binary", b"*.png binary\r\n"):
        if text is not None:
            attributes.write_bytes(text)
        before = config.read_bytes()
        world.plankeep("git-setup", "--check", status=1)
        world.plankeep("git-setup", "--dry-run")
        assert (attributes.read_bytes() if attributes.exists() else None) == text and config.read_bytes() == before
        first = json.loads(world.plankeep("git-setup", "--json"))
        assert first["written"] and first["effective"] == "plankeep" and not first["complete"], first
        world.plankeep("git-setup", "--check")
        after = attributes.read_bytes(), config.read_bytes()
        second = json.loads(world.plankeep("git-setup", "--json"))
        assert not second["written"] and second["complete"], second
        assert (attributes.read_bytes(), config.read_bytes()) == after
        world.plankeep("git-setup", "--undo")
        assert (attributes.read_bytes() if attributes.exists() else None) == text
        assert b"plankeep" not in config.read_bytes()
        assert not json.loads(world.plankeep("git-setup", "--undo", "--json"))["written"]


def attribute(world, path):
    return world.git("check-attr", "merge", "--", path).rsplit(": ", 1)[1].strip()


@test
def every_known_layout_and_every_tracked_plan_is_covered(world):
    world.plankeep("git-setup", "--undo")
    odd = ["docs/My [draft] plan.md", "notes/Plan.md", "#1.md", "deep/er/work.md"]
    for path in odd:
        file = world.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# Odd\n\n- [ ] One <!-- TASK: one -->\n- [ ] Two <!-- TASK: two -->\n", encoding="utf-8")
        world.plankeep("init", path)
    told = world.plankeep("git-setup", "--dry-run")
    assert "would add     specs/*/tasks.md merge=plankeep in .gitattributes" in told, told
    assert "\nadded" not in told and not (world.root / ".gitattributes").exists(), told
    world.plankeep("git-setup")
    known = ["plan.md", "a/b/plan.md", "specs/001-x/tasks.md", "openspec/changes/x/tasks.md", ".kiro/specs/x/tasks.md",
             "docs/superpowers/plans/x.md", "docs/plans/x.md", "plans/x.md", "task_plan.md", ".planning/x/task_plan.md",
             "conductor/tracks/x/plan.md", "fix_plan.md", "@fix_plan.md", ".ralph/fix_plan.md", "IMPLEMENTATION_PLAN.md"]
    for path in known + odd:
        assert attribute(world, path) == "plankeep", path
    for path in ["README.md", "tasks.md", "docs/plan2.md", "notes/plans.md", "docs/My d plan.md"]:
        assert attribute(world, path) == "unspecified", path
    # A tracked plan of an unusual name is merged box by box.
    world.commit("plans")
    one = world.root / "deep" / "er" / "work.md"
    world.git("switch", "-q", "-c", "theirs")
    one.write_text(one.read_text(encoding="utf-8").replace("[ ] One", "[x] One"), encoding="utf-8")
    world.commit("one")
    world.git("switch", "-q", "main")
    one.write_text(one.read_text(encoding="utf-8").replace("[ ] Two", "[x] Two"), encoding="utf-8")
    world.commit("two")
    world.git("merge", "-q", "theirs")
    assert one.read_text(encoding="utf-8").count("[x]") == 2
    # One that came later is said to be missing, and is taken out with the others.
    (world.root / "later.md").write_text("- [ ] One <!-- TASK: one -->\n", encoding="utf-8")
    world.plankeep("init", "later.md")
    missing = world.plankeep("git-setup", "--check", status=1)
    assert "missing   /later.md merge=plankeep" in missing, missing
    world.plankeep("git-setup")
    (world.root / "later.md").unlink()
    shutil.rmtree(world.root / ".checkpoint" / "later.md")
    world.plankeep("git-setup", "--undo")
    assert not (world.root / ".gitattributes").exists()


@test
def local_attributes_are_not_committed(world):
    world.plankeep("git-setup", "--undo")
    shutil.rmtree(world.root / ".git" / "info", ignore_errors=True)
    world.plankeep("git-setup", "--local")
    assert not (world.root / ".gitattributes").exists()
    assert (world.root / ".git" / "info" / "attributes").read_text(encoding="utf-8") .startswith("plan.md merge=plankeep\n")
    world.plankeep("git-setup", "--check", "--local")
    world.plankeep("git-setup", "--undo", "--local")
    assert not (world.root / ".git" / "info" / "attributes").exists()


@test
def a_linked_work_tree_and_a_folder_below_set_up_the_same_repository(world):
    world.plankeep("git-setup", "--undo")
    world.git("worktree", "add", "-q", "../linked")
    linked = world.root.parent / "linked"
    (linked / "deep").mkdir()
    world.root = linked / "deep"
    world.plankeep("git-setup")
    assert (linked / ".gitattributes").is_file()
    assert "merge-driver" in world.git("config", "--local", "merge.plankeep.driver")


@test
def a_stronger_line_is_told(world):
    folder = world.root / ".git" / "info"
    folder.mkdir(exist_ok=True)
    (folder / "attributes").write_text("plan.md merge=union\n", encoding="utf-8")
    assert "git uses merge=union" in world.plankeep("git-setup")
    world.plankeep("git-setup", "--check", status=1)


@test
def a_nested_attribute_file_that_stands_above_ours_for_plans_to_come_is_named(world):
    for folder, line, told in [("plans", "*.md -merge", "merge=unset for plans/new-plan"),
                               ("specs", "tasks.md merge=union", "merge=union for specs/new-plan/tasks.md"),
                               ("specs/001", "*.md merge=ours", "merge=ours for specs/001/tasks.md"),
                               ("src", "*.md -merge", None), ("plans", "*.txt -merge", None)]:
        path = world.root / folder
        path.mkdir(parents=True, exist_ok=True)
        if folder == "specs/001":
            (path / "tasks.md").write_text("- [ ] one\n")
        (path / ".gitattributes").write_text(line + "\n")
        if told:
            assert told in world.plankeep("git-setup"), line
            world.plankeep("git-setup", "--check", status=1)
        else:
            assert "git now merges plans" in world.plankeep("git-setup"), line
            world.plankeep("git-setup", "--check")
        (path / ".gitattributes").unlink()


@test
def attributes_that_are_a_link_are_left_alone(world):
    world.plankeep("git-setup", "--undo")
    outside = world.root.parent / "outside"
    outside.write_text("x\n", encoding="utf-8")
    (world.root / ".gitattributes").symlink_to(outside)
    world.plankeep("git-setup", status=4)
    assert outside.read_text(encoding="utf-8") == "x\n"


@test
def outside_of_a_repository_it_says_so(world):
    world.root = world.root.parent / "home"
    assert "not in a git repository" in world.plankeep("git-setup", status=4)


@test
def the_driver_is_never_worse_than_git_itself(world):
    """Random edits: what `git merge-file` merges cleanly, the driver does too, and no tick of either side is missing."""
    chance = random.Random(7)
    folder = world.root / "random"
    folder.mkdir()
    better = 0
    for _ in range(150):
        lines = ["# Plan\n", "\n"] + [f"- [{chance.choice(' x')}] Task {i} <!-- TASK: t{i} -->\n" if i % 5 else f"Text {i}\n"
                                      for i in range(chance.randint(3, 25))]
        versions = {"o": lines}
        for side in "ab":
            edited = list(lines)
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(edited))
                what = chance.randrange(4)
                if what == 0 and "- [ ]" in edited[at]:
                    edited[at] = edited[at].replace("- [ ]", "- [x]")
                elif what == 1:
                    edited[at] = edited[at].replace("Task", f"Task of {side}").replace("Text", f"Text of {side}")
                elif what == 2:
                    edited.insert(at, f"- [ ] New {side}{at} <!-- TASK: {side}{len(edited)} -->\n")
                elif len(edited) > 1:
                    del edited[at]
            versions[side] = edited
        for name, text in versions.items():
            (folder / name).write_text("".join(text), encoding="utf-8")
        git = subprocess.run(["git", "merge-file", "-p", "-q", "a", "o", "b"], cwd=folder, env=world.environment,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        ours = subprocess.run(["plankeep", "merge-driver", "o", "a", "b"], cwd=folder, env=world.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        merged = (folder / "a").read_text(encoding="utf-8")
        assert ours.returncode in (0, 1), ours
        if git.returncode == 0:
            assert ours.returncode == 0, (versions, ours.stderr)
        better += ours.returncode == 0 and git.returncode != 0
        before = set(versions["o"])
        for side in "ab":
            for line in set(versions[side]) - before:
                if "- [x]" in line:
                    task = line[line.index("<!--"):]
                    assert any("- [x]" in other and task in other for other in merged.splitlines(True)), (line, merged)
    assert better > 20, better


def boxes(text):
    """(title, ticked) of every box, in order; a box's lazy continuation is left out."""
    found = []
    for line in text.splitlines():
        at = line.strip()
        if at.startswith("- [") and len(at) > 5 and at[4:6] == "] ":
            found.append((at[6:], at[3] == "x"))
    return found


WORDS = ["login", "billing", "search", "export", "cart", "invoice", "parser", "lexer"]
VERBS = ["Add tests for", "Write docs for", "Refactor", "Review", "Ship"]


def random_plan(chance):
    """Unmarked: titles that are much alike, steps, notes below boxes."""
    lines = ["# Plan", ""]
    titles = [f"{verb} {word}" for verb in VERBS for word in WORDS]
    chance.shuffle(titles)
    for phase in range(chance.randint(1, 3)):
        lines += [f"## Phase {phase + 1}", ""]
        for _ in range(chance.randint(1, 5)):
            lines.append(f"- [{chance.choice('   x')}] {titles.pop()}")
            for _ in range(chance.choice([0, 0, 1, 2])):
                lines.append(f"  - [{chance.choice('   x')}] {titles.pop()}")
            if chance.random() < 0.15:
                lines.append("  A note on it.")
        lines.append("")
    return lines, titles


def random_edit(chance, lines, titles, side):
    lines = list(lines)
    for _ in range(chance.randint(1, 4)):
        at = chance.choice([i for i, line in enumerate(lines) if "- [" in line] or [0])
        if "- [" not in lines[at]:
            break
        what = chance.randrange(6)
        head, title = lines[at].split("] ", 1)
        if what == 0:
            lines[at] = lines[at].replace("[ ]", "[x]")
        elif what == 1:
            lines[at] = lines[at].replace("[x]", "[ ]")
        elif what == 2:
            lines[at] = f"{head}] {title.rsplit(' ', 1)[0]} {chance.choice(WORDS)} {side}"
        elif what == 3:
            indent = head[:head.index("-")]
            lines.insert(at + chance.randint(0, 1), f"{indent}- [{chance.choice(' x')}] {chance.choice(titles)} {chance.choice(['', side])}".rstrip())
        elif what == 4:
            del lines[at]
        else:
            line = lines.pop(at)
            lines.insert(chance.randint(2, len(lines)), line)
    return lines


@test
def no_merge_ticks_or_doubles_a_box(world):
    """Random merges by git with the driver: what is ticked in a clean result is ticked in a version under its own words,
    and no box is there more often than the versions account for."""
    seed = rotation()
    rounds = 10000 if whole() else 100 + seed % 101
    chance = random.Random(seed)
    clean = 0
    for number in range(rounds):
        base, titles = random_plan(chance)
        texts = ["\n".join(lines) + "\n" for lines in
                 (base, random_edit(chance, base, titles, "o"), random_edit(chance, base, titles, "t"))]
        code, merged = merged_by_git(world, texts)
        if code != 0:
            continue
        clean += 1
        story = f"PLANKEEP_ROTATION={seed}, merge {number}\n" + "\n---\n".join([*texts, merged])
        before, ours, theirs = ([title for title, _ in boxes(text)] for text in texts)
        ticked = {title for text in texts for title, done in boxes(text) if done}
        for title, done in boxes(merged):
            assert not done or title in ticked, f"false tick: {title}\n{story}"
        after = [title for title, _ in boxes(merged)]
        for title in set(after):
            was, a, b = before.count(title), ours.count(title), theirs.count(title)
            assert after.count(title) <= max(a, b, a + b - was), f"doubled: {title}\n{story}"
    assert clean > rounds // 10, clean


def merged_by_git(world, texts):
    """Exit status and result of `git merge` of two commits that a fast-import makes."""
    stream = ["feature done\n", "blob\nmark :9\n", f"data {len(ATTRIBUTES)}\n{ATTRIBUTES}\n"]
    for i, text in enumerate(texts):
        stream += [f"blob\nmark :{i + 1}\n", f"data {len(text.encode())}\n{text}\n"]
    for i, branch in enumerate(["base", "ours", "theirs"]):
        parent = "from :10\n" if i else ""
        stream.append(f"reset refs/heads/r-{branch}\n" + (f"from :10\n" if i else ""))
        stream.append(f"\ncommit refs/heads/r-{branch}\nmark :{10 + i}\ncommitter A <a@example.org> 0 +0000\ndata 1\nx\n{parent}"
                      + ("" if i else "deleteall\n") + f"M 100644 :9 .gitattributes\nM 100644 :{i + 1} plan.md\n\n")
    stream.append("done\n")
    run = subprocess.run(["git", "fast-import", "--quiet", "--force", "--date-format=raw"], cwd=world.root,
                         env=world.environment, input="".join(stream).encode(), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, timeout=60, check=False)
    assert run.returncode == 0, run.stderr.decode()
    world.git("checkout", "-q", "-f", "r-ours")
    merge = subprocess.run(["git", "merge", "-q", "--no-edit", "--no-commit", "r-theirs"], cwd=world.root,
                           env=world.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
    text = (world.root / "plan.md").read_text(encoding="utf-8")
    world.git("reset", "-q", "--hard")
    return merge.returncode, text


ATTRIBUTES = "plan.md merge=plankeep\n"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which("git") is None:
        print("no git here")
        return 77
    wanted = sys.argv[2:]
    failed = 0
    for function in TESTS:
        if wanted and function.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory(prefix="plankeep-merge-") as base:
            try:
                function(World(program, pathlib.Path(base).resolve()))
            except AssertionError as problem:
                failed += 1
                print(f"FAILED {function.__name__}: {problem}")
    print(f"{len(TESTS)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
