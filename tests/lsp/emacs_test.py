#!/usr/bin/python3
"""Emacs in batch mode with eglot: shows diagnostics, ticks a box in the buffer, hovers, renames an id, and runs a criterion's
command after the user agrees. Skipped without Emacs, eglot or markdown-mode.
The server is configured as docs/lsp.md says.

  emacs_test.py PROGRAM
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCRIPT = r"""
(require 'project)
(unless (require 'eglot nil t) (kill-emacs 77))
(setq eglot-sync-connect 30 eglot-confirm-server-initiated-edits nil eglot-events-buffer-size 100000)
(defun say (&rest words) (princ (concat (apply #'format words) "\n")))
(defun wait-until (what) (with-timeout (30 (error "waited too long")) (while (not (funcall what)) (accept-process-output nil 0.05))))
(unless (require 'markdown-mode nil t) (kill-emacs 77))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(markdown-mode . ("plankeep" "lsp"))))
(find-file "plan.md")
(unless (derived-mode-p 'markdown-mode) (error "not in markdown-mode"))
(apply #'eglot (eglot--guess-contact))
(flymake-mode 1)
(wait-until (lambda () (flymake-diagnostics)))
(dolist (one (flymake-diagnostics))
  (say "diagnostic %d %s" (line-number-at-pos (flymake-diagnostic-beg one)) (car (split-string (flymake-diagnostic-text one) "\n"))))
(let* ((server (eglot-current-server)) (uri (eglot--path-to-uri buffer-file-name)))
  (eglot-execute-command server 'plankeep.tick (vector uri "a"))
  (wait-until (lambda () (save-excursion (goto-char (point-min)) (looking-at "- \\[x\\]"))))
  ;; In batch there is no idle time, in which changes are sent.
  (eglot--signal-textDocument/didChange)
  (goto-char (point-min))
  (forward-char 7)
  (say "hover %s" (replace-regexp-in-string "\n" " " (plist-get (plist-get (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)) :contents) :value)))
  (eglot-rename "renamed")
  (eglot--signal-textDocument/didChange)
  (say "buffer %s" (replace-regexp-in-string "\n" "|" (buffer-string)))
  (save-buffer)
  ;; The server shows the command and asks; the answer is chosen here as the user would.
  (cl-letf (((symbol-function 'completing-read) (lambda (prompt &rest _) (say "asked %s" (replace-regexp-in-string "\n" " " prompt)) "Run")))
    (eglot-execute-command server 'plankeep.verify (vector uri "c")))
  (revert-buffer t t)
  (say "file %s" (replace-regexp-in-string "\n" "|" (buffer-string)))
  (eglot-shutdown server))
"""


def main():
    program, emacs = os.path.realpath(sys.argv[1]), shutil.which("emacs")
    if emacs is None:
        return 77
    with tempfile.TemporaryDirectory(prefix="plankeep-emacs-") as base:
        root = pathlib.Path(base).resolve() / "project"
        root.mkdir()
        plan = "- [ ] A <!-- TASK: a -->\n- [ ] B <!-- TASK: b | after: a, nosuch -->\n- [ ] C <!-- ACCEPT: c | verify: test -f plan.md -->\n"
        (root / "plan.md").write_text(plan, encoding="utf-8")
        script = pathlib.Path(base) / "script.el"
        script.write_text(SCRIPT, encoding="utf-8")
        environment = {"HOME": base, "PATH": f"{pathlib.Path(program).parent}:/usr/bin:/bin", "PLANKEEP_CHECKPOINTS": "off", "LC_ALL": "C.UTF-8"}
        subprocess.run([program, "init", "--quiet"], cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        run = subprocess.run([emacs, "--batch", "-l", str(script)], cwd=root, env=environment, capture_output=True,
                             timeout=150, check=False)
        said = (run.stdout + run.stderr).decode("utf-8", "replace")
        if run.returncode == 77:
            return 77
        assert run.returncode == 0, said
        for wanted in ("diagnostic 2 ", "hover `a` A  done", "buffer - [x] A <!-- TASK: renamed -->|",
                       "after: renamed, nosuch -->|", "Run this command of the plan in", "file - [x] A", "- [x] C <!-- ACCEPT: c"):
            assert wanted in said, (wanted, said)
        history = (root / ".checkpoint" / "history.jsonl").read_text(encoding="utf-8")
        assert '"acceptance_met"' in history, history
    return 0


if __name__ == "__main__":
    sys.exit(main())
