#include "audit/words/claimed_tests_words.hpp"

#include <unordered_map>

#include "audit/words/assertion_word_list.hpp"

namespace plankeep::core::tests_word {
namespace {

struct List {
  Class classes;
  std::string_view words;  // separated by spaces
};

constexpr List kLists[] = {
    {kTests,
     "test tests testsuite suite specs testfälle pruebas testes тесты тестов testy tests: "
     "unit-tests unittests"},
    {kPass,
     "pass passes passing passed green succeed succeeded grün bestanden durchgelaufen passent réussis "
     "réussissent verts pasan pasaron pasando verde superadas passam passaram passando verdes passano "
     "passato passati superati verdi проходят прошли пройдены зелёные зеленые slagen geslaagd "
     "przechodzą przeszły"},
    {kAll,
     "all every full whole entire suite testsuite everything alle gesamte ganze sämtliche toutes tous "
     "todas todos tutti tutte все wszystkie"},
    {kStop,
     "not never didn't don't doesn't won't isn't aren't should would will could once if when until "
     "unless ensure sure expect expected expecting hopefully except but apart aside some most half "
     "previously earlier before make makes need needs must let wait nicht soll sollten wenn sobald "
     "falls bis aber außer noch kein pas si quand devraient sauf mais devrait deberían si cuando salvo "
     "excepto pero não se quando exceto mas non se quando tranne ma не если когда кроме но должны "
     "yesterday gestern hier ayer ontem ieri вчера gisteren wczoraj ci pipeline jenkins buildkite "
     "want how whether that'll can assuming assume suppose supposing provided yet nobody unknown unclear"},
    {kOpen,
     "open offen offene ouvert ouverte abierto abierta aberto aberta aperto aperta открыт открыта "
     "otwarte unchecked unticked"},
    {kGoal,
     "goal goals aim aims target targets objective objectives criterion criteria requirement "
     "requirements require requires required requiring condition conditions prerequisite acceptance "
     "definition important essential crucial remaining todo next outstanding asserts assert asserting "
     "ziel ziele kriterium kriterien akzeptanzkriterien voraussetzung bedingung bitte objectif "
     "objectifs critère critères objetivo objetivos criterio criterios requisito requisitos critério "
     "critérios obiettivo obiettivi criteri цель цели критерий критерии условие doel doelen criterium "
     "cel celem kryterium kryteria warunkiem verify confirm verifying confirming prüfen überprüfen "
     "vérifier comprobar verificar confirmar verificare чтобы проверить please"},
    {kMet, "met fulfilled satisfied reached erfüllt erreicht atteint rempli cumplido atingido raggiunto"},
    {kSays,
     "said says say saying told tells reported reports according claims claimed claim states stated "
     "promised promises wrote believes thinks sagt sagte sagen laut zufolge behauptet meint dit disent "
     "affirme selon dice dicen dijo según afirma diz disse segundo afirma detto secondo сказал сказала "
     "говорит утверждает словам zegt zei volgens mówi powiedział według"},
    {kRunner, "pytest jest vitest ctest cargo mocha output runner suite rspec phpunit log"},
    {kCheck,
     "check checks checking verify verifies verifying confirm confirms confirming see watch prüfen "
     "überprüfen vérifier comprobar verificar confirmar verificare проверить"},
    {kThat, "that whether if which who die ob dass que qui che что czy że dat of"},
    {kArticle,
     "the a an its their his her our my your one each every this these those un une le la les des "
     "du el los las una uns umas um uma o os as il lo gli i e uno"},
    {kBehindPass,
     "now again too also here there locally cleanly successfully fine green in on with for under "
     "against and or so since because after at both reliably consistently everywhere today well "
     "without including while across from afterwards then out first immediately already still "
     "both plus is are w"},
    {kAs, "expected before well planned they it i we you usual intended"},
};

}  // namespace

Class classes_of(std::string_view word) {
  static const auto table = [] {
    std::unordered_map<std::string_view, Class> made;
    for (const List& list : kLists)
      for_each_word(list.words, [&](std::string_view one) { made[one] |= list.classes; });
    return made;
  }();
  const auto found = table.find(word);
  return found != table.end() ? found->second : 0;
}

bool is(std::string_view word, Class classes) {
  return (classes_of(word) & classes) != 0;
}

}  // namespace plankeep::core::tests_word
