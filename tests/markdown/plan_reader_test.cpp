#include "markdown/plan_reader.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "markdown/parse_plan.hpp"
#include "markdown/plan_text.hpp"
#include "markdown/random_plan.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

constexpr std::size_t kSmall = 8;  // a heading and its marker are a part

std::string told(const base::Error& error) {
  return error.message + " | " + error.hint;
}

// Everything in it, as text.
std::string written(const Places& places) {
  std::string all;
  const auto add = [&](std::size_t number) { all += std::to_string(number) + " "; };
  const auto span = [&](const Span& at) { add(at.begin), add(at.end); };
  for (const MarkerPlace& marker : places.markers) {
    all += "\nmarker " + marker.id + " ";
    add(static_cast<std::size_t>(marker.kind)), span(marker.whole), span(marker.word), span(marker.id_at);
    span(marker.key), add(static_cast<std::size_t>(marker.box + 1));
    add(static_cast<std::size_t>(marker.heading + 1));
    for (const NamedId& id : marker.after) all += id.id + " ", span(id.at);
  }
  for (const BoxPlace& box : places.boxes) {
    all += "\nbox ";
    add(box.offset), add(box.character), add(box.after_box), add(box.text_end);
    add(static_cast<std::size_t>(box.parent + 1));
  }
  for (const HeadingPlace& heading : places.headings) {
    all += "\nheading " + heading.title + (heading.in_container ? " inside " : " ");
    add(static_cast<std::size_t>(heading.level)), add(heading.offset);
    add(static_cast<std::size_t>(heading.line)), add(static_cast<std::size_t>(heading.last_line));
  }
  return all;
}

// Empty, or what differs.
std::string difference(PlanReader& reader, const std::string& text) {
  const auto plan = reader.plan(text);
  const auto whole = parse_plan(text);
  if (plan.has_value() != whole.has_value()) return "only one is read";
  if (!plan) return told(plan.error()) == told(whole.error()) ? "" : "another error";
  if (!(*plan == *whole)) return "another plan";
  const auto places = reader.places(text);
  const auto all_places = read_places(text);
  if (places.has_value() != all_places.has_value()) return "only one has places";
  return !places || written(*places) == written(*all_places) ? "" : "other places";
}

// A few lines; more often than by chance with headings below blank lines, where parts begin.
std::string some_lines(const std::vector<std::string>& lines, const std::string& end) {
  std::string text;
  const auto count = *rc::gen::inRange<std::size_t>(0, 8);
  for (std::size_t i = 0; i < count; ++i) {
    if (*rc::gen::inRange(0, 3) == 0)
      text += end + *rc::gen::element<std::string>("# H", "## Phase 2: B", "#", "### [x] C") + end;
    text += *rc::gen::elementOf(lines) + end;
  }
  return text;
}

// Changes a plan again and again as an editor does: letters, lines, pieces, all of it.
void edit(const std::vector<std::string>& lines, std::size_t least_part) {
  const std::string end = *rc::gen::element<std::string>("\n", "\n", "\n", "\r\n", "\r");
  PlanReader reader(least_part);
  std::string text = *rc::gen::element<std::string>("", "", "\xEF\xBB\xBF", "---\na: b\n\n# c\n---\n");
  for (int i = 0; i < 4; ++i) text += some_lines(lines, end);
  RC_ASSERT(difference(reader, text) == "");
  const auto edits = *rc::gen::inRange<std::size_t>(1, 10);
  for (std::size_t i = 0; i < edits; ++i) {
    auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const bool by_line = *rc::gen::arbitrary<bool>();
    if (by_line) at = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is the beginning
    const auto most = *rc::gen::element<std::size_t>(0, 0, 1, 3, 40, 400);
    const auto length = std::min(*rc::gen::inRange<std::size_t>(0, most + 1), text.size() - at);
    std::string with;
    if (*rc::gen::arbitrary<bool>()) {
      with = some_lines(lines, end);
    } else {
      with = *rc::gen::element<std::string>("", "x", "#", " ", "\n", "\r", "\n\n", "`", "```\n", "<!--",
                                            "-->", "]", "]:", ">", "- ", "---\n", "SKIP", "\xE9");
    }
    text.replace(at, length, with);
    RC_ASSERT(difference(reader, text) == "");
  }
}

