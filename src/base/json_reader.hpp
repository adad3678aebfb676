#pragma once
// Reading JSON (RFC 8259) token by token, each value typed by the reader and every error naming its path.
//
// Why not a tree: state.json of a plan with 100,000 tasks would become millions of nodes, an ordered tree in
// the library at hand looks for double keys one by one, and fields that we do not know have to survive a
// rewrite as they are. A pull reader gives the raw text of a value for the asking, and stops where the caller
// has seen enough.
//
//   JsonReader in(text);
//   TRY(in.object([&](std::string_view key) -> Status {
//     if (key == "version") return in.integer(version);
//     if (key == "phases")  return in.object([&](std::string_view id) { return read_phase(in, id); });
//     return in.skip();                     // every callback must consume exactly one value
//   }));
//   TRY(in.end());
//
// Bounded: no recursion of its own beyond the callers', depth at most 256 (spec 16), strings only as long as
// the input. Text is checked to be UTF-8; ill-formed bytes and unpaired surrogate escapes are errors. A key
// that comes twice is seen twice: the last one wins if the caller assigns. Errors are `corrupt` and read
// "phases.p1.tasks.t1.done: expected true or false (byte 123)"; the path keeps the keys as they stand in the
// file, long ones cut, and elements of arrays as "blockers[2]". A byte order mark is no JSON. After an error
// the reader is of no further use.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace plankeep::base {

enum class JsonType { object, array, string, number, boolean, null, none };

class JsonReader {
 public:
  static constexpr int kDeepest = 256;

  /// `text` must outlive the reader.
  explicit JsonReader(std::string_view text) : text_(text) {}

  /// What stands next; `none` at the end of the input or where no value can begin.
  JsonType peek();

  /// Calls `field` for each key; the key's text is valid during the call only.
  [[nodiscard]] Status object(const std::function<Status(std::string_view key)>& field);
  /// Calls `element` before each element.
  [[nodiscard]] Status array(const std::function<Status()>& element);

  [[nodiscard]] Status string(std::string& value);
  /// An array of strings; what was in `values` before is dropped.
  [[nodiscard]] Status strings(std::vector<std::string>& values);
  [[nodiscard]] Status boolean(bool& value);
  /// A whole number; 1.0 and 1e3 are refused, and so is what the type cannot hold.
  [[nodiscard]] Status integer(std::int64_t& value);
  [[nodiscard]] Status integer(std::uint64_t& value);
  /// Any number that is finite as a double.
  [[nodiscard]] Status number(double& value);
  /// A string or null; null leaves `value` empty and gives false in `present`.
  [[nodiscard]] Status string_or_null(std::string& value, bool& present);

  /// Passes over one value of any type.
  [[nodiscard]] Status skip();
  /// Passes over one value and gives its bytes as they stand in the input.
  [[nodiscard]] Status raw(std::string_view& value);

  /// Only white space may be left.
  [[nodiscard]] Status end();

  /// Bytes read so far.
  std::size_t offset() const { return at_; }
  /// An error at the place where the reader stands, with the path: "PATH: expected EXPECTED (byte N)".
  tl::unexpected<Error> error(std::string_view expected) const;

 private:
  // One container that is being read: the key it stands at, or the index. The texts of keys live in the input
  // or in the frames of object(), so following the path costs nothing until an error wants it.
  struct Step {
    std::string_view key;
    std::int64_t index = -1;  // below 0: an object
  };

  void skip_space();
  bool next_is(char c);
  bool take(char c);
  Status enter(char opening, std::string_view expected);
  void leave();
  Status read_key(std::string_view& key, std::string& storage);
  Status read_string(std::string* value);
  Status read_escape(std::string* value);
  Status skip_scalar(JsonType type);
  Status scan_number(std::string_view& digits);
  template <class Integer>
  Status read_integer(Integer& value);
  Status literal(std::string_view word, std::string_view expected);

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Step> path_;
};

}  // namespace plankeep::base
