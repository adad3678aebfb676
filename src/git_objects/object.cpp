#include "git_objects/object.hpp"

#include "base/sha1.hpp"
#include "base/sha256.hpp"

namespace plankeep::git {
namespace {

template <class Hash>
std::string hash_of(std::string_view header, std::string_view bytes) {
  Hash hash;
  hash.add(header);
  hash.add(bytes);
  return hash.hex();
}

}  // namespace

std::optional<ObjectFormat> object_format(std::string_view name) {
  if (name == "sha1") return ObjectFormat::sha1;
  if (name == "sha256") return ObjectFormat::sha256;
  return std::nullopt;
}

std::size_t id_length(ObjectFormat format) {
  return format == ObjectFormat::sha1 ? 40 : 64;
}

bool is_object_id(ObjectFormat format, std::string_view id) {
  return id.size() == id_length(format) && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string no_object(ObjectFormat format) {
  return std::string(id_length(format), '0');
}

std::string_view name_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::commit:
      return "commit";
    case ObjectKind::tree:
      return "tree";
    case ObjectKind::blob:
      break;
  }
  return "blob";
}

std::string object_id(ObjectFormat format, ObjectKind kind, std::string_view bytes) {
  std::string header(name_of(kind));
  header += ' ';
  header += std::to_string(bytes.size());
  header += '\0';
  return format == ObjectFormat::sha1 ? hash_of<base::Sha1>(header, bytes)
                                      : hash_of<base::Sha256>(header, bytes);
}

}  // namespace plankeep::git
