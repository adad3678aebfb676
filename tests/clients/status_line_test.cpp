#include "clients/status_line.hpp"

#include <catch2/catch.hpp>

#include "recordings.hpp"

namespace plankeep::clients {
namespace {

std::string recorded(const std::string& name) {
  return test::read_file(PLANKEEP_TESTS_DIR "/fixtures/hooks/claude-code/" + name);
}

}  // namespace

TEST_CASE("what the client gives its status line is read") {
  const auto start = read_status_line_input(recorded("statusLine-start.json"));
  REQUIRE(start);
  CHECK_FALSE(start->session_id.empty());
  CHECK(start->cwd == "/home/dev/project");
  CHECK(start->project == "/home/dev/project");
  CHECK_FALSE(start->context_percent);

  const auto used = read_status_line_input(recorded("statusLine-used.json"));
  REQUIRE(used);
  CHECK(used->session_id == "bd912332-74cd-4826-af18-70ee820df26d");
  CHECK(used->context_percent == 10);
  CHECK(used->context_window == 1'000'000);

  CHECK(read_status_line_input(recorded("statusLine-after-compact.json"))->context_percent == 13);
  CHECK(read_status_line_input(recorded("statusLine-after-clear.json"))->context_percent == 4);
}

TEST_CASE("the folder comes from the workspace, else from the older field") {
  CHECK(read_status_line_input("{\"cwd\":\"/a\"}")->cwd == "/a");
  CHECK(read_status_line_input("{\"cwd\":\"/a\",\"workspace\":{\"current_dir\":\"/b\"}}")->cwd == "/b");
  CHECK(read_status_line_input("{\"workspace\":{\"current_dir\":\"/b\"},\"cwd\":\"/a\"}")->cwd == "/b");
  CHECK(read_status_line_input("{\"cwd\":\"/a\",\"workspace\":{\"current_dir\":5}}")->cwd == "/a");
}

TEST_CASE("percentages are rounded and kept in bounds, sizes that cannot be count as absent") {
  const auto read = [](const std::string& window) {
    return read_status_line_input("{\"context_window\":" + window + "}").value();
  };
  CHECK(read("{\"used_percentage\":79.5}").context_percent == 80);
  CHECK(read("{\"used_percentage\":0}").context_percent == 0);
  CHECK(read("{\"used_percentage\":-5}").context_percent == 0);
  CHECK(read("{\"used_percentage\":1e300}").context_percent == 1000);
  CHECK(read("{\"context_window_size\":200000}").context_window == 200'000);
  CHECK_FALSE(read("{\"context_window_size\":0}").context_window);
  CHECK_FALSE(read("{\"context_window_size\":-1}").context_window);
  CHECK_FALSE(read("{\"context_window_size\":1e300}").context_window);
}

TEST_CASE("fields of other types than expected count as absent") {
  for (const char* text :
       {"{}", "{\"session_id\":1,\"cwd\":null,\"workspace\":[],\"context_window\":\"full\"}",
        "{\"workspace\":{\"project_dir\":{}},\"context_window\":{\"used_percentage\":\"10\","
        "\"context_window_size\":null}}",
        "{\"context_window\":null,\"workspace\":null}"}) {
    CAPTURE(text);
    const auto input = read_status_line_input(text);
    REQUIRE(input);
    CHECK(input->session_id.empty());
    CHECK(input->cwd.empty());
    CHECK(input->project.empty());
    CHECK_FALSE(input->context_percent);
    CHECK_FALSE(input->context_window);
  }
}

TEST_CASE("an input that is no object, or cut anywhere, is an error and no half truth") {
  for (const char* text : {"", "null", "[]", "5", "{\"cwd\":\"/a\"} {}"}) {
    CAPTURE(text);
    CHECK_FALSE(read_status_line_input(text));
  }
  std::string whole = recorded("statusLine-used.json");
  while (!whole.empty() && whole.back() == '\n') whole.pop_back();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    if (read_status_line_input(whole.substr(0, size))) FAIL("cut at " << size);
  }
  CHECK(read_status_line_input(whole));
}

}  // namespace plankeep::clients
