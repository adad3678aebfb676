#include "clients/transcripts/transcript_records.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "clients/transcripts/transcript_line.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

// Answers whose usage may be told again: lines of several of them come mixed, but close together.
constexpr std::size_t kRememberedAnswers = 128;

void add_use(std::optional<TokenUse>& sum, const TokenUse& use) {
  if (!sum) sum.emplace();
  sum->input += use.input;
  sum->cache_creation += use.cache_creation;
  sum->cache_read += use.cache_read;
  sum->output += use.output;
  sum->calls += use.calls;
}

TokenUse difference(const TokenUse& now, const TokenUse& before) {
  return {now.input - before.input, now.cache_creation - before.cache_creation,
          now.cache_read - before.cache_read, now.output - before.output, now.calls - before.calls};
}

bool goes_on(const TokenUse& now, const TokenUse& before) {
  return now.input >= before.input && now.cache_creation >= before.cache_creation &&
         now.cache_read >= before.cache_read && now.output >= before.output;
}

}  // namespace

// What lines mean that follow each other.
class TranscriptReader::Interpreter {
 public:
  Interpreter(Sink sink, std::uint64_t first_line) : sink_(std::move(sink)), first_line_(first_line) {}

  TranscriptFacts facts;

  void line(std::string_view text) {
    RawTranscriptLine raw;
    if (base::trimmed(text).empty()) {
      ++facts.lines;
    } else if (!read_raw_line(text, raw)) {
      ++facts.lines;
      ++facts.broken;
    } else if (!raw.messages.empty() && raw.type.empty()) {
      messages(raw.messages);
    } else {
      understood(raw);
    }
  }

  void too_long() {
    ++facts.lines;
    ++facts.broken;
  }

  void end() {
    while (!running_.empty()) write_oldest();
    if (final_ && first_line_ == 0) facts.use = final_;
  }

 private:
  struct Running {
    std::string id;
    std::string tool;
    std::vector<FileEdit> edits;
    TranscriptRecord about;
    std::size_t bytes = 0;
    bool counts = true;
  };
  struct Answer {
    std::string id;
    TokenUse use;
    bool counts = true;
  };

  void messages(std::string_view json) {
    facts.document = true;
    JsonReader in(json);
    if (in.peek() != JsonType::array) return;
    const Status read = in.array([&]() -> Status {
      std::string_view message;
      TRY(in.raw(message));
      RawTranscriptLine raw;
      if (read_raw_line(message, raw)) {
        understood(raw);
      } else {
        ++facts.lines;
        ++facts.broken;
      }
      return {};
    });
    if (!read) ++facts.broken;
  }

  void understood(const RawTranscriptLine& raw) {
    TranscriptLine line = interpret_line(raw);
    if (!line.turn.empty()) facts.turn = std::move(line.turn);
    if (!line.model.empty() && !raw.sidechain) facts.model = line.model;
    if (line.use) count(*line.use, raw.sidechain);
    for (TranscriptResult& result : line.results) settle(result);
    TranscriptRecord record;
    record.turn = facts.turn;
    record.time = base::parse_iso8601(raw.time);
    record.line = facts.lines;
    record.subagent = raw.sidechain || line.subagent;
    say(record, TranscriptRecord::Kind::prompt, std::move(line.prompt));
    say(record, TranscriptRecord::Kind::answer, std::move(line.answer));
    for (TranscriptCall& call : line.calls) begin(record, std::move(call));
    ++facts.lines;
  }

  bool counts() const { return facts.lines >= first_line_; }

  void say(TranscriptRecord& record, TranscriptRecord::Kind kind, std::string text) {
    if (text.empty() || !counts()) return;
    record.kind = kind;
    record.text = std::move(text);
    sink_(record);
  }

  void begin(const TranscriptRecord& record, TranscriptCall call) {
    Running running;
    running.about = record;
    running.about.kind = TranscriptRecord::Kind::tool;
    running.about.tool = call.tool;
    running.about.text = std::move(call.subject);
    running.counts = counts();
    if (running.counts) sink_(running.about);
    if (call.failed || call.edits.empty()) return;
    running.about.text.clear();
    running.id = std::move(call.id);
    running.edits = std::move(call.edits);
    for (const FileEdit& edit : running.edits)
      running.bytes += edit.path.size() + edit.edit.before.size() + edit.edit.after.size();
    if (running.id.empty()) {
      write(running);
      return;
    }
    running_bytes_ += running.bytes;
    running_.push_back(std::move(running));
    while (running_.size() > kMostRunningCalls || (running_bytes_ > kMostRunningBytes && !running_.empty()))
      write_oldest();
  }

