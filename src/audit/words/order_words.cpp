#include "audit/words/order_words.hpp"

#include "base/text.hpp"

namespace plankeep::core {

using base::one_of;

bool orders_look(std::string_view word, std::string_view next) {
  if (word == "look") return one_of(next, {"at", "into", "over", "through"});
  if (word == "check" && next == "off") return false;
  return one_of(word,
                {"review",  "read",  "list",     "explain",  "summarize", "summarise", "describe", "inspect",
                 "compare", "print", "show",     "study",    "analyse",   "analyze",   "count",    "check",
                 "verify",  "audit", "evaluate", "estimate", "tell",      "examine"}) ||
         one_of(word, {"prüfe", "lies", "liste", "erkläre", "beschreibe", "vergleiche", "zeige", "analysiere",
                       "nenne"}) ||
         one_of(word,
                {"lis", "relis", "explique", "décris", "résume", "vérifie", "lee", "revisa", "lista",
                 "explica", "describe", "resume", "revise", "leia", "liste", "leggi", "elenca", "spiega"});
}

bool orders_work(std::string_view word) {
  return one_of(word, {"do",      "implement", "complete", "finish",  "work",    "take",  "build",
                       "write",   "fix",       "make",     "add",     "create",  "start", "continue",
                       "execute", "handle",    "correct",  "repair",  "tick",    "close", "solve",
                       "apply",   "change",    "update",   "address", "resolve", "carry"}) ||
         one_of(word, {"implementiere", "erledige", "mache", "mach", "setze", "baue", "schreibe", "behebe",
                       "korrigiere", "arbeite", "übernimm", "hake", "ändere"}) ||
         one_of(word, {"implémente", "fais", "termine", "corrige", "écris", "coche", "implementa", "haz",
                       "termina", "escribe", "marca", "completa", "faça", "fai"});
}

}  // namespace plankeep::core
