#pragma once
// A folder in memory with one file that can only be read: enough for the journal's readers, and fast enough
// for a fuzzer. Every verb that would write is an error.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "system/file_system.hpp"

namespace plankeep::fuzz {

class OneFileFolder final : public system::Folder {
 public:
  OneFileFolder(std::string name, std::string_view content) : name_(std::move(name)), content_(content) {}

  std::string path() const override { return "/memory"; }

  base::Result<system::FileInfo> info(std::string_view name) override {
    system::FileInfo info;
    if (name != name_) return info;
    info.kind = system::FileKind::regular;
    info.size = content_.size();
    return info;
  }
  base::Result<std::string> read(std::string_view name, std::uint64_t limit) override {
    if (name != name_) return base::fail(base::ErrorKind::not_found, "no such file");
    if (content_.size() > limit) return base::fail(base::ErrorKind::invalid_input, "too large");
    return std::string(content_);
  }
  base::Result<std::string> read_range(std::string_view name, std::uint64_t offset,
                                       std::uint64_t count) override {
    if (name != name_) return base::fail(base::ErrorKind::not_found, "no such file");
    if (offset >= content_.size()) return std::string();
    return std::string(content_.substr(offset, static_cast<std::size_t>(count)));
  }
  base::Result<std::vector<std::string>> list() override { return std::vector<std::string>{name_}; }

  base::Result<std::unique_ptr<system::WritableFile>> create(std::string_view) override { return refuse(); }
  base::Result<std::unique_ptr<system::WritableFile>> create_like(std::string_view,
                                                                  const system::FileInfo&) override {
    return refuse();
  }
  base::Result<std::unique_ptr<system::WritableFile>> open_append(std::string_view) override {
    return refuse();
  }
  base::Status rename(std::string_view, std::string_view) override { return refuse(); }
  base::Status rename_cache(std::string_view, std::string_view) override { return refuse(); }
  base::Status remove(std::string_view) override { return refuse(); }
  base::Status remove_folder(std::string_view) override { return refuse(); }
  base::Status sync() override { return refuse(); }
  base::Result<std::unique_ptr<system::Folder>> open_folder(std::string_view) override { return refuse(); }
  base::Result<std::unique_ptr<system::Folder>> make_folder(std::string_view) override { return refuse(); }
  base::Result<std::string> read_link(std::string_view) override { return refuse(); }
  base::Result<std::unique_ptr<system::Lock>> lock(std::string_view, std::chrono::milliseconds) override {
    return refuse();
  }

 private:
  static tl::unexpected<base::Error> refuse() { return base::fail(base::ErrorKind::io, "read only"); }

  std::string name_;
  std::string_view content_;
};

}  // namespace plankeep::fuzz
