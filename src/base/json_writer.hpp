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

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::base {

class JsonWriter {
 public:
  enum class Layout { compact, indented };

  explicit JsonWriter(Layout layout) : layout_(layout) {}

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
  /// A value that is JSON already, taken over byte for byte.
  JsonWriter& raw(std::string_view json);

  std::string finish();

 private:
  struct Level {
    bool object = false;
    bool empty = true;
  };
  void before_value();
  void newline();
  void append_signed(std::int64_t number);
  void append_number(std::uint64_t number);
  void append_string(std::string_view text);
  void append_escape(unsigned char character);

  Layout layout_;
  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace plankeep::base
