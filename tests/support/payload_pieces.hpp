#pragma once
// The payload of a hook that comes a piece at a time, without a pipe.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "clients/payload.hpp"

namespace plankeep::test {

/// What was handed out is not handed out again.
class PayloadPieces : public clients::PayloadInput {
 public:
  explicit PayloadPieces(std::string all, std::size_t piece = 1000)
      : all_(std::move(all)), piece_(piece), ready_(piece) {}
  const std::string& text() const override { return text_; }
  bool ended() const override { return ended_; }
  bool gave_up() const override { return gives_up && ended_; }
  void take(std::size_t size) override {
    const std::size_t until = std::min(size, std::min(ready_, all_.size()));
    if (until > text_.size()) text_.append(all_, text_.size(), until - text_.size());
  }
  void wait() override {
    ++waits;
    ended_ = ready_ >= all_.size();
    ready_ += piece_;
    take(ready_);
  }
  int waits = 0;
  bool gives_up = false;

 private:
  std::string all_;
  std::size_t piece_;
  std::size_t ready_;  // so much has come
  std::string text_;
  bool ended_ = false;
};

}  // namespace plankeep::test
