// workspace/symbol: phases, tasks and criteria of the plans that are open in the editor, and then of the
// other plans of their projects.

#include <set>

#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"
#include "lsp/features.hpp"
#include "lsp/protocol.hpp"
#include "lsp/uri.hpp"

namespace plankeep::lsp {
namespace {

constexpr std::size_t kMostSymbols = 500;
// Bytes of closed plans' texts that are kept in memory.
constexpr std::size_t kMostText = std::size_t{8} << 20;

class Search {
 public:
  explicit Search(std::string_view query) : query_(base::search_text(query)) {}

  void look_in(const PlanView& view) {
    for (std::size_t p = 0; p < view.plan.phases.size(); ++p) {
      const core::Phase& phase = view.plan.phases[p];
      add(view, core::title_or_id(phase), phase.id.text, kModule, {}, view.text.line(view.phases[p].first));
    }
    for (const Item& item : view.items) {
      const core::Task* const task = view.task(item);
      const core::Criterion* const criterion = view.criterion(item);
      const std::string& around = core::title_or_id(view.phase(item));
      if (task != nullptr)
        add(view, core::title_or_id(*task), task->id.text, kObject, around, view.own_text(item));
      else
        add(view, core::title_or_id(*criterion), criterion->id.text, kEvent, around, view.own_text(item));
    }
  }
  bool full() const { return found_.size() >= kMostSymbols; }
  OrderedJson take() { return std::move(found_); }

 private:
  void add(const PlanView& view, const std::string& title, const std::string& id, int kind,
           const std::string& around, Bytes at) {
    if (full()) return;
    if (base::search_text(title).find(query_) == std::string::npos &&
        base::search_text(id).find(query_) == std::string::npos)
      return;
    OrderedJson one = {{"name", base::printable(title.empty() ? std::string("-") : title)},
                       {"kind", kind},
                       {"location", {{"uri", view.uri}, {"range", json_of(view.range(at))}}}};
    if (!around.empty()) one["containerName"] = base::printable(around);
    found_.push_back(std::move(one));
  }

  std::string query_;
  OrderedJson found_ = OrderedJson::array();
};

}  // namespace

// The workspace's folders; if the client named none, the folders of the open plans.
std::set<std::string> Protocol::folders() const {
  if (!client_.folders.empty()) return client_.folders;
  std::set<std::string> folders;
  for (const auto& [uri, one] : documents_) folders.insert(one->path().substr(0, one->path().rfind('/')));
  return folders;
}

Document* Protocol::closed_plan(const std::string& path) {
  ClosedPlan& one = closed_[path];
  auto text = desk_.text_of(path, one.stamp);
  if (!text) {
    closed_.erase(path);
    return nullptr;
  }
  if (*text) one.document = std::make_unique<Document>(uri_of(path), path, true, 0, std::move(**text));
  return one.document.get();
}

Reply Protocol::workspace_symbols(const Json& params) {
  Search search(string_in(params, "query"));
  std::set<std::string> open;
  for (auto& [uri, one] : documents_) {
    open.insert(one->path());
    if (!one->in_sync()) continue;
    const PlanView* const view = one->view(desk_.records(one->path()), client_.encoding);
    if (view != nullptr) search.look_in(*view);
  }
  std::set<std::string> others;
  for (const std::string& folder : folders()) {
    for (std::string& path : desk_.plans_around(folder)) {
      if (!open.contains(path)) others.insert(std::move(path));
    }
  }
  std::erase_if(closed_, [&](const auto& one) { return !others.contains(one.first); });
  std::size_t kept = 0;
  for (const std::string& path : others) {
    if (search.full() || kept > kMostText) break;
    Document* const one = closed_plan(path);
    if (one == nullptr) continue;
    kept += one->text().bytes().size();
    const PlanView* const view = one->view(desk_.records(path), client_.encoding);
    if (view != nullptr) search.look_in(*view);
  }
  Reply reply;
  reply.value = search.take();
  return reply;
}

}  // namespace plankeep::lsp
