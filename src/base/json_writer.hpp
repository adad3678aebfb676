#pragma once
// Writing JSON as text, in the order in which it is told.
//
//   JsonWriter out(JsonWriter::Layout::indented);
//   out.begin_object();
//   out.key("version").value(2);
//   out.key("tasks").begin_array(); ... out.end_array();
//   out.end_object();
//   std::string text = out.finish();        // with a final newline
//
// `indented` is for files and people (two spaces, empty containers on one line), `compact` for one object a
// line. Strings must be UTF-8; an ill-formed byte is written as U+FFFD, so the output is always valid JSON.
// Nesting errors are asserted, not reported.
//
// A text that may be large and is only passed on need not be held in memory: with a sink the writer hands it
// over piece by piece, in order, the rest in finish().

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::base {

class JsonWriter {
 public:
  enum class Layout { compact, indented };

  using Sink = std::function<void(std::string_view piece)>;

  explicit JsonWriter(Layout layout) : layout_(layout) {}
  /// finish() of this one returns nothing: `sink` got it all.
  JsonWriter(Layout layout, Sink sink) : layout_(layout), sink_(std::move(sink)) {}

  /// Makes room for so many bytes, so that a long text is not moved while it grows.
  void reserve(std::size_t bytes) { out_.reserve(bytes); }

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(std::size_t number);
  /// A decimal with one digit after the point, none if it is 0: 333 tenths is 33.3, 500 is 50.
  JsonWriter& tenths(std::int64_t number);
  JsonWriter& null();
  /// An array of them.
  JsonWriter& strings(const std::vector<std::string>& values);
  /// A value that is JSON already, taken over byte for byte.
  JsonWriter& raw(std::string_view json);

  std::string finish();

 private:
  struct Level {
    bool object = false;
    bool empty = true;
  };
  void before_value();
  void separate();
  void newline();
  void put(char c) {
    if (filled_ == sizeof room_) spill();
    room_[filled_++] = c;
  }
  void put(std::string_view text) {
    if (text.size() > sizeof room_ - filled_) return put_long(text);
    std::memcpy(room_ + filled_, text.data(), text.size());
    filled_ += text.size();
  }
  void put_long(std::string_view text);
  void spill();
  void append_signed(std::int64_t number);
  void append_number(std::uint64_t number);
  void append_string(std::string_view text);
  void append_escape(unsigned char character);

  Layout layout_;
  Sink sink_;
  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
  bool any_ = false;  // a value was begun
  // What is written goes here first, in many small steps, and from here into `out_` in few large ones.
  std::size_t filled_ = 0;
  char room_[2048];
};

}  // namespace plankeep::base
