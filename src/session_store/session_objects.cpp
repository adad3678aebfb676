#include "session_store/session_objects.hpp"

#include <algorithm>
#include <unordered_map>

#include "git/git_output.hpp"

namespace plankeep::sessions {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using git::take_until;

constexpr std::chrono::minutes kObjectsTimeout{2};
constexpr std::size_t kLineRoom = 128;  // of an answer's first line, and of the line feed behind an object

// Git before 2.44 knows nothing of GIT_NO_LAZY_FETCH; without a protocol it cannot fetch either.
const std::vector<std::string>& quiet_variables() {
  static const std::vector<std::string> all{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
                                            "GIT_NO_REPLACE_OBJECTS=1"};
  return all;
}

base::Error odd_answer() {
  return {ErrorKind::io, "unexpected output from git cat-file", {}, {}};
}

// "<id> <type> <size>"; a line of another form says that there is no such object.
SessionObject object_in(std::string_view line) {
  SessionObject object;
  const std::string_view id = take_until(line, ' ');
  const std::string_view type = take_until(line, ' ');
  std::uint64_t size = 0;
  if (!git::is_id(id) || !git::read_number(line, size)) return object;
  object.state = SessionObject::State::present;
  object.id = id;
  object.type = type;
  object.size = size;
  return object;
}

// As git reads a path in a list that is separated by colons.
std::string quoted_path(const std::string& path) {
  std::string quoted = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string lines_of_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return text;
}

}  // namespace

Result<system::Finished> SessionObjects::run(const std::vector<std::string>& words, std::string_view input,
                                             std::optional<std::size_t> output_limit) {
  std::vector<std::string> all{"-c", "protocol.ext.allow=never"};
  all.insert(all.end(), words.begin(), words.end());
  git::GitRun how;
  how.variables = quiet_variables();
  if (!repository_.side.empty())
    how.variables.push_back("GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoted_path(repository_.side + "/objects"));
  how.output_limit = output_limit;
  how.timeout = kObjectsTimeout;
  return git_.run(repository_.folder, all, input, how);
}

Result<system::Finished> SessionObjects::run_in_side(const std::vector<std::string>& words) {
  git::GitRun how;
  how.variables = quiet_variables();
  how.variables.push_back("GIT_DIR=" + repository_.side);
  how.timeout = kObjectsTimeout;
  return git_.run(repository_.side, words, {}, how);
}

Result<std::string> SessionObjects::ask(const std::string& how, const std::string& names, std::size_t limit) {
  TRY_ASSIGN(system::Finished finished, run({"cat-file", how, "--buffer"}, names, limit));
  if (finished.status != 0) return base::fail(git::refused(finished));
  return std::move(finished.output);
}

// In a partial clone git dies at the first object that it would have to fetch. rev-list names all that are
// not there.
Status SessionObjects::find_absent() {
  TRY_ASSIGN(const system::Finished finished, run({"rev-list", "--objects", "--no-walk=unsorted",
                                                   "--missing=print", "--no-object-names", "--stdin"},
                                                  lines_of_names(tips_)));
  if (finished.status != 0) return base::fail(git::refused(finished));
  absent_.emplace();
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    const std::string_view line = take_until(rest, '\n');
    if (line.starts_with('?')) absent_->emplace(line.substr(1));
  }
  return {};
}

Result<std::vector<SessionObject>> SessionObjects::look(const std::vector<std::string>& names) {
  std::vector<SessionObject> objects;
  if (names.empty()) return objects;
  const std::size_t limit = names.size() * 2 * kLineRoom;
  const auto known_there = [&] {
    std::vector<std::string> there = names;
    if (absent_) std::erase_if(there, [&](const std::string& name) { return absent_->contains(name); });
    return there;
  };
  std::vector<std::string> asked = known_there();
  auto told = ask("--batch-check", lines_of_names(asked), limit);
  if (!told && !absent_) {
    TRY(find_absent());
    asked = known_there();
    told = ask("--batch-check", lines_of_names(asked), limit);
  }
  if (!told) return base::fail(told.error());
  std::string_view rest = *told;
  objects.reserve(names.size());
  std::size_t next = 0;
  for (const std::string& name : names) {
    if (next >= asked.size() || asked[next] != name) {
      objects.emplace_back();
      continue;
    }
    ++next;
    if (rest.empty()) return base::fail(odd_answer());
    objects.push_back(object_in(take_until(rest, '\n')));
  }
  return objects;
}

Result<std::vector<SessionObject>> SessionObjects::read(const std::vector<std::string>& names,
                                                        std::uint64_t largest) {
  TRY_ASSIGN(std::vector<SessionObject> objects, look(names));
  // Each object once, however many names it has.
  std::unordered_map<std::string, std::size_t> first;
  std::vector<std::size_t> wanted;
  std::string ids;
  std::uint64_t bytes = 0;
  std::uint64_t all_bytes = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    SessionObject& object = objects[i];
    if (object.state != SessionObject::State::present) continue;
    if (object.size > largest) {
      object.state = SessionObject::State::too_large;
      continue;
    }
    all_bytes += object.size;
    if (all_bytes > kMostBytes) {
      object.state = SessionObject::State::skipped;
      continue;
    }
    if (!first.emplace(object.id, i).second) continue;
    wanted.push_back(i);
    ids += object.id + "\n";
    bytes += object.size + kLineRoom;
  }
  if (wanted.empty()) return objects;
  TRY_ASSIGN(const std::string told, ask("--batch", ids, static_cast<std::size_t>(bytes)));
  std::string_view rest = told;
  for (const std::size_t i : wanted) {
    const SessionObject head = object_in(take_until(rest, '\n'));
    if (head.id != objects[i].id || head.size != objects[i].size || rest.size() <= head.size)
      return base::fail(odd_answer());
    objects[i].bytes = rest.substr(0, head.size);
    rest.remove_prefix(head.size + 1);
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].state != SessionObject::State::present) continue;
    const std::size_t source = first.at(objects[i].id);
    if (source != i) objects[i].bytes = objects[source].bytes;
  }
  return objects;
}

Result<SessionObject> SessionObjects::read_one(const std::string& id, std::uint64_t largest) {
  TRY_ASSIGN(std::vector<SessionObject> found, look({id}));
  SessionObject object = std::move(found.front());
  if (object.state != SessionObject::State::present) return object;
  if (object.size > largest) {
    object.state = SessionObject::State::too_large;
    return object;
  }
  TRY_ASSIGN(const std::string told, ask("--batch", object.id + "\n", object.size + kLineRoom));
  std::string_view rest = told;
  const SessionObject head = object_in(take_until(rest, '\n'));
  if (head.id != object.id || head.size != object.size || rest.size() <= head.size)
    return base::fail(odd_answer());
  object.bytes = rest.substr(0, head.size);
  return object;
}

}  // namespace plankeep::sessions
