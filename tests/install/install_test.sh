#!/usr/bin/env bash
# install_test.sh CMAKE BUILD SOURCE VERSION STATIC: installs into a temporary prefix and looks at what arrived.
set -euo pipefail
cmake="$1" build="$2" source="$3" version="$4" static="$5"

prefix="$(mktemp -d)"
trap 'rm -rf "$prefix"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

"$cmake" --install "$build" --prefix "$prefix" >/dev/null

program="$prefix/bin/plankeep"
[[ -x "$program" ]] || fail "bin/plankeep is no program"
said="$(env -i "$program" version)" || fail "the installed program does not run in an empty environment"
[[ "$said" == *"$version"* ]] || fail "version says '$said' and not $version"
said="$(env -i "$program" version --json)"
[[ "$said" == *'"package": "source"'* && "$said" == *"\"program\": \"$(realpath "$program")\""* ]] ||
  fail "version --json does not say where the program came from: $said"
if [[ "$static" == 1 ]]; then
  # The exit status is 1 for a static program, which is what is wanted here.
  libraries="$(ldd "$program" 2>&1 || true)"
  [[ "$libraries" == *"not a dynamic executable"* || "$libraries" == *"statically linked"* ]] ||
    fail "the release needs libraries: $libraries"
fi

for schema in "$source"/schemas/*.schema.json; do
  cmp -s "$schema" "$prefix/share/plankeep/schemas/$(basename "$schema")" || fail "no $(basename "$schema")"
done
for file in share/bash-completion/completions/plankeep share/zsh/site-functions/_plankeep \
  share/fish/vendor_completions.d/plankeep.fish share/man/man1/plankeep.1 share/doc/plankeep/LICENSE \
  share/doc/plankeep/README.md share/doc/plankeep/docs/README.md share/doc/plankeep/docs/plan-format.md \
  share/doc/plankeep/docs/commands.md share/doc/plankeep/docs/terminal.svg \
  share/doc/plankeep/docs/board.svg share/doc/plankeep/docs/report.svg share/plankeep/schemas/README.md; do
  [[ -s "$prefix/$file" ]] || fail "no $file"
done

(cd "$source/hooks" && find . -path ./vscode -prune -o -type f -print && ls vscode/README.md vscode/tasks.json) >"$prefix/hooks"
[[ "$(ls "$prefix/share/plankeep/hooks/vscode")" == $'README.md\ntasks.json' ]] || fail "the extension's source is installed"
[[ "$(wc -l <"$prefix/hooks")" -ge 15 ]] || fail "too few files in hooks/"
while read -r file; do
  cmp -s "$source/hooks/$file" "$prefix/share/plankeep/hooks/$file" || fail "no hooks/$file"
done <"$prefix/hooks"
[[ -x "$prefix/share/plankeep/hooks/git/post-commit" ]] || fail "git would not run its hooks"

bash -n "$prefix/share/bash-completion/completions/plankeep" || fail "the completions are no bash"
bash -n "$prefix/share/zsh/site-functions/_plankeep" || fail "the completions for zsh have a quote without its end"
# Neither zsh nor fish need be here. fish's blocks are no bash; a quote that is never closed is odd in any.
quotes="$(tr -cd "'" <"$prefix/share/fish/vendor_completions.d/plankeep.fish" | wc -c)"
[[ $((quotes % 2)) -eq 0 ]] || fail "the completions for fish have a quote without its end"
# They ask the program that is on PATH.
offered="$(PATH="$(dirname "$program"):$PATH" bash --norc -c '
  source "$1"
  COMP_WORDS=(plankeep statu) COMP_CWORD=1
  _plankeep
  printf "%s\n" "${COMPREPLY[@]}"' bash "$prefix/share/bash-completion/completions/plankeep")"
grep -qx 'status' <<<"$offered" || fail "bash completes no command: $offered"
[[ "$(head -n 1 "$prefix/share/zsh/site-functions/_plankeep")" == "#compdef plankeep" ]] ||
  fail "zsh would not find the completions"
grep -q 'complete.* -c plankeep' "$prefix/share/fish/vendor_completions.d/plankeep.fish" ||
  fail "fish completes nothing for plankeep"
# Every command that the program knows stands in its manual.
"$program" --help | sed -n 's/^  \([a-z]\{2,\}\)  *[A-Z].*/\1/p' >"$prefix/commands"
[[ "$(wc -l <"$prefix/commands")" -ge 15 ]] || fail "--help lists too few commands: $(paste -sd' ' "$prefix/commands")"
while read -r command; do
  grep -q "^\.B $command\b" "$prefix/share/man/man1/plankeep.1" || fail "the manual is silent on $command"
done <"$prefix/commands"

exit $((failures > 0))
