// Laws of what is written and read again: over random checkpoints, in both layouts and both object formats.
#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <set>

#include "base/sha256.hpp"
#include "base/ulid.hpp"
#include "git/ref_writer.hpp"
#include "git/repository.hpp"
#include "model/json/session_json.hpp"
#include "session_store/session_index.hpp"
#include "sessions/write_session.hpp"

using namespace plankeep;
using namespace plankeep::app;
using core::SessionLayout;
using test::Repository;

namespace {

const std::string kBranchRef = "refs/heads/entire/checkpoints/v1";
const git::Signature kAuthor{"Test User", "test@example.com", 1700000000, 0};

secrets::Redacted redacted(const std::string& text) {
  return secrets::Redactor::standard().plain(text);
}

// One repository a format: each law makes checkpoints of its own in it.
struct Desk {
  Repository repo{false};
  std::uint64_t made = 0;

  explicit Desk(const std::string& format) {
    repo.git({"init", "-q", "-b", "main", "--object-format=" + format});
  }

  SessionWriter writer() {
    auto opened = SessionWriter::open(repo.ask, repo.files, repo.tree());
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }

  SessionTarget target(SessionLayout layout) {
    const std::string digits = base::sha256_hex(std::to_string(++made));
    if (layout == SessionLayout::branch) return {layout, digits.substr(0, 12), kAuthor};
    base::UlidRandom random{};
    for (std::size_t i = 0; i < random.size(); ++i) random[i] = static_cast<unsigned char>(digits[i]);
    return {layout, base::make_ulid({1700000000000}, random), kAuthor};
  }

  SessionWritten write(const SessionTarget& target, const core::SessionRecord& record) {
    auto done = writer().write(target, record);
    if (!done) throw std::runtime_error(done.error().message);
    return *done;
  }

  sessions::StoredCheckpoint read(const std::string& id) {
    auto index = sessions::SessionIndex::open(repo.ask, repo.files, repo.folder.path());
    auto found = (*index)->read(id);
    if (!found) throw std::runtime_error(found.error().message);
    return *found;
  }

  std::string transcript(const sessions::StoredSession& session) {
    auto index = sessions::SessionIndex::open(repo.ask, repo.files, repo.folder.path());
    std::string text;
    const auto read =
        sessions::read_transcript((*index)->objects(), session, [&](std::string_view part) -> base::Status {
          text += part;
          return {};
        });
    if (!read) throw std::runtime_error(read.error().message);
    return text;
  }

