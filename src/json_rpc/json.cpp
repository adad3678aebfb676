#include "json_rpc/json.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"

namespace plankeep::json_rpc {
namespace {

using base::ErrorKind;
using base::Result;

// Puts a tree together as the library's own reader does, and keeps to our limits while it does.
template <class Tree>
class Builder : public nlohmann::json_sax<Tree> {
 public:
  Builder() noexcept(false) = default;  // clang-tidy sees the library throw where it asserts
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  Tree root;
  std::vector<std::pair<std::size_t, std::string>> written_ids;
  std::string problem;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(value); }
  bool number_unsigned(std::uint64_t value) override { return put(value); }
  bool number_float(double value, const std::string& text) override {
    const bool in_batch = !open_.empty() && root.is_array();
    if (open_.size() == (in_batch ? 2U : 1U) && open_.back()->is_object() && key_ == "id")
      keep_id(in_batch ? root.size() - 1 : 0, text);
    return put(value);
  }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(typename Tree::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return enter(Tree::object()); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(Tree::array()); }
  bool end_array() override { return leave(); }
  bool key(std::string& name) override {
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    if (!problem.empty()) return false;
    problem = "invalid JSON";
    // A position helps only where the text at least begins as a message.
    if (root.is_structured()) problem += " (byte " + std::to_string(position) + ")";
    return false;
  }

 private:
  void keep_id(std::size_t message, const std::string& text) {
    if (!written_ids.empty() && written_ids.back().first == message) written_ids.pop_back();
    written_ids.emplace_back(message, text);
  }
  Tree& place(Tree value) {
    if (open_.empty()) return root = std::move(value);
    Tree& parent = *open_.back();
    if (parent.is_object()) return parent[key_] = std::move(value);
    parent.push_back(std::move(value));
    return parent.back();
  }
  template <class Value>
  bool put(Value&& value) {
    (void)place(Tree(std::forward<Value>(value)));
    return true;
  }
  bool enter(Tree container) {
    if (open_.size() == kDeepest) {
      problem = "invalid JSON: more than " + std::to_string(kDeepest) + " levels";
      return false;
    }
    open_.push_back(&place(std::move(container)));
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }

  // An element's address holds while it is open: its parent gets no other until then.
  std::vector<Tree*> open_;
  std::string key_;
};

// The library takes a NUL for the end of the text and passes over a byte order mark.
template <class Tree>
bool build(std::string_view text, Builder<Tree>& builder) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF" || text.find('\0') != std::string_view::npos) {
    builder.problem = "invalid JSON";
    return false;
  }
  return Tree::sax_parse(text, &builder);
}

void make_safe(OrderedJson& value);

// Of two keys that are the same once they are safe the last one counts.
void make_members_safe(OrderedJson& object) {
  auto& members = object.get_ref<OrderedJson::object_t&>();
  const bool safe_keys = std::all_of(members.begin(), members.end(),
                                     [](const auto& one) { return base::printable(one.first) == one.first; });
  for (auto& [key, member] : members) make_safe(member);
  if (safe_keys) return;
  OrderedJson safe = OrderedJson::object();
  for (auto& [key, member] : members) safe[base::printable(key)] = std::move(member);
  object = std::move(safe);
}

void make_safe(OrderedJson& value) {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    text = base::printable(text, true);
  } else if (value.is_array()) {
    for (OrderedJson& element : value) make_safe(element);
  } else if (value.is_object()) {
    make_members_safe(value);
  }
}

}  // namespace

Result<Message> parse_message(std::string_view text) {
  Builder<Json> builder;
  if (!build(text, builder)) return base::fail(ErrorKind::invalid_input, std::move(builder.problem));
  return Message{std::move(builder.root), std::move(builder.written_ids)};
}

Result<OrderedJson> parse_rendered(std::string_view text) {
  Builder<OrderedJson> builder;
  if (!build(text, builder)) return base::fail(ErrorKind::internal, std::move(builder.problem));
  return std::move(builder.root);
}

OrderedJson made_safe(OrderedJson value) {
  make_safe(value);
  return value;
}

std::string line_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string line_of(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace plankeep::json_rpc
