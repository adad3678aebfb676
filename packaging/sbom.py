"""The software bill of materials of one program, SPDX 2.3 as JSON (spdx.github.io/spdx-spec/v2.3), on standard output.

  sbom.py --version V --arch x86_64|aarch64 --commit C --sha256 SUM [--packages FILE] -- PACKAGE...

PACKAGE are the Debian packages whose libraries are linked in; their versions come from FILE (lines "PACKAGE VERSION") or
from dpkg. The C and C++ libraries are added by themselves. The time is SOURCE_DATE_EPOCH.
"""

import argparse
import datetime
import json
import os
import subprocess

# Of the part that is linked in, as Debian's copyright files and the projects say.
LICENCES = {
    "libcmark-gfm-dev": "BSD-2-Clause", "libcmark-gfm-extensions-dev": "BSD-2-Clause", "libre2-dev": "BSD-3-Clause",
    "libssl-dev": "Apache-2.0", "libsqlite3-dev": "blessing", "libncurses-dev": "X11", "libexpected-dev": "CC0-1.0",
    "zlib1g-dev": "Zlib", "libcli11-dev": "BSD-3-Clause", "libtomlplusplus-dev": "MIT", "nlohmann-json3-dev": "MIT",
    "libc6-dev": "LGPL-2.1-or-later", "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
# What the cross compiler calls them.
CROSS = {"libc6-dev": "libc6-dev-arm64-cross", "libstdc++-12-dev": "libstdc++-12-dev-arm64-cross"}


def version_of(package):
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], check=True, stdout=subprocess.PIPE,
                          timeout=60).stdout.decode().strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("version", "arch", "commit", "sha256"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--packages", default="")
    parser.add_argument("package", nargs="+")
    asked = parser.parse_args()

    unpacked = {}
    if asked.packages:
        with open(asked.packages, encoding="utf-8") as lines:
            unpacked = dict(line.split() for line in lines)
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    debian = {"x86_64": "amd64", "aarch64": "arm64"}[asked.arch]

    ours = {
        "SPDXID": "SPDXRef-plankeep", "name": "plankeep", "versionInfo": asked.version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "primaryPackagePurpose": "APPLICATION",
        "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "Copyright (c) 2026 the plankeep authors",
        "checksums": [{"algorithm": "SHA256", "checksumValue": asked.sha256}],
        "comment": f"bin/plankeep, linux {asked.arch}, commit {asked.commit or 'not known'}",
    }
    packages, relations = [ours], [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                                    "relatedSpdxElement": "SPDXRef-plankeep"}]
    for name in sorted({*asked.package, "libc6-dev", "libstdc++-12-dev"}):
        found = CROSS.get(name, name) if asked.arch == "aarch64" else name
        version = unpacked.get(name) or version_of(found)
        identity = "SPDXRef-" + "".join(c if c.isalnum() or c in ".-" else "-" for c in name)
        packages.append({
            "SPDXID": identity, "name": name, "versionInfo": version, "supplier": "Organization: Debian",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": LICENCES[name], "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{name.replace('+', '%2B')}"
                                                  f"@{version.replace('+', '%2B').replace('~', '~')}"
                                                  f"?arch={debian}&distro=debian-12"}],
        })
        relations.append({"spdxElementId": "SPDXRef-plankeep", "relationshipType": "STATIC_LINK",
                          "relatedSpdxElement": identity})
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"plankeep-{asked.version}-linux-{asked.arch}",
        # Unique by the program's bytes; nothing is served there.
        "documentNamespace": f"https://spdx.org/spdxdocs/plankeep-{asked.version}-linux-{asked.arch}-{asked.sha256}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: plankeep-packaging"]},
        "packages": packages, "relationships": relations,
    }, indent=2))


if __name__ == "__main__":
    main()
