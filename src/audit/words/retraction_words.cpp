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

bool says_unchanged(std::string_view words) {
  return one_of(words, {"same as before",
                        "the same as before",
                        "as before",
                        "same as above",
                        "as above",
                        "same as last time",
                        "as last time",
                        "same as yesterday",
                        "same as previously",
                        "same",
                        "same status as before",
                        "same state as before",
                        "same as in my last report",
                        "as in my last report",
                        "still the same",
                        "unchanged",
                        "still unchanged",
                        "no change",
                        "no changes",
                        "nothing new",
                        "no news",
                        "ditto"}) ||
         one_of(words, {"wie zuvor", "wie vorher", "wie gehabt", "wie oben", "wie beim letzten mal",
                        "unverändert", "nichts neues", "keine änderung", "keine änderungen", "dito"}) ||
         one_of(words, {"comme avant", "comme précédemment", "comme ci-dessus", "inchangé", "inchangée",
                        "rien de nouveau", "sans changement", "idem"}) ||
         one_of(words,
                {"igual que antes", "como antes", "como arriba", "sin cambios", "sin novedades",
                 "igual que antes", "igual a antes", "sem alterações", "sem mudanças", "inalterado",
                 "inalterada", "come prima", "invariato", "invariata", "zoals eerder", "ongewijzigd"}) ||
         one_of(words, {"как раньше", "как прежде", "как было", "без изменений", "без змін", "bez zmian"});
}

bool is_outlook(std::string_view word) {
  return one_of(word, {"stub", "stubbed", "placeholder", "will", "i'll", "we'll", "shall", "should", "would",
                       "must", "need", "needs", "going", "working"}) ||
         one_of(word, {"werde", "muss"});
}

}  // namespace plankeep::core
