#include "verify/command_trust.hpp"

#include <chrono>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "project/plan_location.hpp"
#include "project/settings.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kLockFile = "trusted-commands.lock";
constexpr std::chrono::seconds kTrustTimeout{10};
constexpr std::uint64_t kLimit = std::uint64_t{16} << 20;
constexpr std::uint32_t kWritableByOthers = 022;
constexpr std::int64_t kVersion = 1;

using Repositories = std::map<std::string, std::set<std::string>>;

Result<Repositories> decode(std::string_view json) {
  Repositories repositories;
  std::int64_t version = 0;
  base::JsonReader in(json);
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "version") return in.integer(version);
    if (key != "repositories") return in.skip();
    return in.object([&](std::string_view root) -> Status {
      std::set<std::string>& commands = repositories[std::string(root)];
      return in.object([&](std::string_view digest) -> Status {
        const std::string named(digest);
        std::string command;
        TRY(in.string(command));
        if (base::sha256_hex(command) != named) return in.error("the command of this digest");
        commands.insert(std::move(command));
        return {};
      });
    });
  }));
  TRY(in.end());
  if (version != kVersion) return base::fail(ErrorKind::corrupt, "it has another version");
  return repositories;
}

std::string encode(const Repositories& repositories) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("version").value(kVersion);
  out.key("repositories").begin_object();
  for (const auto& [root, commands] : repositories) {
    out.key(root).begin_object();
    for (const std::string& command : commands) out.key(base::sha256_hex(command)).value(command);
    out.end_object();
  }
  out.end_object().end_object();
  return out.finish();
}

// What the file says; nothing when it is missing.
Result<Repositories> load(system::Folder& folder) {
  TRY_ASSIGN(const auto info, folder.info(kTrustFile));
  if (info.kind == system::FileKind::missing) return Repositories();
  if (info.kind == system::FileKind::symlink) return base::fail(ErrorKind::corrupt, "it is a symbolic link");
  TRY_ASSIGN(const auto content, folder.read_with_info(kTrustFile, kLimit));
  if ((content.info.mode & kWritableByOthers) != 0)
    return base::fail(ErrorKind::corrupt, "other users may write to it");
  return decode(content.bytes);
}

// The folder, made where it is missing. By path: people keep ~/.config behind a link, and that is theirs to
// choose.
Result<std::unique_ptr<system::Folder>> make(const Context& context, const std::string& path) {
  const auto info = context.files.info(path);
  if (!info || info->kind == system::FileKind::missing) {
    if (path == "/") return base::fail(ErrorKind::io, "there is no folder /");
    TRY_ASSIGN(auto above, make(context, parent_of(path)));
    TRY(above->make_folder(last_part(path)));
  }
  return context.files.open_folder(path);
}

}  // namespace

CommandTrust CommandTrust::read(const Context& context, const std::string& root) {
  CommandTrust trust;
  const auto path = user_settings_folder(context);
  if (!path) return trust;
  const auto folder = context.files.open_folder(*path);
  if (!folder) return trust;
  auto repositories = load(**folder);
  if (!repositories) {
    trust.warning_ = *path + "/" + std::string(kTrustFile) + ": " + repositories.error().message +
                     ": no command is trusted";
    return trust;
  }
  const auto found = repositories->find(root);
  if (found != repositories->end()) trust.commands_.insert(found->second.begin(), found->second.end());
  return trust;
}

Status trust_commands(const Context& context, const std::string& root,
                      const std::vector<std::string>& commands) {
  if (base::find_invalid_utf8(root) != std::string::npos) {
    return base::fail(ErrorKind::invalid_input,
                      "cannot store trusted commands of " + root + ": it is not UTF-8");
  }
  const auto path = user_settings_folder(context);
  if (!path) {
    return base::fail(ErrorKind::not_found, "no place to store trusted commands: HOME is not set",
                      "set HOME or XDG_CONFIG_HOME");
  }
  TRY_ASSIGN(auto folder, make(context, *path));
  TRY_ASSIGN(const auto lock, folder->lock(kLockFile, kTrustTimeout));
  auto repositories = load(*folder);
  if (!repositories) {
    return base::fail(
        base::with_context(repositories.error(), folder->path_of(kTrustFile) + " was not changed"));
  }
  std::set<std::string>& known = (*repositories)[root];
  const std::size_t before = known.size();
  known.insert(commands.begin(), commands.end());
  if (known.size() == before) return {};
  return system::write_file(*folder, kTrustFile, encode(*repositories), system::Durability::durable);
}

}  // namespace plankeep::app
