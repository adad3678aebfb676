#include "reports/report_file.hpp"

#include "project/plan_location.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

constexpr std::string_view kFolder = "plankeep-report";
constexpr std::string_view kName = "plan-report.html";
constexpr std::uint32_t kWritableByOthers = 0022;

// Whoever may write in the folder could put another page in the place of ours before it is opened.
base::Status check_private(system::Folder& temporary, system::Folder& folder) {
  TRY_ASSIGN(const system::FileInfo file, folder.info(kName));
  TRY_ASSIGN(const system::FileInfo around, temporary.info(kFolder));
  if (around.kind == system::FileKind::directory && around.owner == file.owner &&
      (around.mode & kWritableByOthers) == 0)
    return {};
  (void)folder.remove(kName);
  return base::fail({base::ErrorKind::conflict,
                     temporary.path_of(kFolder) + " is not a folder of yours alone",
                     {},
                     "choose the file: plankeep report --out FILE"});
}

}  // namespace

base::Result<std::string> write_report(const Context& context, const std::string& path,
                                       std::string_view content) {
  if (path.empty()) {
    const auto named = context.environment.variable("TMPDIR");
    const std::string around = named && named->starts_with('/') ? *named : "/tmp";
    TRY_ASSIGN(auto temporary, context.files.open_folder(around));
    TRY_ASSIGN(auto folder, temporary->make_folder(kFolder));
    TRY(system::write_file(*folder, kName, content, system::Durability::cache));
    TRY(check_private(*temporary, *folder));
    return folder->path_of(kName);
  }
  const std::string full = absolute_path(context, path);
  const std::string name = last_part(full);
  TRY_ASSIGN(auto folder, context.files.open_folder(parent_of(full)));
  if (name.empty() || name == "." || name == "..")
    return base::fail({base::ErrorKind::invalid_input, path + " names a folder", {}, "give a file's name"});
  TRY_ASSIGN(const system::FileInfo info, folder->info(name));
  if (info.kind == system::FileKind::directory)
    return base::fail({base::ErrorKind::invalid_input, path + " is a folder", {}, "give a file's name"});
  TRY(system::write_file(*folder, name, content, system::Durability::cache));
  return full;
}

}  // namespace plankeep::app
