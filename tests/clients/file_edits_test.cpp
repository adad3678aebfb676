#include "clients/transcripts/file_edits.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "support/hostile_text.hpp"

using namespace plankeep::clients;

namespace {

using Edits = std::vector<FileEdit>;

}  // namespace

TEST_CASE("an edit is its file, its old text and its new one, whatever a client calls them") {
  const Edits expected{{"/p/a.c", {"old", "new"}, false}};
  CHECK(file_edits(R"({"file_path":"/p/a.c","old_string":"old","new_string":"new","replace_all":false})") ==
        expected);
  CHECK(file_edits(R"({"filePath":"/p/a.c","newString":"new","oldString":"old"})") == expected);
  CHECK(file_edits(R"({"path":"/p/a.c","old_str":"old","new_str":"new"})") == expected);
  CHECK(file_edits(R"({"file_path":"/p/a.c","edits":[{"old_string":"old","new_string":"new"}]})") ==
        expected);
  CHECK(file_edits(R"("{\"path\":\"/p/a.c\",\"old_str\":\"old\",\"new_str\":\"new\"}")") == expected);
}

TEST_CASE("text that is taken out is an edit, too") {
  CHECK(file_edits(R"({"file_path":"a","old_string":"old","new_string":""})") ==
        Edits{{"a", {"old", ""}, false}});
}

TEST_CASE("a whole file is its content") {
  CHECK(file_edits(R"({"file_path":"a","content":"x\ny\n"})") == Edits{{"a", {"", "x\ny\n"}, true}});
  CHECK(file_edits(R"({"path":"a","file_text":""})") == Edits{{"a", {"", ""}, true}});
}

TEST_CASE("a patch is an edit for each of its files, deleted and moved ones too") {
  const std::string patch =
      "*** Begin Patch\n*** Add File: new.c\n+one\n+two\n*** Update File: a.c\n*** Move to: b.c\n@@ f()\n "
      "keep\n"
      "-old\n+new\n\n*** End of File\n*** Delete File: gone.c\n*** End Patch\n";
  const Edits expected{{"new.c", {"", "one\ntwo\n"}, true},
                       {"a.c", {"", ""}, false, true},
                       {"b.c", {"keep\nold\n\n", "keep\nnew\n\n"}, false, true},
                       {"gone.c", {"", ""}, false, true}};
  CHECK(file_edits_in_patch(patch) == expected);
  CHECK(file_edits_in_patch("*** Begin Patch\n*** Add File: empty\n*** Update File: same\n*** End Patch\n") ==
        Edits{{"empty", {"", ""}, true}});
  CHECK(file_edits(R"({"input":"*** Begin Patch\n*** Add File: x\n+y\n*** End Patch"})") ==
        Edits{{"x", {"", "y\n"}, true}});
  CHECK(file_edits(R"({"command":["apply_patch","*** Begin Patch\n*** Add File: x\n+y\n*** End Patch"]})") ==
        Edits{{"x", {"", "y\n"}, true}});
}

TEST_CASE("calls that write no file say no edit") {
  for (const char* arguments : {R"({"file_path":"/p/a.c"})", R"({"command":"sed -i s/a/b/ x"})",
                                R"({"content":"x"})", R"({"path":"a"})", R"("text")", "null", "[1]", "", "{",
                                R"({"path":"a","content":"x")", R"({"path":1,"content":"x"})"}) {
    INFO(arguments);
    CHECK(file_edits(arguments).empty());
  }
}

TEST_CASE("a call is about its file, command or question") {
  CHECK(call_subject(R"({"description":"d","command":"make\nall"})") == "make");
  CHECK(call_subject(R"({"content":"x","file_path":"a.c"})") == "a.c");
  CHECK(call_subject(R"("{\"cmd\":\"ls\"}")") == "ls");
  CHECK(call_subject(R"({"x":1})").empty());
  CHECK(call_subject("[]").empty());
}
