#pragma once
// Reads and writes the structs of model/session from tables of their keys: SessionKeys<T>::all(), in the
// order of the file. Private to session_json.cpp, which defines the tables.
//
// Unknown keys and values of the wrong type are stored with their position (KeptKey), so that writing puts
// them back. A value of the wrong type is reported as a problem; only a syntax error stops the reading.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_reader.hpp"
#include "model/json/go_json_writer.hpp"
#include "model/session.hpp"

namespace plankeep::core::session_fields {

/// The problems so far, and the path of the value that is being read ("sessions[0].id").
struct SessionReading {
  std::vector<std::string> problems;
  std::string path;
};

/// A key of a struct, and how to read and write its value.
template <class T>
struct SessionKey {
  std::string_view name;
  bool required;  // a problem if missing; always written (a missing list as null)
  bool nullable;  // whether null is a valid value
  base::Status (*read)(base::JsonReader& in, T& into, SessionReading& reading);
  bool (*is_set)(const T& from);
  void (*write)(GoJsonWriter& out, const T& from);
};

template <class T>
struct SessionKeys;

template <class T>
base::Status read_fields(base::JsonReader& in, T& into, SessionReading& reading);
template <class T>
void write_fields(GoJsonWriter& out, const T& from);

inline base::Status read_value(base::JsonReader& in, std::string& value, SessionReading&) {
  return in.string(value);
}
inline base::Status read_value(base::JsonReader& in, std::int64_t& value, SessionReading&) {
  return in.integer(value);
}
inline base::Status read_value(base::JsonReader& in, double& value, SessionReading&) {
  return in.number(value);
}
inline base::Status read_value(base::JsonReader& in, bool& value, SessionReading&) {
  return in.boolean(value);
}
inline base::Status read_value(base::JsonReader& in, RawJson& value, SessionReading&) {
  std::string_view json;
  TRY(in.raw(json));
  value.json = json;
  return {};
}
template <class T>
requires requires {
  SessionKeys<T>::all();
}
base::Status read_value(base::JsonReader& in, T& value, SessionReading& reading) {
  return read_fields(in, value, reading);
}
template <class T>
base::Status read_value(base::JsonReader& in, std::vector<T>& values, SessionReading& reading) {
  const std::string path = reading.path;
  base::Status read = in.array([&]() -> base::Status {
    reading.path = path + "[" + std::to_string(values.size()) + "]";
    return read_value(in, values.emplace_back(), reading);
  });
  reading.path = path;
  return read;
}
template <class T>
base::Status read_value(base::JsonReader& in, std::optional<T>& value, SessionReading& reading) {
  T read{};
  TRY(read_value(in, read, reading));
  value = std::move(read);
  return {};
}

inline void write_value(GoJsonWriter& out, const std::string& value) {
  out.string(value);
}
inline void write_value(GoJsonWriter& out, std::int64_t value) {
  out.number(value);
}
inline void write_value(GoJsonWriter& out, double value) {
  out.number(value);
}
inline void write_value(GoJsonWriter& out, bool value) {
  out.boolean(value);
}
inline void write_value(GoJsonWriter& out, const RawJson& value) {
  out.raw(value.json);
}
template <class T>
requires requires {
  SessionKeys<T>::all();
}
void write_value(GoJsonWriter& out, const T& value) {
  write_fields(out, value);
}
template <class T>
void write_value(GoJsonWriter& out, const std::vector<T>& values) {
  out.begin('[');
  for (const T& value : values) {
    out.element();
    write_value(out, value);
  }
  out.end(']');
}
template <class T>
void write_value(GoJsonWriter& out, const std::optional<T>& value) {
  if (value) {
    write_value(out, *value);
  } else {
    out.raw("null");
  }
}

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class M>
struct MemberParts;
template <class V, class T>
struct MemberParts<V T::*> {
  using Value = V;
  using Struct = T;
};

template <auto Member>
constexpr auto session_key(std::string_view name, bool required) {
  using Parts = MemberParts<decltype(Member)>;
  using T = typename Parts::Struct;
  using V = typename Parts::Value;
  SessionKey<T> key{};
  key.name = name;
  key.required = required;
  key.nullable = required && kIsOptional<V>;
  key.read = [](base::JsonReader& in, T& into, SessionReading& reading) {
    return read_value(in, into.*Member, reading);
  };
  key.is_set = [](const T& from) {
    if constexpr (kIsOptional<V>) {
      return (from.*Member).has_value();
    } else {
      return (void)from, true;
    }
  };
  key.write = [](GoJsonWriter& out, const T& from) { write_value(out, from.*Member); };
  return key;
}
/// A required key.
template <auto Member>
constexpr auto always(std::string_view name) {
  return session_key<Member>(name, true);
}
/// An optional key: written only if it has a value.
template <auto Member>
constexpr auto maybe(std::string_view name) {
  return session_key<Member>(name, false);
}

template <class T>
base::Status read_fields(base::JsonReader& in, T& into, SessionReading& reading) {
  const auto keys = SessionKeys<T>::all();
  std::vector<bool> seen(keys.size());
  std::size_t next = 0;  // one more than the greatest index in `keys` so far
  const std::string path = reading.path;
  TRY(in.object([&](std::string_view name) -> base::Status {
    const auto known =
        std::find_if(keys.begin(), keys.end(), [&](const SessionKey<T>& key) { return key.name == name; });
    const std::string shown = path + (path.empty() ? "" : ".") + std::string(name.substr(0, 80));
    std::string_view json;
    if (known == keys.end()) {
      std::string kept(name);
      TRY(in.raw(json));
      into.kept.push_back({std::move(kept), std::string(json), next});
      return {};
    }
    const auto index = static_cast<std::size_t>(known - keys.begin());
    TRY(in.raw(json));
    if (seen[index]) {
      reading.problems.push_back(shown + ": appears twice");
      return {};
    }
    seen[index] = true;
    base::JsonReader value(json);
    const bool null = value.peek() == base::JsonType::null;
    // A key that comes after its place in the table keeps its position when the file is written again.
    const bool late = index < next;
    const std::size_t before = late ? next : index;
    next = std::max(next, index + 1);
    const auto keep_place = [&] {
      if (late) into.kept.push_back({std::string(known->name), std::string(), before});
      return base::Status();
    };
    if (null && known->nullable) return keep_place();
    T read = into;
    reading.path = shown;
    const std::size_t problems = reading.problems.size();
    const base::Status status =
        null ? base::Status(value.error("a value")) : known->read(value, read, reading);
    reading.path = path;
    if (status) {
      into = std::move(read);
      return keep_place();
    }
    reading.problems.resize(problems);
    // Go omits null pointers and ignores null when reading, so null is only a problem for a required key.
    if (!null || known->required) {
      const std::string& said = status.error().message;
      reading.problems.push_back(shown + ": " + said.substr(0, said.rfind(" (byte")));
    }
    into.kept.push_back({std::string(known->name), std::string(json), before});
    return {};
  }));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].required && !seen[i])
      reading.problems.push_back(path + (path.empty() ? "" : ".") + std::string(keys[i].name) + ": missing");
  }
  return {};
}

template <class T>
void write_fields(GoJsonWriter& out, const T& from) {
  const auto keys = SessionKeys<T>::all();
  const auto write_key = [&](const SessionKey<T>& key) {
    if (!key.required && !key.is_set(from)) return;
    out.key(key.name);
    key.write(out, from);
  };
  std::vector<bool> elsewhere(keys.size());
  for (const KeptKey& kept : from.kept) {
    for (std::size_t i = 0; i < keys.size(); ++i) elsewhere[i] = elsewhere[i] || keys[i].name == kept.name;
  }
  out.begin('{');
  for (std::size_t i = 0; i <= keys.size(); ++i) {
    for (const KeptKey& kept : from.kept) {
      if (std::min(kept.before, keys.size()) != i) continue;
      if (!kept.json.empty()) {
        out.key(kept.name);
        out.raw(kept.json);
        continue;
      }
      for (const SessionKey<T>& key : keys) {
        if (key.name == kept.name) write_key(key);
      }
    }
    if (i < keys.size() && !elsewhere[i]) write_key(keys[i]);
  }
  out.end('}');
}

}  // namespace plankeep::core::session_fields
