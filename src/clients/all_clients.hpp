#pragma once
// One function a client, each in the file of its name; for registry.cpp, which lists them.

#include "clients/client.hpp"

namespace plankeep::clients {

Client claude_code();
Client codex();
Client copilot();
Client cursor();
Client gemini();
Client opencode();
Client qwen();

}  // namespace plankeep::clients
