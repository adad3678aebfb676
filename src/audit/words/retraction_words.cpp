#include "audit/words/retraction_words.hpp"

#include "base/text.hpp"

namespace plankeep::core {

using base::one_of;

bool is_negation(std::string_view word) {
  if (word.ends_with("n't") || word.ends_with("n’t")) return true;
  return one_of(word, {"not", "no", "nope", "never", "none", "nothing", "cannot", "unable", "neither", "nor",
                       "failed"}) ||
         one_of(word, {"nicht", "nein", "kein", "keine", "nichts", "nie"}) ||
         one_of(word, {"pas", "non", "rien", "jamais"}) || one_of(word, {"nunca", "não", "nada"}) ||
         one_of(word, {"niet", "geen", "nee"}) || one_of(word, {"не", "нет"});
}

bool is_untruth(std::string_view word) {
  return one_of(word, {"wrong", "false", "untrue", "mistaken", "mistake", "error", "lie", "incorrect",
                       "inaccurate", "premature", "misleading", "dishonest"}) ||
         one_of(word, {"falsch", "unwahr", "gelogen", "voreilig", "verfrüht", "irrtum", "irreführend"}) ||
         one_of(word, {"faux", "fausse", "inexact", "inexacte", "erreur", "prématuré", "mensonge"}) ||
         one_of(word, {"falso", "falsa", "mentira", "incorrecto", "prematuro", "errado", "sbagliato"}) ||
         one_of(word, {"onjuist", "onwaar", "nieprawda", "неправда", "неверно", "ошибка"});
}

bool is_truth(std::string_view word) {
  return one_of(word, {"true", "correct", "accurate", "right", "case", "stimmt", "stimmte", "wahr", "richtig",
                       "korrekt"}) ||
         one_of(word, {"vrai", "exact", "cierto", "cierta", "verdad", "verdade", "vero", "waar", "правда"});
}

bool is_admission(std::string_view word) {
  return one_of(word, {"wrong", "mistaken", "mistake", "mistakenly", "sorry", "apologies", "apologize",
                       "apologise", "premature", "prematurely", "overstated", "incorrect", "incorrectly",
                       "misspoke", "retract"}) ||
         one_of(word, {"geirrt", "irrtum", "trompé", "erreur", "equivocado", "enganei", "sbagliato"});
}

bool is_outlook(std::string_view word) {
  return one_of(word, {"stub", "stubbed", "placeholder", "will", "i'll", "we'll", "shall", "should", "would",
                       "must", "need", "needs", "going", "working"}) ||
         one_of(word, {"werde", "muss"});
}

}  // namespace plankeep::core
