"""The packages of the release: what they hold, and that they can be installed, used and removed.

  packages_test.py BUILD packed     packs BUILD twice in two folders, compares, and keeps the packages in BUILD/packages
  packages_test.py BUILD archive|deb|npm|plugin|action   uses them

BUILD is a build folder of the preset `release`. Exit status 77: a tool that this part needs is not here.
PLANKEEP_PACKAGE_ARCH=aarch64: BUILD is for that architecture, and the kernel starts its programs with qemu-user
(packaging/test-aarch64.sh). Not for plugin and action: they contain no program.
"""

import contextlib
import functools
import hashlib
import http.server
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import urllib.parse

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(plankeep VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
ARCH = os.environ.get("PLANKEEP_PACKAGE_ARCH") or os.uname().machine
FOREIGN = ARCH != os.uname().machine
CPU = {"x86_64": "x64", "aarch64": "arm64"}[ARCH]
DEB_ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[ARCH]
SKIPPED = 77
PLAN = "# Auth\n\n- [x] Schema\n- [ ] Login form\n"
PATH = "/usr/bin:/bin"


class Skip(Exception):
    pass


def run(*words, expect=0, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL, "timeout": 280,
               **options}
    if "input" in options:
        del options["stdin"]
    result = subprocess.run([str(word) for word in words], check=False, **options)
    assert result.returncode == expect, f"{words}: status {result.returncode}\n{result.stdout.decode()}"
    return result.stdout.decode()


def files_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def use(call, top, package, path_ends):
    """What a user does first: version, a plan, its status, a hook, the tools for models, an editor. `call` runs plankeep there."""
    said = json.loads(call("version", "--json"))
    assert said["version"] == VERSION and said["package"] == package, said
    assert said["program"].endswith(path_ends), said
    if (SOURCE / ".git").exists():
        assert re.fullmatch(r"[0-9a-f]{40}(-dirty)?", said["commit"]), said
    (top / "plan.md").write_text(PLAN, encoding="utf-8")
    assert "1 done" in call("init")
    assert "1 of 2 tasks" in call("status")
    payload = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(top)}
    assert "Login form" in call("hook", "claude-code", "SessionStart", input=json.dumps(payload).encode())
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    answer = json.loads(call("mcp", input=json.dumps(hello).encode() + b"\n"))
    assert answer["result"]["serverInfo"] == {"name": "plankeep", "version": VERSION}, answer
    said = call("lsp", input=editor_says((top / "plan.md").as_uri()))
    page = re.search(r'"href":"file://([^"#]*)#unknown-dependency"', said)
    assert page, said
    assert "### unknown-dependency" in pathlib.Path(urllib.parse.unquote(page.group(1))).read_text(encoding="utf-8")


def editor_says(uri):
    """The beginning of a conversation: a plan with a mistake is opened."""
    shows = {"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": "- [ ] A <!-- TASK: a | after: b -->\n"}
    said = b""
    for message in ({"id": 1, "method": "initialize", "params": {"capabilities": shows}},
                    {"method": "initialized", "params": {}},
                    {"method": "textDocument/didOpen", "params": {"textDocument": document}}):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        said += b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
    return said


def caller(program, top, **variables):
    environment = {"HOME": str(top), "PATH": PATH, "LC_ALL": "C.UTF-8", **variables}
    return lambda *words, **options: run(program, *words, cwd=top, env=environment, **options)


def packed(build, packages, top):
    """Packs twice, from folders with other names and under another umask and clock zone; the same bytes come out."""
    first, second = top / "one", top / "a longer name" / "two"
    environment = {**os.environ, "PLANKEEP_MAINTAINER": "Kim Doe <kim@example.org>"}
    pack = [SOURCE / "packaging/build.sh", "--arch", ARCH, "--built", f"{ARCH}={build}", "--out"]
    run(*pack, first, env=environment)
    run("bash", "-c", 'umask 077; exec "$@"', "bash", *pack, second,
        env={**environment, "TZ": "Asia/Kathmandu", "LC_ALL": "C", "TMPDIR": str(top)})
    names = files_in(first)
    fleet = [f"plankeep-fleet_{VERSION}-1_{DEB_ARCH}.deb"] if (pathlib.Path(build) / "bin/plankeep-fleet").exists() else []
    assert names == sorted(fleet + [
        "SHA256SUMS", f"plankeep-{VERSION}-linux-{ARCH}.tar.xz", f"plankeep-{VERSION}-linux-{ARCH}.spdx.json",
        f"plankeep_{VERSION}-1_{DEB_ARCH}.deb", f"plankeep-{VERSION}.tgz", f"plankeep-linux-{CPU}-{VERSION}.tgz",
        f"plankeep-claude-code-{VERSION}.tar.gz"]), names
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), f"{name} differs from one packing to the next"
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=first)
    assert len((first / "SHA256SUMS").read_text(encoding="utf-8").splitlines()) == len(names) - 1
    archive = first / f"plankeep-{VERSION}-linux-{ARCH}.tar.xz"
    assert archive.stat().st_size <= 5_000_000, f"{archive.stat().st_size} bytes"
    for wrong in (["--arch", "vax"], ["--built", "x86_64"], ["--out"], ["more"]):
        assert "build.sh: " in run(SOURCE / "packaging/build.sh", *wrong, expect=1)
    assert "--built ARCH=DIR" in run(SOURCE / "packaging/build.sh", "--help")
    check_sbom(first, archive)
    shutil.rmtree(packages, ignore_errors=True)
    shutil.copytree(first, packages)


