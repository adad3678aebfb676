#include "base/checksum_beside.hpp"

#include <system_error>

#include "base/sha256.hpp"

namespace plankeep::base {
namespace {

constexpr std::size_t kWorthAThread = std::size_t{1} << 20;

}  // namespace

ChecksumBeside::ChecksumBeside(std::string_view bytes) : bytes_(bytes) {
  if (bytes.size() < kWorthAThread) return;
  try {
    thread_ = std::thread([this] { checksum_ = short_checksum(bytes_); });
  } catch (const std::system_error&) {
    // No thread to be had: value() does it.
  }
}

ChecksumBeside::~ChecksumBeside() {
  if (thread_.joinable()) thread_.join();
}

const std::string& ChecksumBeside::value() {
  if (thread_.joinable()) thread_.join();
  if (checksum_.empty()) checksum_ = short_checksum(bytes_);
  return checksum_;
}

}  // namespace plankeep::base
