#pragma once
// The names of an enumeration, written once: as they stand in JSON and in files, and read back.
//
//   constexpr auto kNames = base::enum_names<Scope>({{Scope::project, "project"}, {Scope::user, "user"}});
//   kNames.name_of(Scope::user);   // "user"
//   kNames.parse("project");       // Scope::project
//
// Every enumerator stands in the table, in the order of its declaration, beginning with that of value 0: a
// row that is out of order does not compile as a constant.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace plankeep::base {

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

  /// nullopt: no enumerator is called so.
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
  return EnumNames<Enum, N>(rows);
}

}  // namespace plankeep::base
