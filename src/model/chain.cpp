#include "model/chain.hpp"

namespace plankeep::core {
namespace {

constexpr std::string_view kKey = ",\"chain\":\"";
constexpr std::string_view kEnd = "\"}";
constexpr std::size_t kLength = kKey.size() + kChainDigits + kEnd.size();

}  // namespace

bool is_chain(std::string_view text) {
  return text.size() == kChainDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string put_chain(std::string_view before, std::string& lines) {
  if (!lines.ends_with("}\n")) return {};
  base::Sha256 digest;
  digest.add(before);
  digest.add(lines);
  std::string chain = digest.hex().substr(0, kChainDigits);
  lines.resize(lines.size() - 2);
  lines += kKey;
  lines += chain;
  lines += kEnd;
  lines += '\n';
  return chain;
}

std::string_view chain_of(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.size() <= kLength || !line.ends_with(kEnd)) return {};
  const std::string_view field = line.substr(line.size() - kLength);
  const std::string_view digits = field.substr(kKey.size(), kChainDigits);
  return field.starts_with(kKey) && is_chain(digits) ? digits : std::string_view();
}

void ChainCheck::begin() {
  digest_ = std::make_unique<base::Sha256>();
  digest_->add(chain_);
  last_ = Batch{0, 0};
  pending_ = 0;
}

// What was read of a save has no chain, or its end is missing.
void ChainCheck::give_up() {
  if (pending_ == 0) return;
  (any_ ? report_.unchained : report_.unchained_before) += pending_;
  if (any_ && !report_.first_unchained) report_.first_unchained = first_;
  pending_ = 0;
}

void ChainCheck::take(std::string_view line, std::int64_t number, const Batch& batch) {
  ++report_.lines;
  const bool goes_on = pending_ > 0 && batch.size == last_.size && batch.index == last_.index + 1;
  if (!goes_on) {
    give_up();
    begin();
    first_ = number;
  }
  ++pending_;
  last_ = batch;
  const std::string_view chain = chain_of(line);
  if (chain.empty() || batch.index < batch.size) {
    digest_->add(line);
    digest_->add("\n");
    if (batch.index >= batch.size) give_up();
    return;
  }
  digest_->add(line.substr(0, line.size() - kLength));
  digest_->add("}\n");
  const bool fits = batch.index == pending_ && digest_->hex().starts_with(chain);
  if (fits) report_.chained += pending_;
  if (!fits && !report_.broken) report_.broken = first_;
  chain_ = chain;
  any_ = true;
  pending_ = 0;
}

ChainReport ChainCheck::report() const {
  ChainCheck end = ChainCheck();
  end.report_ = report_;
  end.any_ = any_;
  end.first_ = first_;
  end.pending_ = pending_;
  end.give_up();
  return end.report_;
}

}  // namespace plankeep::core
