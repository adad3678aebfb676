#include "markdown/cmark_document.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>

#include <cstring>

#include "markdown/plain_items.hpp"
#include "markdown/reading_limits.hpp"

namespace plankeep::markdown {
namespace {

// Only what changes structure or titles. Autolinks do not change a plain text, the task list extension reads
// boxes too narrowly. With CMARK_OPT_FOOTNOTES footnotes come last in the tree, and one that nothing refers
// to is not in it, as it is not on the page.
struct Extensions {
  cmark_syntax_extension* table = nullptr;
  cmark_syntax_extension* strikethrough = nullptr;
};

const Extensions& extensions() {
  static const Extensions found = [] {
    cmark_gfm_core_extensions_ensure_registered();
    return Extensions{cmark_find_syntax_extension("table"), cmark_find_syntax_extension("strikethrough")};
  }();
  return found;
}

constexpr std::size_t kPiece = std::size_t{128} << 10;

// What cmark is fed: the text as it is, or in pieces with its plain items masked.
struct Job {
  cmark_mem* memory = nullptr;
  std::string_view text;
  std::string* piece = nullptr;  // room for a piece, kPiece bytes and a line; none: as it is
  cmark_node* root = nullptr;
};

// The end of the piece that begins at `at`: below a blank line where there is one, so that most items are
// seen with what stands around them.
std::size_t piece_end(std::string_view text, std::size_t at) {
  if (text.size() - at <= kPiece) return text.size();
  const std::string_view piece = text.substr(at, kPiece);
  std::size_t end = piece.rfind("\n\n");
  if (end != std::string_view::npos) return at + end + 2;
  end = piece.rfind("\n\r\n");
  if (end != std::string_view::npos) return at + end + 3;
  end = piece.rfind('\n');
  return end == std::string_view::npos ? text.size() : at + end + 1;
}

void feed_masked(cmark_parser* parser, const Job& job) {
  bool after_blank = true;
  for (std::size_t at = 0; at < job.text.size();) {
    const std::size_t end = piece_end(job.text, at);
    const std::string_view lines = job.text.substr(at, end - at);
    job.piece->assign(lines);
    mask_plain_items(*job.piece, after_blank);
    cmark_parser_feed(parser, job.piece->data(), job.piece->size());
    after_blank = lines.ends_with("\n\n") || lines.ends_with("\n\r\n");
    at = end;
  }
}

void parse_job(void* context) {
  auto* job = static_cast<Job*>(context);
  cmark_parser* parser = cmark_parser_new_with_mem(CMARK_OPT_FOOTNOTES, job->memory);
  if (extensions().table != nullptr) cmark_parser_attach_syntax_extension(parser, extensions().table);
  if (extensions().strikethrough != nullptr)
    cmark_parser_attach_syntax_extension(parser, extensions().strikethrough);
  if (job->piece != nullptr) {
    feed_masked(parser, *job);
  } else {
    cmark_parser_feed(parser, job->text.data(), job->text.size());
  }
  job->root = cmark_parser_finish(parser);
}

void append_literal(std::string& text, const char* literal) {
  if (literal == nullptr) return;
  for (;;) {
    const char* const placeholder = std::strchr(literal, kPlaceholder);
    if (placeholder == nullptr) break;
    text.append(literal, static_cast<std::size_t>(placeholder - literal));
    text.append("\xEF\xBF\xBD");
    literal = placeholder + 1;
  }
  text.append(literal);
}

}  // namespace

CmarkDocument::CmarkDocument(std::size_t memory_limit) : arena_(memory_limit) {}

base::Status CmarkDocument::parse(const SourceText& source) {
  TRY(check_nesting(source));
  copy_ = neutralised(source.body());
  extensions();  // registered outside the arena: they outlive it
  std::string piece;
  Job job{arena_.memory(), copy_, nullptr, nullptr};
  if (copy_.empty()) {
    job.text = source.body();
    job.piece = &piece;
  }
  if (!arena_.run(parse_job, &job)) {
    return base::fail(
        base::ErrorKind::invalid_input,
        "the text is too complex to parse within " + std::to_string(arena_.limit() >> 20) + " MiB of memory",
        "is this a plan? split it, or remove what is not text");
  }
  root_ = job.root;
  return {};
}

std::string CmarkDocument::plain_text(cmark_node* block) {
  std::string text;
  cmark_node* node = cmark_node_first_child(block);
  while (node != nullptr) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_TEXT:
      case CMARK_NODE_CODE:
        append_literal(text, cmark_node_get_literal(node));
        break;
      case CMARK_NODE_SOFTBREAK:
      case CMARK_NODE_LINEBREAK:
        text.push_back(' ');
        break;
      default:
        break;
    }
    cmark_node* next = cmark_node_first_child(node);
    while (next == nullptr) {
      next = cmark_node_next(node);
      if (next != nullptr) break;
      node = cmark_node_parent(node);
      if (node == nullptr || node == block) break;
    }
    node = node == block ? nullptr : next;
  }
  return text;
}

std::string CmarkDocument::plain_text_of(std::string_view inlines) {
  // A letter in front keeps the text from being anything but a paragraph.
  std::string line = "x";
  line.append(inlines);
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  const std::string copy = neutralised(line);
  const std::string& text = copy.empty() ? line : copy;
  extensions();
  Job job{arena_.memory(), text, nullptr, nullptr};
  if (!arena_.run(parse_job, &job)) return std::string(inlines);
  cmark_node* paragraph = cmark_node_first_child(job.root);
  if (paragraph == nullptr) return {};
  std::string plain = plain_text(paragraph);
  return plain.empty() ? plain : plain.substr(1);
}

}  // namespace plankeep::markdown
