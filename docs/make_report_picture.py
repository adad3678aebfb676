#!/usr/bin/env python3
"""Makes docs/report.svg: the burn-up and the phases of a real report.

  python3 docs/make_report_picture.py build/release/bin/plankeep > docs/report.svg

The plan is examples/plans/marked-feature with all its boxes open. It is worked on for three weeks by commands with a fixed
clock, and the pictures are cut out of the page that `plankeep report` makes of it, with the page's own style for them. So the
same program makes the same picture; tests/docs compares.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLAN = pathlib.Path(__file__).resolve().parents[1] / "examples" / "plans" / "marked-feature" / "plan.md"
SECTIONS = ("Burn-up", "Phases")
WIDTH, MARGIN, LINE = 1000, 20, 22

# When, by whom, and the command.
WEEKS = [
    ("02T09:00", "person", "init plan.md"),
    ("02T09:30", "main", "start search-table"),
    ("02T15:10", "main", "done search-table"),
    ("03T11:20", "main", "done normal-form"),
    ("03T16:45", "subagent:reviewer", "verify migration-both-ways --yes"),
    ("04T10:05", "main", "done search-limit"),
    ("04T17:30", "subagent:reviewer", "verify versioned-queries --yes"),
    ("06T14:00", "main", "done shared-runs"),
    ("09T09:40", "main", "start new-since"),
    ("11T16:20", "main", "done new-since"),
    ("12T10:10", "person:Tom", "reopen new-since"),
    ("12T10:15", "person:Tom", "block items are missed when an index is rebuilt"),
    ("12T11:00", "person:Tom", "add A rebuilt index keeps its position --phase matcher --id keep-position"),
    ("13T15:30", "main", "done keep-position"),
    ("16T10:20", "main", "done new-since"),
    ("17T13:10", "main", "done slow-search"),
    ("18T11:45", "subagent:mailer", "done digest"),
    ("19T16:05", "main", "done save-button"),
    ("20T09:30", "main", "start spread-runs"),
]
END = "2026-11-20T16:00:00Z"


def told(command):
    """The words of a command; what is no option's and no id is one word: the title."""
    words = command.split(" ")
    if words[0] not in ("add", "block"):
        return words
    options = next((at for at, word in enumerate(words) if word.startswith("--")), len(words))
    return [words[0], " ".join(words[1:options]), *words[options:]]


def page(program):
    with tempfile.TemporaryDirectory() as top:
        folder = pathlib.Path(top).resolve() / "searches"
        folder.mkdir()
        # Nobody works on it yet: every box open, and no blocker. What proves a criterion is not here, so it is made short.
        text = re.sub(r"(?m)^- \[[x~]\]", "- [ ]", PLAN.read_text(encoding="utf-8"))
        text = re.sub(r"(?m)^<!-- BLOCKER: .*\n", "", text)
        text = re.sub(r"\| verify: .* -->", "| verify: true -->", text)
        (folder / "plan.md").write_text(text, encoding="utf-8")
        (folder.parent / "home").mkdir()  # what the criteria saw is kept there: this folder is in no repository

        def run(when, *words):
            environment = {"HOME": str(folder.parent / "home"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                           "PLANKEEP_CHECKPOINTS": "off", "PLANKEEP_NOW": when, "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1"}
            answer = subprocess.run([program, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
            if answer.returncode != 0:
                sys.exit(f"plankeep {' '.join(words)} ended with {answer.returncode}: {answer.stderr.decode()}")
            return answer.stdout.decode("utf-8")

        for when, actor, command in WEEKS:
            words = told(command)
            run(f"2026-11-{when}:00Z", *words, *([] if words[0] == "init" else ["--by", actor]))
        return run(END, "report", "--out", "-")


def rules(style, used):
    """What of the page's style the pictures need: the colours, and the rules of the classes that they use."""
    def wanted(selector):
        if selector in (":root", "svg text"):
            return True
        return re.fullmatch(r"(svg )?(\.[\w-]+)+", selector) and used.issuperset(re.findall(r"\.([\w-]+)", selector))

    def of(text):
        kept = []
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
            chosen = [one.strip() for one in selectors.split(",") if wanted(one.strip())]
            if chosen:
                kept.append(",".join(chosen) + "{" + body.strip() + "}")
        return kept

    dark = re.search(r"@media \(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\}", style)
    light = re.sub(r"@media [^{]*\{(?:[^{}]*\{[^{}]*\})*\}", "", style)
    return "\n".join([*of(light), "@media (prefers-color-scheme:dark){" + "".join(of(dark.group(1))) + "}"])


def pictures(html):
    """(heading, [(sign, what it stands for)], viewBox, drawing) of each section."""
    for heading in SECTIONS:
        found = re.search(rf"<h2[^>]*>{heading}</h2>(.*?)(?=<h2|</main>)", html, re.DOTALL)
        drawing = found and re.search(r'<svg role="img" viewBox="([^"]*)"[^>]*>\n(.*?)</svg>', found.group(1), re.DOTALL)
        if not drawing:
            sys.exit(f"the report has no picture below {heading!r}")
        key = re.findall(r"<li><svg[^>]*>(.*?)</svg>(.*?)</li>", found.group(1)[:drawing.start()])
        inside = re.sub(r"<(title|desc)[^>]*>.*?</\1>\n?", "", drawing.group(2), flags=re.DOTALL)
        yield heading, key, [float(part) for part in drawing.group(1).split()], inside.rstrip("\n")


def main(program):
    html = page(program)
    body, y = [], MARGIN
    for heading, key, (_, _, width, height), drawing in pictures(html):
        body.append(f'<text x="{MARGIN}" y="{y + 16}" class="name" style="font-size:18px;font-weight:600">{heading}</text>')
        y += 32
        x = MARGIN
        for sign, name in key:
            if x > MARGIN and x + 34 + 7 * len(name) > WIDTH - MARGIN:
                x, y = MARGIN, y + LINE
            body.append(f'<svg x="{x}" y="{y}" width="22" height="12" viewBox="0 0 22 12">{sign}</svg>')
            body.append(f'<text x="{x + 28}" y="{y + 10}" class="label">{name}</text>')
            x += 48 + 7 * len(name)
        y += LINE if key else 0
        shown = min(WIDTH - 2 * MARGIN, width)
        tall = round(height * shown / width)
        body.append(f'<svg x="{MARGIN}" y="{y}" width="{shown:g}" height="{tall}" viewBox="0 0 {width:g} {height:g}">')
        body += [drawing, "</svg>"]
        y += tall + 2 * MARGIN
    drawn = "\n".join(body)
    used = {name for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()}
    sys.stdout.write("\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">',
        "<title>From a report: burn-up with forecast, and phases on a time axis</title>",
        f"<style>\n{rules(re.search('<style>(.*?)</style>', html, re.DOTALL).group(1), used)}\n</style>",
        '<rect width="100%" height="100%" rx="8" style="fill:var(--ground)"/>', drawn, "</svg>"]) + "\n")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