def check_sbom(packages, archive):
    document = json.loads((packages / f"plankeep-{VERSION}-linux-{ARCH}.spdx.json").read_bytes())
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
    by_id = {package["SPDXID"]: package for package in document["packages"]}
    assert len(by_id) == len(document["packages"]) >= 12
    for package in by_id.values():
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]) and package["versionInfo"], package
    linked = {relation["relatedSpdxElement"] for relation in document["relationships"]
              if relation["relationshipType"] == "STATIC_LINK"}
    assert linked == set(by_id) - {"SPDXRef-plankeep"}
    with tempfile.TemporaryDirectory() as top:
        run("tar", "-C", top, "-xf", archive)
        program = next(pathlib.Path(top).glob("*/bin/plankeep")).read_bytes()
    assert by_id["SPDXRef-plankeep"]["checksums"] == [
        {"algorithm": "SHA256", "checksumValue": hashlib.sha256(program).hexdigest()}]
    # Every library that the build asks for is in the list: none can be added without its licence.
    wanted = re.search(r"plankeep_build_packages=\((.*?)\)", (SOURCE / "tests/support/install.sh").read_text(encoding="utf-8"), re.DOTALL)
    libraries = {word for word in wanted.group(1).split() if word.endswith("-dev")}
    assert libraries <= {package["name"] for package in by_id.values()}, libraries


def archive(_, packages, top):
    """The archive, unpacked over a prefix that holds other things, is gone without a trace by its manifest."""
    prefix = top / "prefix"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "bin/other").write_text("stays", encoding="utf-8")
    run("tar", "-C", prefix, "--strip-components=1", "-xf", packages / f"plankeep-{VERSION}-linux-{ARCH}.tar.xz")
    home = top / "home"
    home.mkdir()
    use(caller(prefix / "bin/plankeep", home), home, "tarball", "/prefix/bin/plankeep")
    if os.geteuid() == 0:
        # Where there is nothing else at all, not even a C library.
        run("/usr/sbin/chroot", prefix, "/bin/plankeep", "version", env={})
    for licence in ("libssl-dev", "libc6-dev", "libcmark-gfm-dev"):
        assert (prefix / f"share/doc/plankeep/licences/{licence}.txt").stat().st_size > 500
    command = re.search(r"^(\(cd .*share/plankeep/manifest.*)$", (SOURCE / "docs/install.md").read_text(encoding="utf-8"), re.MULTILINE)
    run("bash", "-c", command.group(1).replace("~/.local", '"$1"'), "bash", prefix)
    assert files_in(prefix) == ["bin/other"], files_in(prefix)
    assert sorted(path.name for path in prefix.rglob("*")) == ["bin", "other"], "empty folders stay"


