"""The ready settings in hooks/ are what `plankeep install` writes into an empty project.

  settings_test.py PROGRAM

PLANKEEP_ACCEPT=1 writes them anew instead of comparing; such a run exits with 77, which ctest counts as skipped.
"""

import json
import os
import re
import sys

from support import HOOKS, SKIPPED, collector, main

tests, test = collector()

# Where install writes it in a project, and where it stands here.
FILES = {
    "codex": (".codex/hooks.json", "codex/hooks.json"),
    "gemini": (".gemini/settings.json", "gemini/settings.json"),
    "copilot": (".github/hooks/plankeep.json", "copilot/plankeep.json"),
    "qwen": (".qwen/settings.json", "qwen/settings.json"),
    "cursor": (".cursor/hooks.json", "cursor/hooks.json"),
    "opencode": (".opencode/plugins/plankeep.js", "opencode/plankeep.js"),
}
PLUGIN = HOOKS / "claude-code"
ACCEPT = os.environ.get("PLANKEEP_ACCEPT") == "1"


def installed(world, client, path):
    world.must("install", client, "--project", "--on-path")
    return (world.root / path).read_bytes()


def hold(path, text):
    if ACCEPT:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        return
    assert path.read_bytes() == text, f"{path} is not what install writes; PLANKEEP_ACCEPT=1 takes it over"


@test
def each_settings_file_is_what_install_writes_into_an_empty_project(world):
    for client, (path, here) in FILES.items():
        text = installed(world, client, path)
        if client == "opencode":
            # The source of what install writes: it is never taken from there.
            assert (HOOKS / here).read_bytes() == text, "install writes another plugin for opencode"
        else:
            hold(HOOKS / here, text)


@test
def settings_that_somebody_made_read_only_are_refused_with_words(world):
    settings = world.root / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{}", encoding="utf-8")
    settings.chmod(0o444)
    refused = world.run("install", "claude-code", "--project", "--on-path")
    assert refused.returncode == 4, refused
    assert b"is read-only" in refused.stderr and b"chmod u+w" in refused.stderr, refused.stderr
    assert settings.read_text(encoding="utf-8") == "{}"


@test
def there_is_a_folder_for_every_client_that_install_knows(world):
    known = re.search(rb"CLIENT ([a-z|-]+)", world.must("help", "install").stdout).group(1).decode().split("|")
    assert sorted(known) == sorted([*FILES, "claude-code"]), known


@test
def the_plugin_for_claude_code_has_the_hooks_that_install_writes(world):
    hooks = json.loads(installed(world, "claude-code", ".claude/settings.json"))["hooks"]
    # The plugin does not know where the program is: PLANKEEP_PROGRAM names it, or PATH, or its own script finds it.
    for entries in hooks.values():
        for hook in (hook for entry in entries for hook in entry["hooks"]):
            words = hook["command"].removeprefix("plankeep ")
            hook["command"] = (f'P="${{PLANKEEP_PROGRAM:-plankeep}}"; command -v "$P" >/dev/null && exec "$P" {words}; '
                               f'exec "${{CLAUDE_PLUGIN_ROOT}}/bin/find-plankeep" {words}')
    text = json.dumps({"description": "Keeps the plan", "hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
    assert len(hooks) >= 10, hooks.keys()
    hold(PLUGIN / "hooks" / "hooks.json", text.encode())


@test
def the_plugin_s_parts_name_each_other(_):
    plugin = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_bytes())
    market = json.loads((PLUGIN / ".claude-plugin/marketplace.json").read_bytes())
    assert plugin["name"] == market["name"] == "plankeep"
    assert [entry["name"] for entry in market["plugins"]] == ["plankeep"]
    for entry in market["plugins"]:
        assert (PLUGIN / entry["source"] / ".claude-plugin/plugin.json").is_file()
    skill = front_matter(PLUGIN / "skills/plankeep/SKILL.md")
    assert skill["name"] == "plankeep" and 0 < len(skill["description"]) <= 1024
    for name in ("status", "next", "verify"):
        assert front_matter(PLUGIN / "commands" / f"{name}.md")["description"]


@test
def the_plugin_names_only_commands_that_there_are(world):
    known = set(re.findall(r"^  ([a-z]+) ", world.must("--help").stdout.decode(), re.MULTILINE))
    assert len(known) > 15
    for path in [*PLUGIN.glob("commands/*.md"), *PLUGIN.glob("skills/*/SKILL.md")]:
        named = set(re.findall(r"[`(]plankeep ([a-z]+)", path.read_text(encoding="utf-8")))
        assert named and named <= known, f"{path}: {named - known}"


@test
def the_skill_s_example_is_a_plan_without_mistakes(world):
    text = (PLUGIN / "skills/plankeep/SKILL.md").read_text(encoding="utf-8")
    example = re.search(r"```markdown\n(.*?)```", text, re.DOTALL).group(1)
    world.plan.write_text(example, encoding="utf-8")
    world.must("lint", "--strict", "plan.md")
    plan = json.loads(world.must("parse", "plan.md", "--json").stdout)
    assert [len(plan["phases"][0][part]) for part in ("tasks", "acceptance")] == [2, 1]
    assert len(plan["decisions"]) == len(plan["blockers"]) == 1


def front_matter(path):
    head = re.match(r"---\n(.*?)\n---\n", path.read_text(encoding="utf-8"), re.DOTALL).group(1)
    return dict(line.split(": ", 1) for line in head.splitlines())


if __name__ == "__main__":
    result = main(tests, __doc__)
    sys.exit(SKIPPED if ACCEPT and result == 0 else result)