  void settle(TranscriptResult& result) {
    const auto call = std::find_if(running_.begin(), running_.end(),
                                   [&](const Running& running) { return running.id == result.id; });
    if (call == running_.end()) return;
    running_bytes_ -= call->bytes;
    Running done = std::move(*call);
    running_.erase(call);
    if (result.failed) return;
    if (result.original && done.edits.size() == 1 && done.edits.front().whole_file)
      done.edits.front().edit.before = std::move(*result.original);
    // What is written counts from where it was known to be.
    done.counts = counts();
    write(done);
  }

  void write_oldest() {
    running_bytes_ -= running_.front().bytes;
    Running oldest = std::move(running_.front());
    running_.pop_front();
    write(oldest);
  }

  void write(Running& running) {
    if (!running.counts) return;
    running.about.kind = TranscriptRecord::Kind::write;
    for (FileEdit& edit : running.edits) {
      running.about.edit = std::move(edit);
      sink_(running.about);
    }
  }

  void count(TranscriptUse& told, bool subagent) {
    switch (told.kind) {
      case TranscriptUse::Kind::answer:
        return count_answer(told, subagent ? facts.subagents : facts.use);
      case TranscriptUse::Kind::cumulative:
        return count_cumulative(told.use);
      case TranscriptUse::Kind::final:
        final_ = told.use;
    }
  }

  void count_answer(TranscriptUse& told, std::optional<TokenUse>& sum) {
    told.use.calls = 1;
    const auto known = std::find_if(answers_.rbegin(), answers_.rend(), [&](const Answer& answer) {
      return !told.id.empty() && answer.id == told.id;
    });
    if (known != answers_.rend()) {
      // While an answer comes in, its first lines may not have all of it.
      if (told.use.output < known->use.output) return;
      if (known->counts) add_use(sum, difference(told.use, known->use));
      known->use = told.use;
      return;
    }
    if (counts()) add_use(sum, told.use);
    if (told.id.empty()) return;
    answers_.push_back({std::move(told.id), told.use, counts()});
    if (answers_.size() > kRememberedAnswers) answers_.pop_front();
  }

  void count_cumulative(const TokenUse& now) {
    // The same again is told for other reasons; less than before is a count that began anew.
    const TokenUse before = total_ && goes_on(now, *total_) ? *total_ : TokenUse();
    const bool same = total_ && now == *total_;
    total_ = now;
    if (same || !counts()) return;
    TokenUse more = difference(now, before);
    more.calls = 1;
    add_use(facts.use, more);
  }

  Sink sink_;
  std::uint64_t first_line_;
  std::deque<Running> running_;
  std::size_t running_bytes_ = 0;
  std::deque<Answer> answers_;
  std::optional<TokenUse> total_;
  std::optional<TokenUse> final_;
};

TranscriptReader::TranscriptReader(Sink sink, std::uint64_t first_line)
    : interpreter_(std::make_unique<Interpreter>(std::move(sink), first_line)) {}

TranscriptReader::~TranscriptReader() = default;

void TranscriptReader::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t feed = document_ ? std::string_view::npos : bytes.find('\n');
    const std::string_view part = bytes.substr(0, feed);
    if (line_.size() + part.size() > kLongestTranscriptLine) {
      too_long_ = true;
      line_.clear();
    }
    if (!too_long_) line_ += part;
    if (feed == std::string_view::npos) return;
    bytes.remove_prefix(feed + 1);
    // A document is laid out for people: its first line is a brace.
    if (!began_ && base::trimmed(line_) == "{") {
      document_ = true;
      continue;
    }
    end_line();
  }
}

void TranscriptReader::end_line() {
  began_ = true;
  if (too_long_)
    interpreter_->too_long();
  else
    interpreter_->line(line_);
  line_.clear();
  too_long_ = false;
}

TranscriptFacts TranscriptReader::finish() {
  if (too_long_ || !line_.empty()) end_line();
  interpreter_->end();
  return std::move(interpreter_->facts);
}

std::string readable(const TranscriptRecord& record) {
  switch (record.kind) {
    case TranscriptRecord::Kind::prompt: {
      std::string text = "> ";
      for (const char c : record.text) {
        text += c;
        if (c == '\n') text += "> ";
      }
      return text;
    }
    case TranscriptRecord::Kind::answer:
      return record.text;
    case TranscriptRecord::Kind::tool:
      return "[" + record.tool + (record.text.empty() ? "" : " ") + record.text + "]";
    case TranscriptRecord::Kind::write:
      break;
  }
  return {};
}

}  // namespace plankeep::clients