def deb(_, packages, top):
    """Installed by dpkg into a root of its own, and purged; lintian has nothing to say."""
    package = packages / f"plankeep_{VERSION}-1_{DEB_ARCH}.deb"
    root = top / "root"
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "var/log", "etc/dpkg"):
        (root / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    dpkg = ["dpkg", f"--root={root}", "--force-not-root", "--log=/dev/null", "--force-architecture"]
    run(*dpkg, "--install", package)
    home = top / "home"
    home.mkdir()
    use(caller(root / "usr/bin/plankeep", home), home, "deb", "/root/usr/bin/plankeep")
    for file in ("man/man1/plankeep.1.gz", "bash-completion/completions/plankeep", "zsh/vendor-completions/_plankeep",
                 "fish/vendor_completions.d/plankeep.fish", "plankeep/schemas/README.md", "doc/plankeep/copyright",
                 "doc/plankeep/changelog.gz", "plankeep/hooks/git/post-commit"):
        assert (root / "usr/share" / file).stat().st_size > 0, file
    assert run(*dpkg, "--verify", f"plankeep:{DEB_ARCH}") == ""
    run(*dpkg, "--purge", f"plankeep:{DEB_ARCH}")
    left = [name for name in files_in(root) if not name.startswith(("var/lib/dpkg/", "var/log/"))]
    assert left == [], left
    if not shutil.which("lintian"):
        raise Skip("lintian is not here: the rest passed")
    said = run("lintian", "--allow-root", "--tag-display-limit", "0", "--fail-on", "error,warning,info", package)
    assert not re.search(r"^[EWI]:", said, re.MULTILINE), said


def npm(_, packages, top):
    """npm installs the files without a registry; the launcher ends as the program ends."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise Skip("npm is not here")
    path = os.pathsep.join(dict.fromkeys([os.path.dirname(shutil.which("node")), os.path.dirname(shutil.which("npm")), *PATH.split(":")]))
    environment = {"HOME": str(top), "PATH": path, "npm_config_cache": str(top / "cache"), "npm_config_offline": "true",
                   "npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}
    if FOREIGN:
        # npm and the launcher ask Node for the processor.
        (top / "processor.js").write_text(f"Object.defineProperty(process, 'arch', {{value: '{CPU}'}});", encoding="utf-8")
        environment["NODE_OPTIONS"] = f"--require {top}/processor.js"
    launcher, program = packages / f"plankeep-{VERSION}.tgz", packages / f"plankeep-linux-{CPU}-{VERSION}.tgz"
    project = top / "project"
    project.mkdir()
    (project / "package.json").write_text('{"private": true}', encoding="utf-8")
    run("npm", "install", launcher, program, cwd=project, env=environment)
    manifest = json.loads((project / "node_modules/plankeep/package.json").read_bytes())
    assert "scripts" not in manifest and set(manifest["optionalDependencies"].values()) == {VERSION}, manifest
    native = project / f"node_modules/@plankeep/linux-{CPU}/bin/plankeep"
    assert "scripts" not in json.loads((native.parents[1] / "package.json").read_bytes())

    def call(*words, **options):
        return run("npx", "--no-install", "plankeep", *words, cwd=project, env=environment, **options)

    use(call, project, "npm", f"/node_modules/@plankeep/linux-{CPU}/bin/plankeep")
    call("nonsense", expect=2)
    shown = json.loads(call("install", "codex", "--dry-run", "--json"))
    assert shown["program"] == str(native), "hooks call the program itself, not Node"

    started = project / "node_modules/plankeep/bin/plankeep.js"
    node = functools.partial(subprocess.Popen, cwd=project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for number in (signal.SIGTERM, signal.SIGINT):
        # Once it prints its first line it is watching; then the launcher alone gets the signal.
        with node(["node", started, "watch"], env=environment) as watch:
            (project / "plan.md").write_text(PLAN.replace("[ ]", "[x]", 1), encoding="utf-8")
            watch.stdout.readline()
            watch.send_signal(number)
            code = watch.wait(timeout=60)
        (project / "plan.md").write_text(PLAN, encoding="utf-8")
        run(native, "sync", cwd=project, env=environment)
        assert code in (0, -number, 128 + number), code
        assert not pathlib.Path(f"/proc/{watch.pid}").exists()
    said = run("node", started, "version", cwd=project, env={**environment, "PLANKEEP_PROGRAM": "/nonexistent/plankeep"}, expect=4)
    assert "cannot start /nonexistent/plankeep" in said and "hint: " in said, said
    shutil.rmtree(native.parents[1])
    said = run("node", started, "version", cwd=project, env=environment, expect=4)
    assert f"@plankeep/linux-{CPU} is not installed" in said and "--include=optional" in said, said
    elsewhere = "Object.defineProperty(process, 'arch', {value: 'riscv64'}); require(process.argv[1])"
    said = run("node", "-e", elsewhere, started, cwd=project, env=environment, expect=4)
    assert "no program for linux-riscv64" in said, said
    run("npm", "install", cwd=project, env=environment)
    call("version")
    run("npm", "uninstall", "plankeep", f"@plankeep/linux-{CPU}", cwd=project, env=environment)
    left = [path.as_posix() for path in project.rglob("node_modules/**/*plankeep*") if not path.is_dir() or any(path.iterdir())]
    assert left == [], left


def plugin(build, packages, top):
    """The plugin's hooks find the program by name, by PATH or where it usually is, and are silent without it."""
    run("tar", "-C", top, "-xf", packages / f"plankeep-claude-code-{VERSION}.tar.gz")
    root = top / f"plankeep-claude-code-{VERSION}"
    manifest = json.loads((root / ".claude-plugin/plugin.json").read_bytes())
    assert manifest["version"] == VERSION, "the version in plugin.json is not the project's"
    emacs = (SOURCE / "hooks/emacs/plankeep.el").read_text(encoding="utf-8")
    assert f";; Version: {VERSION}\n" in emacs, "the version in plankeep.el is not the project's"
    changes = re.findall(r"^## .*?([0-9]+\.[0-9]+\.[0-9]+)", (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert changes[0] == VERSION, "the newest version in CHANGELOG.md is not the project's"
    hooks = json.loads((root / "hooks/hooks.json").read_bytes())["hooks"]
    project = top / "project"
    project.mkdir()
    (project / "plan.md").write_text(PLAN, encoding="utf-8")
    program = build / "bin/plankeep"
    run(program, "init", cwd=project, env={"HOME": str(top), "PATH": PATH})
    sessions = itertools.count()

    def fire(event, **variables):
        payload = {"session_id": f"s{next(sessions)}", "source": "startup", "cwd": str(project)}
        command = hooks[event][0]["hooks"][0]["command"]
        environment = {"HOME": str(top / "home"), "PATH": PATH, "CLAUDE_PLUGIN_ROOT": str(root), **variables}
        return run("sh", "-c", command, cwd=project, env=environment,
                   input=json.dumps({**payload, "hook_event_name": event}).encode())

    programs, home = top / "a folder/bin", top / "home/.local/bin"
    for folder in (programs, home):
        folder.mkdir(parents=True)
    missing = json.loads(fire("SessionStart"))["systemMessage"]
    assert "not installed" in missing and fire("Stop") == "", missing
    (programs / "plankeep").symlink_to(program)
    assert "Login form" in fire("SessionStart", PATH=f"{programs}:{PATH}")
    assert "Login form" in fire("SessionStart", PLANKEEP_PROGRAM=str(program))
    (home / "plankeep").symlink_to(program)
    assert "Login form" in fire("SessionStart")
    # Named goes before found.
    (top / "named").write_text("#!/bin/sh\necho named \"$@\"\n", encoding="utf-8")
    (top / "named").chmod(0o755)
    assert fire("Stop", PLANKEEP_PROGRAM=str(top / "named"), PATH=f"{programs}:{PATH}") == "named hook claude-code Stop\n"
    for folder in root.rglob("*"):
        assert stat.S_IMODE(folder.stat().st_mode) in (0o755, 0o644), folder


def action(build, packages, top):
    """The scripts of action.yml: the download is checked, plans are linted, proof is asked for."""
    text = (SOURCE / "action.yml").read_text(encoding="utf-8")
    scripts = re.findall(r"run: bash \"\$GITHUB_ACTION_PATH/([^\"]+)\"", text)
    assert scripts == ["packaging/action/get.sh", "packaging/action/check.sh"], scripts
    # What users pass in reaches the scripts as variables, never as text of a script.
    assert all("${{" not in line for line in text.splitlines() if "run:" in line)
    declared = set(re.findall(r"^  (\w+):$", text.split("inputs:")[1].split("outputs:")[0], re.MULTILINE))
    assert declared == set(re.findall(r"inputs\.(\w+)", text)), declared

    get, check = (SOURCE / script for script in scripts)
    name = f"plankeep-{VERSION}-linux-{ARCH}.tar.xz"
    served = top / "served" / f"v{VERSION}"
    served.mkdir(parents=True)
    for file in (name, "SHA256SUMS"):
        shutil.copy(packages / file, served)
    tools = top / "tools"
    tools.mkdir()
    for tool in ("bash", "uname", "mktemp", "curl", "grep", "wc", "sha256sum", "tar", "xz", "sed", "dirname", "python3", "git", "rm"):
        if shutil.which(tool):
            (tools / tool).symlink_to(shutil.which(tool, path=PATH) or shutil.which(tool))
    with server(top / "served") as address:
        runner = {"PATH": str(tools), "HOME": str(top), "RUNNER_TEMP": str(top), "GITHUB_PATH": str(top / "path"),
                  "PLANKEEP_RELEASES": address, "PLANKEEP_VERSION": ""}
        if shutil.which("curl"):
            assert f"using plankeep {VERSION}" in run("bash", get, env=runner)
            added = (top / "path").read_text(encoding="utf-8").strip()
            assert VERSION in run(f"{added}/plankeep", "version")
            assert "cannot download" in run("bash", get, env={**runner, "PLANKEEP_VERSION": "v9.9.9"}, expect=1)
            assert "is no version" in run("bash", get, env={**runner, "PLANKEEP_VERSION": "../../x"}, expect=1)
            with open(served / name, "ab") as file:
                file.write(b"more")
            assert "is not what SHA256SUMS says" in run("bash", get, env=runner, expect=1)

    (tools / "plankeep").symlink_to(build / "bin/plankeep")
    assert "using " in run("bash", get, env=runner)
    project = top / "work space"
    project.mkdir()
    environment = {"PATH": str(tools), "HOME": str(top), "GITHUB_OUTPUT": str(top / "output"), "GITHUB_STEP_SUMMARY": str(top / "summary"),
                   "LC_ALL": "C.UTF-8"}

    def checked(expect=0, **variables):
        (top / "output").unlink(missing_ok=True)
        said = run("bash", check, cwd=project, env={**environment, **variables}, expect=expect)
        return said

    assert "no plan in this checkout" in checked(expect=1)
    (project / "plan.md").write_text("# Auth\n\n- [x] Schema <!-- TASK: a -->\n- [x] Proven <!-- ACCEPT: b | verify: test -f proof -->\n"
                                     "::error::a plan's own line\n", encoding="utf-8")
    checked()
    assert (top / "output").read_text(encoding="utf-8") == "sarif=plankeep.sarif\nresult=passed\n"
    assert json.loads((project / "plankeep.sarif").read_bytes())["version"] == "2.1.0"
    assert "Plans: passed" in (top / "summary").read_text(encoding="utf-8")
    assert "proof is off, check or run" in checked(expect=1, PLANKEEP_PROOF="maybe")
    assert "no such plan: other.md" in checked(expect=1, PLANKEEP_PLANS="plan.md\n other.md \n")
    checked(expect=1, PLANKEEP_PROOF="check")
    assert "result=failed" in (top / "output").read_text(encoding="utf-8")
    checked(expect=1, PLANKEEP_PROOF="run")
    (project / "proof").touch()
    checked(PLANKEEP_PROOF="run")
    checked(PLANKEEP_PROOF="check")
    (project / "plan.md").write_text("# Auth\n\n- [x] A <!-- TASK: a -->\n- [ ] B <!-- TASK: a -->\n", encoding="utf-8")
    checked(expect=1, PLANKEEP_PLANS="plan.md")
    results = json.loads((project / "plankeep.sarif").read_bytes())["runs"][0]["results"]
    assert results and results[0]["locations"], results

    # Records that came with the checkout are believed where they are to be checked, each time.
    if shutil.which("git"):
        made, project = top / "made", top / "checkout"
        made.mkdir()
        (made / "plan.md").write_text("# Auth\n\n- [x] A\n- [ ] Proven <!-- ACCEPT: b | verify: test -f plan.md -->\n", encoding="utf-8")
        here = {"cwd": made, "env": {"PATH": PATH, "HOME": str(top)}}
        as_somebody = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        run("git", "init", "-q", **here)
        run(tools / "plankeep", "init", **here)
        run(tools / "plankeep", "verify", "--yes", **here)
        run("git", "add", "-f", "plan.md", ".checkpoint", **here)
        run("git", *as_somebody, "commit", "-qm", "proven", **here)
        run("git", "clone", "-q", made, project, **here)
        for _ in range(2):
            checked(PLANKEEP_PROOF="check")
        assert not list(project.glob(".checkpoint.set-aside-*"))


@contextlib.contextmanager
def server(folder):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{serving.server_address[1]}"
        finally:
            serving.shutdown()
            thread.join()


def main(build, part):
    build = pathlib.Path(build).resolve()
    with tempfile.TemporaryDirectory() as top:
        try:
            part(build, build / "packages", pathlib.Path(top).resolve())
        except Skip as reason:
            print(f"skipped: {reason}")
            return SKIPPED
    return 0


if __name__ == "__main__":
    parts = {part.__name__: part for part in (packed, archive, deb, npm, plugin, action)}
    sys.exit(main(sys.argv[1], parts[sys.argv[2]]))
