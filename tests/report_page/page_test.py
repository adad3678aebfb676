"""The page of `plankeep report` in a real browser.

  page_test.py PROGRAM reads|policy|axe [FOLDER]

reads: every width, both schemes, with and without scripts, by keyboard, on paper, and after odd histories; nothing is
complained about and nothing is loaded. policy: what a plan says never runs, and what somebody puts into the page afterwards
does not run either. axe: the rules of axe-core (fetched with npm, in this version) find nothing. With FOLDER the pictures of
the pages are left there. Skipped with a word where something is missing.
"""

import functools
import http.server
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading

import browser
from browser import Browser

SKIPPED = 77
AXE = "axe-core@4.10.2"
WIDTHS = (360, 1280, 2560)

failures = []


def check(what, fact, seen=""):
    if not fact:
        failures.append(what)
        print("FAILED:", what, str(seen)[:3000])


def skip(word):
    print(word)
    sys.exit(SKIPPED)


class Project:
    def __init__(self, program, folder, text, name="plan.md"):
        self.program, self.folder, self.name = program, folder, name
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        self.now = "2026-10-01T09:00:00Z"
        self.run("init", name)

    def run(self, *words, passes=True):
        environment = {"HOME": str(self.folder.parent), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PLANKEEP_NOW": self.now,
                       "PLANKEEP_CHECKPOINTS": "off", "GIT_CONFIG_NOSYSTEM": "1"}
        environment.update({name: os.environ[name] for name in ("ASAN_OPTIONS",) if name in os.environ})
        answer = subprocess.run([self.program, *words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        if passes and answer.returncode != 0:
            raise RuntimeError(f"{words}: {answer.stdout.decode()}")
        return answer.stdout.decode()

    def report(self, name, *words):
        page = self.folder.parent / name
        self.run("report", "--out", str(page), *words)
        return page

    def write_history(self, events):
        """These events and no others."""
        text = "".join(json.dumps(event) + "\n" for event in events)
        (self.folder / ".checkpoint" / "history.jsonl").write_text(text, encoding="utf-8")


def lively(program, base):
    """A plan with something for every part of the page."""
    text = "# Sign-in for the shop\n\n"
    number = 0
    for at, name in enumerate(("Schema", "Login", "Logout", "Password reset", "Second factor", "Audit log", "Rollout"), 1):
        text += f"## Phase {at}: {name}\n<!-- CHECKPOINT: phase-{at} -->\n"
        for part in range(6):
            number += 1
            after = f" | after: T{number - 1:03}" if part % 2 else ""
            step = "  " if part == 5 else ""
            text += f"{step}- [ ] {name}: part {part + 1} of what is to be done there <!-- TASK: T{number:03}{after} -->\n"
        text += f"- [ ] Tests of this phase pass <!-- ACCEPT: tests-{at} | verify: echo 12 tests passed -->\n\n"
    project = Project(program, base / "lively", text)
    chance = random.Random(3)
    day = 1
    for task in range(1, 31):
        day += chance.choice([0, 0, 1, 1, 2]) if day < 28 else 0
        project.now = f"2026-10-{day:02}T{8 + task // 3:02}:{task:02}:00Z"
        project.run("done", f"T{task:03}", "--by", chance.choice(["main", "subagent:reviewer", "person"]))
        if task == 6:
            project.run("verify", "tests-1", "--yes")
        if task == 9:
            project.run("block", "Waiting for the key of the mail service")
        if task == 14:
            project.run("unblock", "Waiting for the key of the mail service")
            project.run("decide", "Argon2id for passwords", "--reason", "It is what is recommended")
            project.run("reopen", "T013")
        if task == 16:
            project.run("add", "Rotate the signing key", "--phase", "phase-3")
    plan = project.folder / project.name
    plan.write_text(plan.read_text(encoding="utf-8").replace("Audit log: part 1", "Journal: part 1"), encoding="utf-8")
    project.run("sync")
    project.run("block", "Nobody has the rights to roll out")
    return project


HOSTILE = """# </title><script>window.injected = 1</script> "]]>

## <img src=x onerror="window.injected=2"> \u202egnissim\u202c
<!-- CHECKPOINT: x -->
- [ ] <script>window.injected = 3</script> <!-- TASK: a -->
- [ ] "><svg onload=window.injected=4> ]]> <!-- TASK: "><b> | after: a -->
- [ ] </td></table></main><iframe src="javascript:window.injected=5"> <!-- TASK: b | after: a -->
- [ ] [click](javascript:window.injected=6) <a href="http://127.0.0.1:9/">there</a> <!-- TASK: c -->
- [ ] \u2066\u202e\u200f turned round \u2069 <!-- TASK: d -->
- [ ] LONG <!-- TASK: e -->
- [ ] ' onmouseover='window.injected=7 <!-- ACCEPT: f | verify: printf '</pre><script>window.injected=8</script>' -->
""".replace("LONG", "long " * 2000)


def hostile(program, base):
    project = Project(program, base / "hostile", HOSTILE)
    for words in (("done", "a", "--by", "person:\"><script>window.injected=9</script>"), ("verify", "f", "--yes"),
                  ("block", "<script>window.injected=10</script>"),
                  ("decide", "<script>window.injected=11</script>", "--reason", "]]><script>window.injected=12</script>")):
        project.run(*words)
    return project


def odd_histories(program, base):
    """(name, page, what has to be on it) of histories that no good clock has written."""
    def make(name, times):
        project = Project(program, base / name, "# Odd\n\n## Phase 1: All\n<!-- CHECKPOINT: p -->\n"
                          + "".join(f"- [x] Task {i} <!-- TASK: t{i} -->\n" for i in range(8)) + "- [ ] Open <!-- TASK: o -->\n")
        ids = [f"t{i}" for i in range(8)]
        events = [{"ts": times[0], "event": "checkpoint_created", "phases": [{"phaseId": "p", "title": "All", "tasks": [*ids, "o"]}]}]
        events += [{"ts": time, "event": "task_completed", "taskId": task, "phaseId": "p", "title": task, "by": "main"}
                   for task, time in zip(ids, times[1:])]
        project.write_history(events)
        return project

    jumps = ["2026-09-01T10:00:00.000Z", "2031-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "2026-09-02T10:00:00.000Z",
             "2026-09-01T10:00:00.000Z", "9999-12-31T23:59:59.999Z", "2026-09-03T10:00:00.000Z", "0001-01-01T00:00:00.000Z",
             "2026-09-05T10:00:00.000Z"]
    silence = [f"{year}-03-01T10:00:00.000Z" for year in (1999, 1999, 2000, 2011, 2012, 2020, 2021, 2026, 2026)]
    yield "clock jumps", make("jumps", jumps).report("jumps.html"), "8 of 9 tasks"
    yield "years of silence", make("silence", silence).report("silence.html"), "8 of 9 tasks"
    project = make("empty", silence)
    project.write_history([])
    yield "an empty history", project.report("empty.html"), "8 of 9 tasks"
    (project.folder / ".checkpoint" / "history.jsonl").unlink()
    yield "no history", project.report("none.html"), "8 of 9 tasks"
    yield "a plan without a task", Project(program, base / "bare", "# Bare\n\nNothing yet.\n").report("bare.html"), "Bare"


def looks_well(page, path, what):
    """Nothing is complained about, loaded, or wider than the window."""
    page.open(path)
    check(f"{what}: nothing in the console", not page.complaints(), page.complaints())
    check(f"{what}: nothing is loaded", page.requests() == [path.as_uri()], page.requests())
    wide, window = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    check(f"{what}: nothing sticks out", wide <= window, (wide, window))


def pages(program, base):
    project = lively(program, base)
    odd = hostile(program, base)
    many = base / "many"
    first = Project(program, many, HOSTILE)
    second = many / "plans" / "second"
    second.mkdir(parents=True)
    (second / "plan.md").write_text("# Second\n\n- [x] one\n- [ ] two\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=many, check=True)
    first.run("init", "plans/second/plan.md")
    return {"lively": project.report("lively.html"), "hostile": odd.report("hostile.html"),
            "all": first.report("all.html", "--all")}


def reads(program, base, chromium, keep):
    for name, path in pages(program, base).items():
        for dark in (False, True):
            for width in WIDTHS:
                page = chromium.page(width=width, dark=dark)
                looks_well(page, path, f"{name}, {width} {'dark' if dark else 'light'}")
                ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
                check(f"{name}: the scheme is followed", (ground == "rgb(255, 255, 255)") != dark, ground)
                if keep:
                    page.picture(keep / f"{name}-{width}{'-dark' if dark else ''}.png")
                page.close()
        without_scripts(chromium, path, name)
    lively_page = base / "lively.html"
    by_keyboard(chromium, lively_page)
    time_cursor(chromium, lively_page)
    on_paper(chromium, lively_page)
    for what, path, words in odd_histories(program, base):
        page = chromium.page()
        looks_well(page, path, what)
        check(f"{what}: {words}", words in page.evaluate("document.body.innerText"), page.evaluate("document.body.innerText"))
        check(f"{what}: pictures have numbers", page.evaluate("!/NaN|Infinity|undefined/.test(document.body.innerHTML)"))
        if keep:
            page.picture(keep / f"{path.stem}.png")
        page.close()


def without_scripts(chromium, path, name):
    """Everything that the page says with scripts is said without."""
    with_scripts = chromium.page()
    with_scripts.open(path)
    texts = """(() => {
        const all = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            const text = walk.currentNode.textContent.trim().replace(/\\s+/g, " ");
            if (text && !walk.currentNode.parentElement.closest(".filter, svg, .time-says")) all.push(text);
        }
        return all; })()"""
    wanted = with_scripts.evaluate(texts)
    page = chromium.page(scripts=False)
    page.open(path)
    check(f"{name}: without scripts the same is there", page.evaluate(texts) == wanted and len(wanted) > 20, len(wanted))
    check(f"{name}: the filter, which would do nothing, is not", page.evaluate(
        "[...document.querySelectorAll('.filter')].every(x => x.getClientRects().length === 0)"))
    page.evaluate("document.querySelectorAll('details').forEach(x => x.open = true)")
    seen = " ".join(page.evaluate("document.body.innerText").split())
    hidden = [text for text in wanted if text not in seen]
    check(f"{name}: and seen", not hidden, hidden)
    page.close()
    with_scripts.close()


def by_keyboard(chromium, path):
    page = chromium.page()
    page.open(path)
    reached = set()
    for _ in range(200):
        page.press("Tab", 9)
        what = page.evaluate("(x => x === document.body ? '' : x.name || x.tagName + (x.getAttribute('aria-label') || ''))"
                             "(document.activeElement)")
        if what == "" and reached:
            break
        reached.add(what)
        if what == "text":
            break
    check("the keyboard reaches the filter, and numbers before it", {"text", "SUMMARY"} <= reached, reached)
    check("and what scrolls by itself", any(what.startswith("DIV") for what in reached), reached)
    focus = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    check("where the keyboard is can be seen", focus not in ("none", ""), focus)
    page.call("Input.insertText", text="logout: PART 2")
    shown = "[...document.querySelectorAll('tr[data-state]')].filter(x => !x.hidden).length"
    check("the filter finds one row", page.evaluate(shown) == 1, page.evaluate(shown))
    says = page.evaluate("document.querySelector('.filter output').textContent")
    check("and says so", says == "1 of 43 shown", says)
    page.evaluate("(f => { f.text.value = ''; f.state.value = 'done'; f.dispatchEvent(new Event('input')) })"
                  "(document.querySelector('form.filter').elements.text.form)")
    check("by state", page.evaluate(shown) == 29, page.evaluate(shown))
    check("no complaint of all that", not page.complaints(), page.complaints())
    page.close()


def time_cursor(chromium, path):
    page = chromium.page()
    page.open(path)
    x, y = page.evaluate("(r => [r.left + r.width / 3, r.top + r.height / 2])"
                         "(document.querySelector('svg[data-from]').getBoundingClientRect())")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    says = page.evaluate("document.querySelector('.time-says').textContent")
    check("the time cursor says what was then", says.startswith("2026-10-"), says)
    check("without a complaint", not page.complaints(), page.complaints())
    page.close()


def on_paper(chromium, path):
    page = chromium.page()
    page.open(path)
    paper = page.pdf()
    check("it can be printed", paper.startswith(b"%PDF-") and paper.count(b"/Type /Page\n") >= 2,
          (len(paper), paper.count(b"/Type /Page\n")))
    page.call("Emulation.setEmulatedMedia", media="print")
    check("on paper there is no filter", page.evaluate("document.querySelector('.filter').getClientRects().length === 0"))
    cut = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    check("and nothing is cut off", cut)
    page.close()


class Listener:
    """Who would hear it if the page sent something."""

    def __init__(self):
        self.heard = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(handler):
                self.heard.append(handler.path)
                handler.send_response(204)
                handler.end_headers()

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def policy(program, base, chromium, _keep):
    for name, path in pages(program, base).items():
        page = chromium.page()
        page.open(path)
        check(f"{name}: nothing of the plan runs", page.evaluate("window.injected === undefined"))
        strange = page.evaluate("""[...document.querySelectorAll('script, iframe, img, object, embed, link, base, b')].length
            + [...document.querySelectorAll('*')].filter(x => [...x.attributes].some(a => a.name.startsWith('on')
                || a.name === 'style' || ((a.name === 'href' || a.name === 'src') && !/^(#|https?:)/.test(a.value)))).length""")
        check(f"{name}: one script, ours, and no element of the plan's", strange == 1, strange)
        turned = page.evaluate("/[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]/.test(document.documentElement.innerHTML)")
        check(f"{name}: nothing turns text round", not turned)
        if name == "hostile":
            text = page.evaluate("document.body.textContent")
            for word in ("<script>window.injected=10</script>", "⟨U+202E⟩", "<svg onload=window.injected=4> ]]>",
                         "person:\"><script>", "<script>window.injected=11</script>", "]]><script>", "' onmouseover="):
                check(f"it is shown as it is written: {word}", word in text)
            longest = page.evaluate("Math.max(...[...document.querySelectorAll('td')].map(x => x.textContent.length))")
            check("a title of 10,000 characters is cut", longest < 1000, longest)
        page.close()

    listener = Listener()
    said = base.joinpath("hostile.html").read_text(encoding="utf-8")
    attack = f"""<script>window.injected = 1; fetch("{listener.address}/fetch")</script>
<script src="{listener.address}/script"></script><img src="{listener.address}/picture" onerror="window.injected = 2">
<link rel="stylesheet" href="{listener.address}/style"><iframe src="{listener.address}/frame"></iframe>
<p id="styled" style="position:fixed">x</p><form action="{listener.address}/form"><button>x</button></form>
<style>#styled{{color:rgb(1,2,3)}}</style><svg><image href="{listener.address}/svg"/></svg>"""
    harmed = said.replace("<main>", "<main>" + attack, 1)
    held = base / "harmed.html"
    held.write_text(harmed, encoding="utf-8")
    start, end = harmed.index("<meta http-equiv"), harmed.index("<meta name=\"viewport\"")
    bare = base / "bare-of-policy.html"
    bare.write_text(harmed[:start] + harmed[end:], encoding="utf-8")

    page = chromium.page()
    page.open(held)
    page.evaluate("document.querySelector('form button').click()")
    check("the policy: no script that is not ours runs", page.evaluate("window.injected === undefined"))
    check("the policy: ours does", page.evaluate("!document.querySelector('form.filter').hidden"))
    check("the policy: no foreign style", page.evaluate("getComputedStyle(document.getElementById('styled')).color") !=
          "rgb(1, 2, 3)" and page.evaluate("getComputedStyle(document.getElementById('styled')).position") == "static")
    check("the policy: the browser says that it held", any("Content Security Policy" in text for text in page.complaints()),
          page.complaints())
    check("the policy: nobody hears of it", not listener.heard, listener.heard)
    page.close()
    # The attack is one: without the policy it works.
    page = chromium.page()
    page.open(bare)
    check("without the policy it would run", page.evaluate("window.injected !== undefined"))
    check("and be heard", {"/script", "/picture", "/frame"} <= set(listener.heard), listener.heard)
    page.close()
    listener.server.shutdown()


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page, axe):
    page.evaluate(axe + ";0")
    return page.evaluate(f"""axe.run(document, {{runOnly: {json.dumps(RULES)}}}).then(result => result.violations.map(
        rule => rule.id + ": " + rule.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(" | ")))""")


def fetched_axe(base):
    if shutil.which("npm") is None:
        skip("npm is not installed")
    try:
        subprocess.run(["npm", "pack", AXE, "--silent"], cwd=base, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=60, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        skip(f"{AXE} cannot be had from here")
    subprocess.run(["tar", "xzf", *map(str, base.glob("axe-core-*.tgz"))], cwd=base, check=True)
    return (base / "package" / "axe.min.js").read_text(encoding="utf-8")


def axe(program, base, chromium, _keep):
    script = fetched_axe(base)
    page = chromium.page()
    bad = base / "bad.html"
    bad.write_text("<!doctype html><title>x</title><img src=data:><p style='color:#ccc;background:#fff'>pale</p>", encoding="utf-8")
    page.open(bad)
    found = violations(page, script)
    check("axe sees what is wrong", {"image-alt", "color-contrast"} <= {text.split(":")[0] for text in found}, found)
    page.close()
    for name, path in pages(program, base).items():
        for dark, width in ((False, 1280), (True, 1280), (False, 360), (True, 360)):
            page = chromium.page(width=width, dark=dark)
            page.open(path)
            # What is folded away has to be as good.
            page.evaluate("document.querySelectorAll('details').forEach(x => x.open = true)")
            found = violations(page, script)
            check(f"axe: {name}, {width} {'dark' if dark else 'light'}", found == [], "\n".join(found))
            page.close()


def main():
    program, what = os.path.abspath(sys.argv[1]), sys.argv[2]
    keep = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    if browser.program() is None:
        skip("no Chromium is installed")
    base = pathlib.Path(tempfile.mkdtemp()).resolve()
    try:
        with Browser(base) as chromium:
            {"reads": reads, "policy": policy, "axe": axe}[what](program, base, chromium, keep)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
