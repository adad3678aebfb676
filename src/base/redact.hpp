#pragma once
// Keeps secrets out of what plankeep stores: commands that an agent ran, output of a verify command, the last
// words of a session. Pure; linear in the text; at most a little longer than it.
//
// Replaced by "[redacted]":
// - keys that providers give a form of their own: AKIA… and ASIA… (AWS), ghp_ gho_ ghs_ ghu_ ghr_ github_pat_
//   (GitHub), sk-… (OpenAI, Anthropic), xox?-… (Slack), AIza… (Google), sk_live_ rk_live_ sk_test_ rk_test_
//   (Stripe), glpat-… (GitLab), npm_…, JSON web tokens (eyJ….….…), PEM private keys
// - the value after `Authorization:`, `Bearer`, `--token X`, `PASSWORD=X`, `"secret": "X"`, `X-Api-Key: X`
// and
//   their like, and the password in a URL
//
// Not replaced: hashes, UUIDs, ids of tasks and commits, and references such as $TOKEN, which give nothing
// away. A secret without a form and without a name cannot be told from other text.

#include <string>
#include <string_view>

namespace plankeep::core {

std::string redact(std::string_view text);

}  // namespace plankeep::core
