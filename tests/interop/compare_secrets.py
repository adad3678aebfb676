"""compare_secrets.py ROOT OURS WORK VECTORS GITLEAKS BETTERLEAKS: see secrets.sh."""

import json
import pathlib
import random
import subprocess
import sys

LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
DIGITS = "0123456789"
ALNUM = LOWER + UPPER + DIGITS
HEX = DIGITS + "abcdef"
BASE32 = UPPER + "234567"

# What vendors publish of their tokens: parts that are written so, or (alphabet, length).
SHAPES = {
    "github": ["ghp_", (ALNUM, 36)], "github-app": ["ghs_", (ALNUM, 36)],
    "github-pat": ["github_pat_", (ALNUM, 22), "_", (ALNUM, 59)],
    "gitlab": ["glpat-", (ALNUM, 20)], "aws": ["AKIA", (BASE32, 16)], "google": ["AIza", (ALNUM, 35)],
    "anthropic": ["sk-ant-api03-", (ALNUM, 93), "AA"], "openai": ["sk-proj-", (ALNUM, 74), "T3BlbkFJ", (ALNUM, 74)],
    "slack": ["xoxb-", (DIGITS, 12), "-", (DIGITS, 12), "-", (ALNUM, 24)],
    "stripe": ["sk_live_", (ALNUM, 24)], "npm": ["npm_", (ALNUM, 36)],
    "pypi": ["pypi-AgEIcHlwaS5vcmc", (ALNUM, 90)], "rubygems": ["rubygems_", (HEX, 48)],
    "hugging-face": ["hf_", (LOWER + UPPER, 34)], "sendgrid": ["SG.", (ALNUM, 22), ".", (ALNUM, 43)],
    "twilio": ["SK", (HEX, 32)], "databricks": ["dapi", (HEX, 32)], "digitalocean": ["dop_v1_", (HEX, 64)],
    "doppler": ["dp.pt.", (ALNUM, 43)], "vault": ["hvs.", (ALNUM, 95)],
    "terraform": [(ALNUM, 14), ".atlasv1.", (ALNUM, 65)], "azure": [(ALNUM, 3), "8Q~", (ALNUM, 34)],
    "fly": ["fo1_", (ALNUM, 43)], "grafana": ["glsa_", (ALNUM, 32), "_", (HEX, 8)],
    "linear": ["lin_api_", (ALNUM, 40)], "postman": ["PMAK-", (HEX, 24), "-", (HEX, 34)],
    "pulumi": ["pul-", (HEX, 40)], "sentry": ["sntryu_", (HEX, 64)], "shopify": ["shpat_", (HEX, 32)],
    "age": ["AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)], "perplexity": ["pplx-", (ALNUM, 48)],
    "planetscale": ["pscale_tkn_", (ALNUM, 43)], "heroku": ["HRKU-AA", (ALNUM, 58)],
    "jwt": ["eyJ", (ALNUM, 33), ".eyJ", (ALNUM, 60), ".", (ALNUM, 43)],
    "new-relic": ["NRAK-", (UPPER + DIGITS, 27)], "prefect": ["pnu_", (LOWER + DIGITS, 36)],
    "random-40": [(ALNUM, 40)], "random-64": [(ALNUM, 64)],
}
CONTEXTS = [
    "@", "use @ now", "(@)", "'@'", '"@"', "`@`", "token=@", "token: @", 'API_KEY="@"', "export SECRET=@",
    '{"token": "@"}', '{"a": "@", "b": 1}', "curl -H 'Authorization: Bearer @' https://host", "--token @ --force",
    "https://host/x?access_token=@&y=1", "https://user:@@host/x", "- [ ] Use @ for the deploy", "| key | @ |",
    "<password>@</password>", "var apiKey string = \"@\"", "os.environ['TOKEN'] = '@'", "secret_key: @",
    "printf %s @ | gh auth login --with-token", "+  token = \"@\",", "-  token = \"@\",", "// @", "# @",
    "error: invalid key @.", "log: sent [@]", "a,@,b",
]


def made(shape, rng):
    return "".join(part if isinstance(part, str) else "".join(rng.choices(part[0], k=part[1])) for part in shape)


def ours_of(program, texts):
    fed = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run([program], input=fed, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def theirs_of(program, work, texts):
    """Which of the texts, each in a file of its own, the scanner reports."""
    folder = work / "texts"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text + "\n")
    report = work / "report.json"
    done = subprocess.run([program, "dir", str(folder), "--report-format", "json", "--report-path", str(report),
                           "--no-banner", "--exit-code", "0"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    found = json.loads(report.read_text() or "[]") or []
    return {int(pathlib.Path(one["File"]).stem) for one in found}


def plans_of(root):
    return sorted(path for folder in ("tests/fixtures/plans", "examples") for path in (root / folder).rglob("*.md"))


def main():
    root, ours, work = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    vectors, others = pathlib.Path(sys.argv[4]), {"gitleaks": sys.argv[5], "betterleaks": sys.argv[6]}
    failed = False

    if vectors.exists():
        rows = [json.loads(line) for line in vectors.read_text().splitlines()]
        counts = [count for count, _ in ours_of(ours, [row["text"] for row in rows])]
        secrets = [count > 0 for row, count in zip(rows, counts) if row["secret"]]
        innocent = [count > 0 for row, count in zip(rows, counts) if not row["secret"]]
        recall = sum(secrets) / len(secrets)
        print(f"gitleaks' vectors: {sum(secrets)} of {len(secrets)} found (recall {recall:.3f}); "
              f"{sum(innocent)} of {len(innocent)} counter-examples redacted")
        failed = failed or recall < 0.95

    rng = random.Random(14)
    names = sorted(SHAPES)
    planted = []
    for number in range(2000):
        secret = made(SHAPES[names[number % len(names)]], rng)
        planted.append((names[number % len(names)], secret, CONTEXTS[number % len(CONTEXTS)].replace("@", secret, 1)
                        if "@@" not in CONTEXTS[number % len(CONTEXTS)]
                        else CONTEXTS[number % len(CONTEXTS)].replace("@@", secret + "@", 1)))
    texts = [text for _, _, text in planted]
    results = ours_of(ours, texts)
    gone = [secret not in text for (_, secret, _), (_, text) in zip(planted, results)]
    print(f"2,000 planted secrets of {len(names)} shapes in {len(CONTEXTS)} contexts: {sum(gone)} gone "
          f"(recall {sum(gone) / len(gone):.3f})")
    for name, missed in sorted({name: sum(1 for (n, _, _), g in zip(planted, gone) if n == name and not g)
                                for name in names}.items()):
        if missed:
            print(f"  {name}: {missed} left")
    for other, program in others.items():
        if not program:
            continue
        found = theirs_of(program, work, texts)
        both = sum(1 for number in found if gone[number])
        print(f"  {other} reports {len(found)}; of these we take out {both} (recall {both / max(1, len(found)):.3f})")

    plans = plans_of(root)
    hits = [(plan, result[0]) for plan, result in zip(plans, ours_of(ours, [p.read_text(errors="replace")
                                                                            for p in plans])) if result[0]]
    print(f"{len(plans)} plans of the fixtures: {len(hits)} touched")
    for plan, count in hits:
        print(f"  {plan.relative_to(root)}: {count}")
    failed = failed or bool(hits)

    # What models read and write in a session: sources and documents without a secret in them, in pieces.
    pieces = []
    for path in sorted(list((root / "src").rglob("*.?pp")) + list((root / "docs").glob("*.md"))):
        if "secrets" in str(path):
            continue
        text = path.read_text(errors="replace")
        pieces += [text[at:at + 2000] for at in range(0, len(text), 2000)]
    counts = [count for count, _ in ours_of(ours, pieces)]
    print(f"{sum(map(len, pieces))} characters of sources and documents: {sum(counts)} findings of ours")
    for other, program in others.items():
        if program:
            print(f"  {other}: {len(theirs_of(program, work, pieces))} pieces reported")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
