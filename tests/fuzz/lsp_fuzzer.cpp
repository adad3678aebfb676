// json_rpc/header_framing and lsp/protocol on any bytes: what is said is framed JSON, and the same however
// the bytes arrive.

#include <string>
#include <string_view>

#include "base/json_reader.hpp"
#include "fuzz/law.hpp"
#include "json_rpc/header_framing.hpp"
#include "lsp/protocol.hpp"

namespace {

using namespace plankeep;
using fuzz::law;

class NoDesk : public lsp::Desk {
 public:
  lsp::Records records(const std::string&) override { return {}; }
  std::vector<core::Diagnostic> secrets(const std::string&, std::string_view) override { return {}; }
  core::TreeNow tree(const std::string&) override { return {}; }
  base::Result<std::string> status(const std::string&, const OpenPlan*) override { return std::string("{}"); }
  base::Instant now() override { return base::Instant{1}; }
  EarlierNames earlier_names(const std::string&, const core::PhaseId&, const std::string& id,
                             const std::string& title) override {
    return {{id}, {title}};
  }
  base::Result<std::string> annotated(const std::string&, const std::string& text) override { return text; }
  std::vector<std::string> plans_around(const std::string&) override { return {"/a/plan.md", "/b"}; }
  base::Result<std::optional<std::string>> text_of(const std::string& path, std::string&) override {
    if (path == "/b") return base::fail(base::ErrorKind::not_found, path);
    return "- [ ] A <!-- TASK: a -->\n";
  }
  base::Result<std::string> set_box(const std::string&, const std::string& id, core::BoxState) override {
    return id;
  }
  base::Result<std::string> annotate(const std::string& path) override { return path; }
  std::vector<std::string> lost_tasks(const std::string& path, const std::string&) override { return {path}; }
  base::Result<std::string> with_lost_tasks(const std::string&, const std::string& text) override {
    return text;
  }
  base::Result<std::string> restore_lost(const std::string& path) override { return path; }
  base::Result<std::string> claim(const std::string&, const std::string& id) override { return id; }
  base::Result<lsp::CriterionCommands> commands_of(const std::string&, const std::string& id,
                                                   const std::string*) override {
    lsp::CriterionCommands found;
    found.list.push_back({id, id, id, id.size() % 2 == 0});
    return found;
  }
  base::Result<lsp::CommandResult> run_command(const std::string&, const lsp::CriterionCommand& command, bool,
                                               system::CommandWatch& watch) override {
    const std::string& id = command.id;
    watch.said(id);
    const bool goes_on = watch.go_on(std::chrono::seconds(1));
    return lsp::CommandResult{goes_on ? "passed" : "interrupted", id, goes_on, !goes_on};
  }
  base::Result<std::vector<std::string>> saved(const std::string& path) override {
    return std::vector<std::string>{path};
  }
  std::string diagnostics_page() override { return "/doc.md"; }
  const std::string& actor() const override { return me_; }

 private:
  std::string me_ = "person";
};

std::string conversation(std::string_view bytes, std::size_t step) {
  NoDesk desk;
  lsp::Protocol protocol(desk, "0");
  json_rpc::HeaderReader in(1 << 16);
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    in.feed(bytes.substr(at, step));
    while (const auto message = in.next())
      message->too_long ? protocol.take_too_long() : protocol.take(message->text);
  }
  while (protocol.busy()) protocol.step();
  const std::string said = protocol.take_output();
  json_rpc::HeaderReader out;
  out.feed(said);
  while (const auto message = out.next()) {
    base::JsonReader json(message->text);
    law(json.skip().has_value() && json.end().has_value(), "what is said is JSON");
  }
  law(!out.broken(), "what is said is framed");
  return said;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  law(conversation(bytes, size + 1) == conversation(bytes, 7),
      "answers do not depend on how the bytes arrive");
  return 0;
}