  std::string line(const std::vector<std::string>& words) {
    const system::Finished done = repo.try_git(words);
    return done.status == 0 ? done.output.substr(0, done.output.find('\n')) : std::string();
  }
};

Desk& some_desk() {
  static Desk sha1("sha1");
  static Desk sha256("sha256");
  return *rc::gen::arbitrary<bool>() ? sha1 : sha256;
}

SessionLayout some_layout() {
  return *rc::gen::element(SessionLayout::refs, SessionLayout::branch);
}

// Of pieces that spellings go wrong with.
std::string some_text(int most) {
  std::string text;
  for (int count = *rc::gen::inRange(0, most); count > 0; --count)
    text += *rc::gen::element<std::string>("word", " ", "\"", "\\", "<b>&", "\xc3\xbc", "\xe2\x80\xa8", "\t",
                                           "\n", "---", "\x01");
  return text;
}

std::string some_name() {
  return *rc::gen::element<std::string>("a.txt", "src/b.c", "src/\xc3\xbc.c", "sp ace", "<x>");
}

core::SessionRecord some_record(const std::string& session) {
  core::SessionRecord record;
  record.cli_version = "plankeep/0.1.0";
  record.session_id = session;
  record.created_at = {1700000000000 + *rc::gen::inRange<std::int64_t>(0, 100'000)};
  if (*rc::gen::arbitrary<bool>()) record.branch = redacted("main");
  record.checkpoints_count = *rc::gen::inRange(1, 9);
  record.save_step_count = record.checkpoints_count;
  std::set<std::string> files;
  for (int count = *rc::gen::inRange(0, 4); count > 0; --count) files.insert(some_name());
  for (const std::string& file : files) record.files_touched.push_back(redacted(file));
  record.agent = *rc::gen::element<std::string>("Claude Code", "Codex", "");
  record.model = redacted(some_text(3));
  if (*rc::gen::arbitrary<bool>()) record.turn_id = "0011223344ff";
  if (*rc::gen::arbitrary<bool>()) record.token_usage = core::TokenUsage{10, 0, 5, 7, 1, {}, {}};
  if (*rc::gen::arbitrary<bool>()) {
    record.attribution = core::stored_attribution({8, 1, 2, 1, 0, 10, 12, 75.5},
                                                  core::AttributionMetric::changed_lines, record.created_at);
  }
  if (*rc::gen::arbitrary<bool>()) {
    std::string lines;
    for (int count = *rc::gen::inRange(1, 5); count > 0; --count)
      lines += "{\"type\":\"user\",\"number\":" + std::to_string(count) + "}\n";
    record.transcript = secrets::Redactor::standard().json_lines(lines);
    record.first_line = *rc::gen::inRange(0, 2);
  }
  for (int count = *rc::gen::inRange(0, 3); count > 0; --count)
    record.prompts.push_back(redacted("p" + some_text(4)));
  if (*rc::gen::arbitrary<bool>()) {
    core::PlanLink link;
    link.schema_version = "1.0.0";
    link.plan_id = "auth";
    link.tasks_done = core::Strings{"a", some_name()};
    link.lines = core::PlanLines{*rc::gen::inRange<std::int64_t>(0, 9), 2, 3, {}};
    record.plan_link = secrets::Redactor::standard().json(core::encode_plan_link(link));
  }
  return record;
}

core::Strings texts_of(const std::vector<secrets::Redacted>& list) {
  core::Strings texts;
  for (const secrets::Redacted& one : list) texts.push_back(one.text());
  return texts;
}

// What is read again is what was written.
void check_session(Desk& desk, const sessions::StoredSession& stored, const core::SessionRecord& record) {
  RC_ASSERT(stored.problems.empty());
  RC_ASSERT(stored.metadata.has_value());
  const core::SessionMetadata& data = *stored.metadata;
  RC_ASSERT(data.session_id == record.session_id);
  RC_ASSERT(data.cli_version == record.cli_version);
  RC_ASSERT(data.created_at == core::session_time(record.created_at));
  RC_ASSERT(data.branch == (record.branch ? std::optional(record.branch->text()) : std::nullopt));
  RC_ASSERT(data.checkpoints_count == record.checkpoints_count);
  RC_ASSERT(data.files_touched.value_or(core::Strings()) == texts_of(record.files_touched));
  RC_ASSERT(data.agent.value_or("") == record.agent);
  RC_ASSERT(data.model == record.model->text());
  RC_ASSERT(data.turn_id.value_or("") == record.turn_id);
  RC_ASSERT(data.token_usage == record.token_usage);
  RC_ASSERT(data.initial_attribution == record.attribution);
  RC_ASSERT(core::first_line_of(data) == static_cast<std::size_t>(record.first_line));
  // A prompt that holds the mark between prompts is read as two; of those here none does.
  RC_ASSERT(stored.prompts == texts_of(record.prompts));
  RC_ASSERT(stored.transcript.empty() != record.transcript.has_value());
  if (record.transcript) RC_ASSERT(desk.transcript(stored) == record.transcript->text());
}

}  // namespace

TEST_CASE("what is read is what was written, in every layout and format") {
  CHECK(rc::check([] {
    Desk& desk = some_desk();
    const SessionTarget target = desk.target(some_layout());
    const core::SessionRecord record = some_record("sess-1");
    desk.write(target, record);
    const sessions::StoredCheckpoint stored = desk.read(target.id);
    RC_ASSERT(stored.problems.empty());
    RC_ASSERT(stored.found.layout == target.layout);
    RC_ASSERT(stored.sessions.size() == 1U);
    check_session(desk, stored.sessions.front(), record);
    RC_ASSERT(stored.plan.has_value() == record.plan_link.has_value());
    if (record.plan_link) RC_ASSERT(core::encode_plan_link(*stored.plan) == record.plan_link->text());
  }));
}

TEST_CASE("the same write twice is one, and makes no commit") {
  CHECK(rc::check([] {
    Desk& desk = some_desk();
    const SessionTarget target = desk.target(some_layout());
    const core::SessionRecord first = some_record("sess-1");
    core::SessionRecord second = some_record("sess-2");
    // Two of one commit: the root says the branch, and the plan link what the commit did.
    second.branch = first.branch;
    second.plan_link = first.plan_link;
    const SessionWritten written = desk.write(target, first);
    desk.write(target, second);
    const std::string tip = desk.line({"rev-parse", written.ref});
    RC_ASSERT(desk.write(target, first).commit.empty());
    RC_ASSERT(desk.write(target, second).commit.empty());
    RC_ASSERT(desk.line({"rev-parse", written.ref}) == tip);
  }));
}

TEST_CASE("two checkpoints give the same trees whichever was written first") {
  CHECK(rc::check([] {
    Desk& desk = some_desk();
    const SessionLayout layout = some_layout();
    const SessionTarget a = desk.target(layout);
    const SessionTarget b = desk.target(layout);
    const core::SessionRecord of_a = some_record("sess-a");
    const core::SessionRecord of_b = some_record("sess-b");
    const auto trees = [&](bool a_first) {
      const std::string base = desk.line({"rev-parse", "-q", "--verify", kBranchRef});
      const SessionWritten one = a_first ? desk.write(a, of_a) : desk.write(b, of_b);
      const SessionWritten two = a_first ? desk.write(b, of_b) : desk.write(a, of_a);
      std::set<std::string> found{desk.line({"rev-parse", one.ref + "^{tree}"}),
                                  desk.line({"rev-parse", two.ref + "^{tree}"})};
      // As it was before, for the other order.
      for (const std::string& ref : {one.ref, two.ref}) {
        if (ref == kBranchRef && !base.empty()) {
          desk.repo.git({"update-ref", ref, base});
        } else {
          (void)desk.repo.try_git({"update-ref", "-d", ref});
        }
      }
      return found;
    };
    RC_ASSERT(trees(true) == trees(false));
  }));
}

TEST_CASE("unknown keys, files and folders survive whatever is written") {
  CHECK(rc::check([] {
    Desk& desk = some_desk();
    const SessionTarget target = desk.target(some_layout());
    core::SessionRecord first = some_record("sess-1");
    if (!first.plan_link)
      first.plan_link = secrets::Redactor::standard().json(core::encode_plan_link(core::PlanLink{}));
    const SessionWritten written = desk.write(target, first);
    const std::string folder =
        target.layout == SessionLayout::branch ? core::session_folder(target.id) + "/" : std::string();
    const auto blob = [&](const std::string& name) {
      return desk.repo.git({"cat-file", "blob", written.ref + ":" + folder + name}).output;
    };
    // Another tool's commit: keys in each metadata file, files beside them, another folder.
    const std::string key = "{\n  \"later_version\": {\"is\": [1, \"<x>\"]},\n";
    std::map<std::string, std::string> put;
    for (const char* name : {"metadata.json", "0/metadata.json", "plankeep/plan.json"}) {
      std::string text = blob(name);
      text.replace(0, 2, key);
      put[name] = text;
    }
    put["0/notes.md"] = "beside a session\n";
    put["tasks/toolu_1/task.json"] = "{}";
    put["plankeep/conflicts/0-12345678.jsonl"] = "{}\n";
    auto objects = git::ObjectWriter::open(desk.repo.ask, desk.repo.tree());
    git::RefWriter refs(*objects, desk.repo.files);
    std::vector<std::string> on_the_way;
    for (std::size_t slash = folder.find('/'); slash != std::string::npos;
         slash = folder.find('/', slash + 1))
      on_the_way.push_back(folder.substr(0, slash));
    for (const char* name : {"0", "plankeep"}) on_the_way.push_back(folder + name);
    const auto changed =
        refs.write({written.ref, on_the_way}, [&](const git::RefState& now, git::Pack& pack) {
          git::TreeChanges changes;
          for (const auto& [name, text] : put)
            changes.put_file(folder + name, pack.add(git::ObjectKind::blob, text));
          const auto tree = git::change_tree(now.tree, changes, now.trees, pack);
          return base::Result<std::string>(pack.add(
              git::ObjectKind::commit, git::commit_bytes({*tree, {now.tip}, kAuthor, kAuthor, "theirs\n"})));
        });
    RC_ASSERT(changed.has_value());

    for (int writes = *rc::gen::inRange(1, 4); writes > 0; --writes) {
      core::SessionRecord record = some_record(*rc::gen::element<std::string>("sess-1", "sess-2", "sess-3"));
      // A new transcript takes what describes the old one with it, and says so: spec 21.6.
      if (record.session_id == "sess-1") record.transcript.reset();
      desk.write(target, record);
      if (*rc::gen::arbitrary<bool>()) {
        const auto whole =
            secrets::Redactor::standard().json_lines("{\"n\":" + std::to_string(writes) + "}\n");
        RC_ASSERT(desk.writer().finalise(target, "sess-1", whole, {}).has_value());
      }
    }
    for (const char* name : {"metadata.json", "0/metadata.json", "plankeep/plan.json"})
      RC_ASSERT(blob(name).find("\"later_version\": {\"is\": [1, \"<x>\"]}") != std::string::npos);
    for (const char* name : {"0/notes.md", "tasks/toolu_1/task.json", "plankeep/conflicts/0-12345678.jsonl"})
      RC_ASSERT(blob(name) == put.at(name));
  }));
}
