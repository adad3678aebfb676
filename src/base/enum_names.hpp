#pragma once
// The names of an enumeration, written once: as JSON and files spell them, and read back.
//
//   constexpr auto kNames = base::enum_names<Scope>({{Scope::project, "project"}, {Scope::user, "user"}});
//   kNames.name_of(Scope::user);   // "user"
//   kNames.parse("project");       // Scope::project
//
// The table lists every enumerator in the order of declaration, starting with value 0. A row that is out of
// order or missing is a compile error.
//
//   static_assert(base::enumerator_count<Scope>() == 2);   // for lists that are no table of names

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace plankeep::base {

/// Whether `Value` is a declared enumerator. GCC and Clang spell any other value of an enumeration as a cast,
/// "(Scope)7". LIMITATION: the enumeration is scoped or has a fixed underlying type, and is no member of a
/// class template.
template <auto Value>
constexpr bool is_enumerator() {
  constexpr std::string_view signature = __PRETTY_FUNCTION__;
  // A ')' also ends "(anonymous namespace)" and the parameter list; only a cast has a number behind it.
  constexpr char next = signature[signature.rfind(')') + 1];
  return next != '-' && (next < '0' || next > '9');
}

/// How many enumerators have the values 0, 1, 2, ... without a gap.
template <class Enum, std::size_t From = 0>
constexpr std::size_t enumerator_count() {
  if constexpr (is_enumerator<static_cast<Enum>(From)>()) {
    return enumerator_count<Enum, From + 1>();
  } else {
    return From;
  }
}

template <class Enum>
struct EnumName {
  Enum value{};
  std::string_view name;
};

template <class Enum, std::size_t N>
class EnumNames {
 public:
  constexpr explicit EnumNames(const EnumName<Enum> (&rows)[N]) {
    for (std::size_t i = 0; i < N; ++i) {
      if (static_cast<std::size_t>(rows[i].value) != i) throw "a row is out of order";
      names_[i] = rows[i].name;
    }
  }

  /// Empty for a value that has no row.
  constexpr std::string_view name_of(Enum value) const {
    const auto at = static_cast<std::size_t>(value);
    return at < N ? names_[at] : std::string_view();
  }

  /// nullopt: no enumerator has this name.
  constexpr std::optional<Enum> parse(std::string_view name) const {
    for (std::size_t i = 0; i < N; ++i) {
      if (names_[i] == name) return static_cast<Enum>(i);
    }
    return std::nullopt;
  }

  /// In the order of their declaration.
  constexpr const std::array<std::string_view, N>& all() const { return names_; }

 private:
  std::array<std::string_view, N> names_{};
};

template <class Enum, std::size_t N>
constexpr EnumNames<Enum, N> enum_names(const EnumName<Enum> (&rows)[N]) {
  static_assert(N == enumerator_count<Enum>(), "the table does not list every enumerator");
  return EnumNames<Enum, N>(rows);
}

}  // namespace plankeep::base
