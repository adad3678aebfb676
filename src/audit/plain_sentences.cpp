#include "audit/plain_sentences.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "audit/audit.hpp"
#include "audit/words/assertion_words.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using WordKind = PlainWord::Kind;

constexpr std::size_t kLongestPath = 240;  // bytes
constexpr std::size_t kMostWords = 400;    // of a sentence

constexpr std::array<std::string_view, 73> kExtensions = {
    "astro", "bash", "bat",  "c",     "cc",     "cfg",   "cjs",  "clj",    "cmake", "conf",  "cpp",
    "cs",    "css",  "csv",  "cts",   "dart",   "ex",    "exs",  "fs",     "go",    "gql",   "h",
    "hpp",   "hs",   "html", "hxx",   "ini",    "ipynb", "java", "jl",     "js",    "json",  "jsonc",
    "jsx",   "kt",   "kts",  "less",  "lock",   "lua",   "m",    "md",     "mdx",   "mjs",   "ml",
    "mts",   "nix",  "php",  "pl",    "prisma", "proto", "ps1",  "py",     "pyi",   "r",     "rb",
    "rs",    "rst",  "sass", "scala", "scss",   "sh",    "sql",  "svelte", "svg",   "swift", "tf",
    "toml",  "ts",   "tsx",  "txt",   "vue",    "xml",   "yaml"};
constexpr std::array<std::string_view, 6> kPlainNames = {"Makefile", "Dockerfile", "CMakeLists.txt",
                                                         "Gemfile",  "Rakefile",   "Procfile"};

/// Products that are called like files.
constexpr std::array<std::string_view, 44> kProducts = {
    "alpine.js",  "angular.js", "anime.js",      "babylon.js",   "backbone.js",   "chart.js",    "d3.js",
    "day.js",     "deck.gl",    "discord.js",    "discord.py",   "docs.rs",       "ember.js",    "ethers.js",
    "express.js", "fuse.js",    "handlebars.js", "highlight.js", "hls.js",        "knockout.js", "leaflet.js",
    "llama.cpp",  "matter.js",  "moment.js",     "nest.js",      "next.js",       "node.js",     "nuxt.js",
    "p5.js",      "pdf.js",     "phaser.js",     "pixi.js",      "preact.js",     "prism.js",    "react.js",
    "require.js", "socket.js",  "solid.js",      "svelte.js",    "tensorflow.js", "three.js",    "video.js",
    "vue.js",     "whisper.cpp"};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool path_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_-./@+[]()").find(c) != std::string_view::npos;
}

class Sentences {
 public:
  explicit Sentences(const MessageUnit& unit, std::vector<PlainSentence>& out)
      : unit_(unit), out_(out), text_(unit.text) {}

  void run() {
    begin();
    while (at_ < text_.size()) step();
    end(false);
  }

 private:
  void begin() {
    now_ = {};
    now_.unit = unit_.kind;
    now_.label = unit_.label;
    now_.open = unit_.box == MessageUnit::Box::open;
    now_.line = unit_.line;
  }

  void end(bool question) {
    now_.question = question;
    now_.first = first_;
    if (!now_.words.empty()) {
      first_ = false;
      out_.push_back(std::move(now_));
    }
    begin();
  }

  void add(WordKind kind, std::string text) {
    if (now_.words.size() < kMostWords) now_.words.push_back({kind, std::move(text), quoted_});
  }

