#include "git/script_exit.hpp"

#include <catch2/catch.hpp>
#include <string>

using plankeep::core::always_exits;

TEST_CASE("a script that always exits is recognized, wherever the exit stands") {
  for (const char* text : {"exit",
                           "exit 0\n",
                           "make\nexit $?\n",
                           "exit 0\nmake\n",
                           "make; exit 0\n",
                           "make || exit 1; exit 0\n",
                           "  exit 0\n",
                           "if a; then\n  exit 1\nfi\nexit 0\nb\n",
                           "f() {\n  a\n}\nexit 0\nb\n",
                           "exec make\n",
                           "exec make >log 2>&1\n",
                           "exec 2>&1 make\n",
                           "a && b\nexit 0\n",
                           "case $1 in\n  a) b ;;\nesac\nexec c\nd\n",
                           "for i in a b; do\n  c\ndone\nexit\n",
                           "cat <<EOF\nhello\nEOF\nexit 0\n",
                           "exit $(a)\nb\n",
                           "cat <<-'E'\n\tif\n\tE\nexit 0\n",
                           "echo \"$(a \"b (\" c)\"; exit 0\nb\n",
                           "echo 'a\nb' \"c\nd\"\nexit 0\n",
                           "{ a; }; (b); exit 0\n",
                           "a & exit 0\n",
                           "a=${b:-(}\nexit 0\nc\n",
                           "a \\\n  b\nexit 0\n"})
    CHECK(always_exits(text));
}

TEST_CASE("an exit that depends on something is none that always happens") {
  for (const char* text : {"",
                           "make\n",
                           "a || exit 1\n",
                           "a && exit 0\nb\n",
                           "a ||\n  exit 1\nb\n",
                           "a || \\\n  exit 1\nb\n",
                           "a ||\n\n  # why\n  exit 1\n",
                           "if a; then exit 1; fi\n",
                           "if a\nthen\n  exit 1\nelse\n  exec b\nfi\n",
                           "[ -f a ] || { echo b; exit 2; }\nc\n",
                           "f() { exit 1; }\n",
                           "f()\n{\n  exit 1\n}\nf || a\n",
                           "(exit 1)\n",
                           "a=$(exit 1)\n",
                           "echo $(b) exit\n",
                           "echo exit\n",
                           "# exit 0\n",
                           "a # b; exit 0\n",
                           "echo 'a\nexit 0\n'\n",
                           "echo \"a\nexit 0\n\"\n",
                           "cat <<EOF\nexit 0\nEOF\n",
                           "cat <<-EOF\n\texit 0\n\tEOF\na\n",
                           "exec >log 2>&1\n",
                           "exec 3>&1 4</dev/null\n",
                           "exec {fd}>lock\n",
                           "exec 2> >(tee log)\n",
                           "exec\n",
                           "exec a &\nb\n",
                           "a | exit 1\n",
                           "execute\n",
                           "exit_now\n",
                           "while a; do\n  exit 1\ndone\n",
                           "case $1 in\n  a) exit 0 ;;\n  (b) exec c ;;\nesac\n",
                           "echo `exit 1`\n",
                           "if a; then\n  exit 1\n",
                           "trap 'exit 1' INT\n",
                           "select a in b; do exit; done\n"}) {
    INFO(text);
    CHECK_FALSE(always_exits(text));
  }
}

TEST_CASE("a script of nothing but openers is read in time and without depth") {
  std::string quotes;
  for (int i = 0; i < 100'000; ++i) quotes += "\"$(";
  CHECK_FALSE(always_exits(quotes));
  std::string compounds;
  for (int i = 0; i < 100'000; ++i) compounds += "if (";
  CHECK_FALSE(always_exits(compounds + "exit"));
}
