// workspace/symbol: phases, tasks and criteria of the plans that are open in the editor.

#include "base/utf8.hpp"
#include "lsp/features.hpp"
#include "lsp/protocol.hpp"

namespace plankeep::lsp {
namespace {

constexpr std::size_t kMostSymbols = 500;

class Search {
 public:
  explicit Search(std::string_view query) : query_(base::to_lower(query)) {}

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
  OrderedJson take() { return std::move(found_); }

 private:
  void add(const PlanView& view, const std::string& title, const std::string& id, int kind,
           const std::string& around, Bytes at) {
    if (found_.size() >= kMostSymbols) return;
    if (base::to_lower(title).find(query_) == std::string::npos &&
        base::to_lower(id).find(query_) == std::string::npos)
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

Reply Protocol::workspace_symbols(const Json& params) {
  Search search(string_in(params, "query"));
  for (auto& [uri, one] : documents_) {
    if (!one->in_sync()) continue;
    const PlanView* const view = one->view(desk_.records(one->path()), client_.encoding);
    if (view != nullptr) search.look_in(*view);
  }
  Reply reply;
  reply.value = search.take();
  return reply;
}

}  // namespace plankeep::lsp