  void step() {
    const char c = text_[at_];
    if (c == '`') return code();
    if (arrow()) return;
    if (c == ']' && at_ + 1 < text_.size() && text_[at_ + 1] == '(') return destination();
    const base::CodePoint point = base::decode_at(text_, at_);
    if (point.valid && is_cjk(point.value)) return unspaced();
    if (point.valid && (base::is_word_character(point.value) || starts_path())) return run_of_letters();
    at_ += point.length;
    if (quotes(point.value)) return;
    const std::string_view next = text_.substr(at_, 1);
    const bool space = next.empty() || next[0] == ' ' || next[0] == '\n' || next[0] == '*' || next[0] == '`';
    if (c == '?' || point.value == 0xFF1F) return end(true);
    if (((c == '.' || c == '!' || c == ';') && space) || point.value == 0x3002 || point.value == 0xFF01)
      return end(false);
    if (c == ',' || c == ':' || c == '(' || c == ')') add(WordKind::mark, std::string(1, c));
    if (point.value == 0x3001 || point.value == 0xFF0C) add(WordKind::mark, ",");
    if (point.value == 0xFF1A) add(WordKind::mark, ":");
    if (point.value == 0xFF08) add(WordKind::mark, "(");
    if (point.value == 0xFF09) add(WordKind::mark, ")");
    if (point.value == 0x2014 || point.value == 0x2013) add(WordKind::mark, ":");
  }

  /// "a.py → b.py", "a.py -> b.py"
  bool arrow() {
    if (now_.words.empty() || now_.words.back().kind != WordKind::path) return false;
    for (const std::string_view sign : {"\u2192", "\u27f6", "-->", "->", "=>"}) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      at_ += sign.size();
      add(WordKind::mark, ">");
      return true;
    }
    return false;
  }

  /// Opens or closes a quotation. In German and Polish the first mark of English is the last.
  bool quotes(char32_t mark) {
    constexpr std::u32string_view kEither = U"\"\u201c\u00ab\u00bb", kOpening = U"\u201e\u300c\u300e",
                                  kClosing = U"\u201d\u300d\u300f";
    if (kEither.find(mark) != std::u32string_view::npos)
      quoted_ = !quoted_;
    else if (kOpening.find(mark) != std::u32string_view::npos)
      quoted_ = true;
    else if (kClosing.find(mark) != std::u32string_view::npos)
      quoted_ = false;
    else
      return false;
    return true;
  }

  bool starts_path() const {
    return (text_[at_] == '.' || text_[at_] == '/') && at_ + 1 < text_.size() && path_byte(text_[at_ + 1]) &&
           text_[at_ + 1] != '.' && (at_ == 0 || text_[at_ - 1] == ' ' || text_[at_ - 1] == '(');
  }

  /// What is taken here is the end of something: "~/a.md", "../a.md", "$HOME/a.md", "C:\a.md".
  bool goes_before(std::size_t start) const {
    return start > 0 && std::string_view("~/.$}>\\%{<@=").find(text_[start - 1]) != std::string_view::npos;
  }

  void code() {
    const std::size_t ticks = std::min(text_.find_first_not_of('`', at_), text_.size()) - at_;
    const std::size_t start = at_ + ticks;
    // A span is closed on its line, or never.
    const std::size_t limit = std::min(text_.find('\n', start), text_.size());
    const std::size_t close = text_.substr(0, limit).find(std::string(ticks, '`'), start);
    if (close == std::string_view::npos) {
      at_ = start;
      return;
    }
    const std::string_view inside = text_.substr(start, close - start);
    at_ = close + ticks;
    if (looks_like_path(inside)) return add(WordKind::path, std::string(inside));
    add(WordKind::code, base::to_lower(inside.substr(0, kLongestPath)));
  }

  void destination() {
    const std::size_t close = text_.substr(0, std::min(text_.size(), at_ + kLongestPath)).find(')', at_);
    const std::string_view target =
        close == std::string_view::npos ? std::string_view() : text_.substr(at_ + 2, close - at_ - 2);
    at_ = close == std::string_view::npos ? at_ + 2 : close + 1;
    if (now_.words.empty() || now_.words.back().kind != WordKind::path) return;
    // "[x.md](../other/x.md)": where it leads counts, if that may be elsewhere.
    PlainWord& named = now_.words.back();
    if (target.starts_with('/') && looks_like_path(target))
      named.text = std::string(target);
    else if (target.starts_with('/') || target.starts_with('~') || contains(target, "..") ||
             contains(target, ":/"))
      named.kind = WordKind::code;
  }

  void unspaced() {
    const std::size_t start = at_;
    while (at_ < text_.size()) {
      const base::CodePoint point = base::decode_at(text_, at_);
      if (!point.valid || !is_cjk(point.value)) break;
      at_ += point.length;
    }
    add(WordKind::word, std::string(text_.substr(start, at_ - start)));
  }

  void run_of_letters() {
    const std::size_t start = at_;
    bool letters = true;
    while (at_ < text_.size()) {
      const base::CodePoint point = base::decode_at(text_, at_);
      const bool word = point.valid && base::is_word_character(point.value) && !is_cjk(point.value);
      const bool joint = text_[at_] == '_' || text_[at_] == '-' || text_[at_] == '.' || text_[at_] == '/' ||
                         text_[at_] == '@' || text_[at_] == '\'' || text_[at_] == '%' || text_[at_] == ':' ||
                         point.value == 0x2019;
      if (!word && !joint) break;
      letters = letters && word;
      at_ += point.length;
    }
    std::string_view run = text_.substr(start, at_ - start);
    const std::size_t last = run.find_last_not_of(".:'-/");
    run = run.substr(0, last == std::string_view::npos ? 0 : last + 1);
    at_ = start + std::max<std::size_t>(run.size(), 1);
    if (run.empty()) return;
    if (!letters && !goes_before(start) && looks_like_path(run)) return add(WordKind::path, std::string(run));
    add(WordKind::word, base::to_lower(run));
  }

  const MessageUnit& unit_;
  std::vector<PlainSentence>& out_;
  std::string_view text_;
  std::size_t at_ = 0;
  PlainSentence now_;
  bool first_ = true;
  bool quoted_ = false;
};

