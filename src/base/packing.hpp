#pragma once
// Values as bytes and back, for caches and for what is too much to be kept as objects
// (rules/listing/task_table). A struct is packed by an overload of fields() in this namespace, which lists
// what it consists of:
//
//   template <class A, IsA<core::Box> T>
//   void fields(A& a, T& v) {
//     auto& [offset, length] = v;      // a new field does not compile until it is listed
//     each(a, offset, length);
//   }
//
// Numbers are written in groups of seven bits; texts and lists follow their length. Any bytes are safe to
// read: inconsistent ones make the Unpacker bad, and memory stays within a multiple of the input's size. The
// bytes say nothing of what they are and may differ from one version of the program to the next.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/enum_names.hpp"
#include "base/instant.hpp"

namespace plankeep::base::packing {

template <class T, class Wanted>
concept IsA = std::same_as<std::remove_const_t<T>, Wanted>;

class Packer {
 public:
  std::string out;

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7f) | 0x80));
    out.push_back(static_cast<char>(value));
  }
  void text(std::string_view value) {
    number(value.size());
    out += value;
  }
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : in_(bytes) {}

  bool good() const { return good_; }
  bool at_end() const { return at_ == in_.size(); }
  std::size_t left() const { return in_.size() - at_; }
  void fail() {
    good_ = false;
    at_ = in_.size();
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ < in_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(in_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  /// Points into the bytes that are unpacked.
  std::string_view text() {
    const std::uint64_t size = number();
    if (size > left()) {
      fail();
      return {};
    }
    at_ += size;
    return in_.substr(at_ - size, size);
  }

 private:
  std::string_view in_;
  std::size_t at_ = 0;
  bool good_ = true;
};

// item() packs or unpacks one value. Small negative numbers also take few bytes.
inline void item(Packer& to, const std::string& value) {
  to.text(value);
}
inline void item(Packer& to, const std::string_view& value) {
  to.text(value);
}
inline void item(Packer& to, const bool& value) {
  to.number(value ? 1 : 0);
}
template <class Number>
requires(std::unsigned_integral<Number> && !std::same_as<Number, bool>) void item(Packer& to,
                                                                                  const Number& value) {
  to.number(value);
}
inline void item(Packer& to, const std::int64_t& value) {
  to.number((static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}
inline void item(Packer& to, const int& value) {
  item(to, static_cast<std::int64_t>(value));
}
inline void item(Packer& to, const Instant& value) {
  item(to, value.milliseconds);
}

inline void item(Unpacker& from, std::string& value) {
  value = from.text();
}
inline void item(Unpacker& from, std::string_view& value) {
  value = from.text();
}
inline void item(Unpacker& from, bool& value) {
  value = from.number() != 0;
}
template <class Number>
requires(std::unsigned_integral<Number> && !std::same_as<Number, bool>) void item(Unpacker& from,
                                                                                  Number& value) {
  value = static_cast<Number>(from.number());
}
inline void item(Unpacker& from, std::int64_t& value) {
  const std::uint64_t bits = from.number();
  value = static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
}
inline void item(Unpacker& from, int& value) {
  std::int64_t wide = 0;
  item(from, wide);
  value = static_cast<int>(wide);
}
inline void item(Unpacker& from, Instant& value) {
  item(from, value.milliseconds);
}

template <class Enumeration>
requires std::is_enum_v<Enumeration>
void item(Packer& to, const Enumeration& value) {
  to.number(static_cast<std::uint64_t>(value));
}
template <class Enumeration>
requires std::is_enum_v<Enumeration>
void item(Unpacker& from, Enumeration& value) {
  const std::uint64_t number = from.number();
  if (number >= enumerator_count<Enumeration>()) return from.fail();
  value = static_cast<Enumeration>(number);
}

template <class Archive, class Struct>
requires std::is_class_v<Struct>
void item(Archive& archive, Struct& value);
template <class Value>
void item(Packer& to, const std::optional<Value>& value);
template <class Value>
void item(Unpacker& from, std::optional<Value>& value);
template <class Value>
void item(Packer& to, const std::vector<Value>& values);
template <class Value>
void item(Unpacker& from, std::vector<Value>& values);

template <class Archive, class... Values>
void each(Archive& archive, Values&... values) {
  (item(archive, values), ...);
}

template <class Archive, class Struct>
requires std::is_class_v<Struct>
void item(Archive& archive, Struct& value) {
  fields(archive, value);
}
template <class Value>
void item(Packer& to, const std::optional<Value>& value) {
  to.number(value ? 1 : 0);
  if (value) item(to, *value);
}
template <class Value>
void item(Unpacker& from, std::optional<Value>& value) {
  if (from.number() != 0) item(from, value.emplace());
}
template <class Value>
void item(Packer& to, const std::vector<Value>& values) {
  to.number(values.size());
  for (const Value& value : values) item(to, value);
}
template <class Value>
void item(Unpacker& from, std::vector<Value>& values) {
  const std::uint64_t count = from.number();
  // Each element takes at least one byte, most take many: reserve only what is likely to be needed.
  if (count > from.left()) return from.fail();
  values.reserve(std::min<std::size_t>(count, 1 + from.left() / 32));
  for (std::uint64_t i = 0; i < count && from.good(); ++i) item(from, values.emplace_back());
}

}  // namespace plankeep::base::packing
