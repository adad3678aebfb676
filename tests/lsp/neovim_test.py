#!/usr/bin/python3
"""Neovim's own client, headless: diagnostics appear, a command ticks a box of the buffer, rename and hover answer."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCRIPT = """
local id = vim.lsp.start_client({ name = "plankeep", cmd = { "PROGRAM", "lsp" }, root_dir = "ROOT" })
vim.lsp.buf_attach_client(0, id)
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end)
for _, one in ipairs(vim.diagnostic.get(0)) do print("diagnostic " .. one.lnum .. " " .. one.code) end
local uri = vim.uri_from_bufnr(0)
local function ask(method, params)
  local _, answer = next(vim.lsp.buf_request_sync(0, method, params, 30000))
  return answer
end
ask("workspace/executeCommand", { command = "plankeep.tick", arguments = { uri, "a" } })
local at = { textDocument = { uri = uri }, position = { line = 0, character = 7 } }
print("hover " .. string.gsub(ask("textDocument/hover", at).result.contents.value, "\\n", " "))
at.newName = "renamed"
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", at).result, "utf-16")
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do print("line " .. line) end
vim.cmd("qa!")
"""


def main():
    program, neovim = os.path.realpath(sys.argv[1]), shutil.which("nvim")
    if neovim is None:
        return 77
    with tempfile.TemporaryDirectory(prefix="plankeep-nvim-") as base:
        root = pathlib.Path(base).resolve()
        plan = "- [ ] A <!-- TASK: a -->\n- [ ] B <!-- TASK: b | after: a, nosuch -->\n"
        (root / "plan.md").write_text(plan, encoding="utf-8")
        (root / "script.lua").write_text(SCRIPT.replace("PROGRAM", program).replace("ROOT", str(root)))
        run = subprocess.run([neovim, "--headless", "-u", "NONE", "plan.md", "-c", "luafile script.lua"], cwd=root,
                             env={"HOME": base, "PATH": "/usr/bin:/bin"}, capture_output=True, timeout=100)
        said = (run.stdout + run.stderr).decode("utf-8", "replace").replace("\r", "")
        for wanted in ("diagnostic 1 unknown-dependency", "hover `a` A  done", "line - [x] A <!-- TASK: renamed -->",
                       "line - [ ] B <!-- TASK: b | after: renamed, nosuch -->"):
            assert wanted in said, said
        assert (root / "plan.md").read_text(encoding="utf-8") == plan, "only the buffer was changed"
    return 0


if __name__ == "__main__":
    sys.exit(main())