void add_sentences(std::string_view part, std::vector<PlainSentence>& out) {
  for (const MessageUnit& unit : split_message(part, Quotations::leave_out)) {
    if (unit.fenced || unit.kind == MessageUnit::Kind::rule) continue;
    if (unit.kind != MessageUnit::Kind::row) {
      Sentences(unit, out).run();
      continue;
    }
    for (const std::string& cell : unit.cells) {
      MessageUnit one;
      one.kind = MessageUnit::Kind::row;
      one.line = unit.line;
      one.text = cell;
      Sentences(one, out).run();
    }
  }
}

}  // namespace

bool looks_like_path(std::string_view text) {
  if (text.empty() || text.size() > kLongestPath || !std::all_of(text.begin(), text.end(), path_byte))
    return false;
  if (contains(text, "..") || contains(text, "//") || contains(text, "()") || text[0] == '-' ||
      text[0] == '@')
    return false;
  const std::size_t slash = text.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (std::find(kPlainNames.begin(), kPlainNames.end(), name) != kPlainNames.end()) return true;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string extension = base::to_lower(name.substr(dot + 1));
  if (std::find(kExtensions.begin(), kExtensions.end(), extension) == kExtensions.end()) return false;
  // "Node.js", "Next.js" are no files.
  const bool product =
      slash == std::string_view::npos &&
      ((extension == "js" && name[0] >= 'A' && name[0] <= 'Z') ||
       std::find(kProducts.begin(), kProducts.end(), base::to_lower(name)) != kProducts.end());
  const std::string_view host = text.substr(0, text.find('/'));
  return !product && !contains(host, ".com") && !host.starts_with("www.") && !contains(host, ".org");
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool is_unspaced(std::string_view text) {
  return !text.empty() && is_cjk(base::decode_at(text, 0).value);
}

std::vector<PlainSentence> plain_sentences(std::string_view message) {
  std::vector<PlainSentence> out;
  for (const MessagePart& part : audited_parts(message)) add_sentences(part.text, out);
  return out;
}

}  // namespace plankeep::core
