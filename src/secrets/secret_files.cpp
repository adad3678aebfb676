#include "secrets/secret_files.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::secrets {
namespace {

template <class List>
bool ends_with_one_of(std::string_view text, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view one) { return text.ends_with(one); });
}

// ".env", ".env.production", "prod.env", but not the templates that people commit.
bool is_environment_file(std::string_view name) {
  constexpr std::array<std::string_view, 8> kPatterns = {".example", ".sample",   ".template", ".dist",
                                                         ".test",    ".defaults", ".tmpl",     ".schema"};
  const bool named = name == ".env" || name.starts_with(".env.") || name == ".envrc" ||
                     (name.ends_with(".env") && name.size() > 4);
  return named && !ends_with_one_of(name, kPatterns) && name.find("example") == std::string_view::npos &&
         name.find("sample") == std::string_view::npos;
}

}  // namespace

bool is_secret_file(std::string_view path) {
  constexpr std::array<std::string_view, 11> kEndings = {
      ".pem", ".key", ".p12", ".pfx", ".jks", ".ppk", ".kdbx", ".keystore", ".p8", ".agekey", ".keytab"};
  constexpr std::array<std::string_view, 16> kNames = {
      "id_rsa",           "id_dsa",     "id_ecdsa",     "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk",
      ".netrc",           "_netrc",     ".pgpass",      ".my.cnf",    ".htpasswd",   ".pypirc",
      ".git-credentials", ".dockercfg", ".vault-token", "secring.gpg"};
  constexpr std::array<std::string_view, 4> kPlaces = {".aws/credentials", ".docker/config.json",
                                                       ".kube/config",
                                                       ".config/gcloud/application_default_credentials.json"};
  const std::string low = base::to_lower(path);
  const std::string_view whole = low;
  const std::string_view name = whole.substr(whole.rfind('/') + 1);  // npos + 1 is 0
  // A .pem may hold only certificates. The name does not tell, so it counts.
  if (is_environment_file(name) || std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  if (ends_with_one_of(name, kEndings)) return true;
  return std::any_of(kPlaces.begin(), kPlaces.end(), [&](std::string_view place) {
    return whole.ends_with(place) &&
           (whole.size() == place.size() || whole[whole.size() - place.size() - 1] == '/');
  });
}

bool begins_like_a_key(std::string_view beginning) {
  beginning = base::trimmed(beginning.substr(0, kKeyBeginning));
  if (beginning.starts_with("\xef\xbb\xbf")) beginning.remove_prefix(3);
  if (beginning.starts_with("PuTTY-User-Key-File-") || beginning.starts_with("AGE-SECRET-KEY-1")) return true;
  if (!beginning.starts_with("-----BEGIN ")) return false;
  const std::string_view title = beginning.substr(0, beginning.find('\n'));
  return title.find("PRIVATE KEY") != std::string_view::npos;
}

}  // namespace plankeep::secrets