std::string phases(int count, const std::string& in_each) {
  std::string text = "# P\n";
  for (int i = 1; i <= count; ++i) {
    const std::string number = std::to_string(i);
    text += "\n## Phase " + number + "\n<!-- CHECKPOINT: p" + number + " -->\n\n" + in_each;
    text += "- [ ] Task " + number + " <!-- TASK: t" + number + " -->\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a text that changes is read as if it were new each time") {
  CHECK(rc::check("any lines, small parts", [] { edit(plan_lines(), kSmall); }));
  // Without what makes all of the text be read at once.
  std::vector<std::string> alone = plan_lines();
  std::erase_if(alone, [](const std::string& line) {
    return line.find("]:") != std::string::npos || line.find("SKIP") != std::string::npos ||
           line.find('\xE9') != std::string::npos;
  });
  CHECK(rc::check("lines that stand alone, small parts", [&] { edit(alone, kSmall); }));
  CHECK(rc::check("lines that stand alone, larger parts", [&] { edit(alone, 100); }));
}

TEST_CASE("after a letter only its part is read") {
  std::string text = phases(20, "");
  PlanReader reader(kSmall);
  REQUIRE(reader.plan(text));
  const std::size_t all = reader.bytes_read();
  CHECK(all >= text.size());
  CHECK(all < text.size() * 2);
  text.insert(text.find("Task 10") + 4, "x");
  CHECK(difference(reader, text).empty());
  REQUIRE(reader.plan(text));
  CHECK(reader.bytes_read() == 0);
  text.insert(text.find("Task 11") + 4, "x");
  REQUIRE(reader.plan(text));
  CHECK(reader.bytes_read() > 0);
  CHECK(reader.bytes_read() < text.size() / 10);
}

TEST_CASE("a fence that is opened and closed again moves what is code") {
  std::string text = phases(6, "");
  PlanReader reader(kSmall);
  CHECK(difference(reader, text).empty());
  for (const char* const open : {"```\n", "<!-- never ends\n", "<script>\n", "> ~~~\n"}) {
    const std::size_t at = text.find("\n## Phase 3");
    std::string with = text;
    with.insert(at, open);
    CHECK(difference(reader, with).empty());
    CHECK(difference(reader, text).empty());
  }
}

TEST_CASE("a line that is a heading no more ends no part") {
  std::string text = "# P\n\n- [ ] One\n\n#\n- [ ] Two\n\n# Last\n\n- [ ] Three\n";
  PlanReader reader(1);
  CHECK(difference(reader, text).empty());
  text.insert(text.find("#\n- [ ] Two") + 1, "x");
  CHECK(difference(reader, text).empty());
  text.insert(text.find("#x"), "    ");
  CHECK(difference(reader, text).empty());
}

TEST_CASE("a heading right below a text counts with it where special characters are too many for cmark") {
  const std::string many(200, '*');
  const std::string text =
      "# P\n\n" + many + " text\n# " + many + "H*i* <!-- CHECKPOINT: p -->\n\n- [ ] One\n\n# Q\n";
  PlanReader reader(1);
  CHECK(difference(reader, text).empty());
  CHECK(difference(reader, text + "- [ ] Two\n").empty());
}

TEST_CASE("what reaches from one part into another is read with all of the text") {
  std::string text = phases(6, "");
  PlanReader reader(kSmall);
  CHECK(difference(reader, text).empty());
  const std::vector<std::string> lines{"- [ ] See [Task 1]\n\n[Task 1]: https://example.org\n",
                                       "<!-- SKIP -->\n",
                                       "- [ ] Note[^n]\n\n[^n]: a note\n",
                                       "<<<<<<< ours\n",
                                       "=======\n>>>>>>> theirs\n",
                                       "\xE9\n",
                                       "- [ ] One\n  <!-- TASK: below -->\n"};
  for (const std::string& line : lines) {
    for (const char* const above : {"<!-- CHECKPOINT: p2 -->", "- [ ] Task 2", "\n## Phase 6"}) {
      std::string with = text;
      with.insert(with.find(above), line);
      CHECK(difference(reader, with).empty());
    }
  }
  CHECK(difference(reader, text).empty());
}

TEST_CASE("front matter that ends further down takes the parts above with it") {
  const std::string text = "---\na: b\n\n# One\n\n# Two\nc: d\n\n# Three\n";
  PlanReader reader(1);
  CHECK(difference(reader, text + "- [ ] Task\n").empty());
  CHECK(difference(reader, text + "---\n- [ ] Task\n").empty());
  CHECK(difference(reader, text + "x\n---\n- [ ] Task\n").empty());
}

TEST_CASE("a text that cannot be read gives the error of parse_plan, and the next one is read") {
  PlanReader reader(kSmall);
  const std::string text = phases(3, "");
  CHECK(difference(reader, text).empty());
  CHECK(difference(reader, text + std::string(1, '\0')).empty());
  CHECK(difference(reader, text + std::string(5000, '>') + " deep\n").empty());
  CHECK(difference(reader, text).empty());
}
