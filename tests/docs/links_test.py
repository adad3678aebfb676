"""Every relative link of a document leads to a file that is there, and to a heading of it.

  links_test.py SOURCE
"""

import pathlib
import re
import sys

SKIP = ("build", "hooks/vscode/node_modules", "tests/fixtures", "tests/cases", "tests/fuzz", "examples/plans", "examples/dialects", ".git")


def documents(source):
    for path in sorted(source.rglob("*.md")):
        name = path.relative_to(source).as_posix()
        if not name.startswith(SKIP):
            yield path


def without_code(text):
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def anchors(path):
    """The headings of a document as GitHub names them."""
    seen, result = {}, set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", without_code(path.read_text(encoding="utf-8")), re.MULTILINE):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen[slug] = seen.get(slug, -1) + 1
        result.add(slug if count == 0 else f"{slug}-{count}")
    return result


def main(source):
    links, failures = 0, []
    for path in documents(source):
        text = re.sub(r"`[^`\n]*`", "``", without_code(path.read_text(encoding="utf-8")))
        targets = re.findall(r"\]\(([^()\s]+(?:\([^()]*\))?)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
        for target in targets:
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            links += 1
            name, _, anchor = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            where = f"{path.relative_to(source)}: {target}"
            if not file.exists():
                failures.append(f"{where}: no such file")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                failures.append(f"{where}: no such heading")
    print("\n".join(failures) or f"{links} links lead somewhere")
    return 1 if failures or links < 30 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
