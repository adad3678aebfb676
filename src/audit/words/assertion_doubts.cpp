// Words that turn a sentence with "done" into no claim: hearsay, conditions, commands. For the languages that
// separate words by spaces.

#include "audit/words/assertion_word_list.hpp"

namespace plankeep::core {
namespace {

using namespace word;

constexpr WordList kDoubts[] = {
    // A command or an adjective as well: "Complete the tests", "Completa las pruebas"
    {kCommand, "complete completa complète"},
    {kDoneAfter | kPlainDone, "a_done_deal a_complete_success"},
    // Nouns that need no article
    {kNever,
     "complete_nonsense complete_rubbish complete_garbage complete_chaos complete_fiction complete_crap"},
    // A condition that follows a claim. Not words that only say before or after.
    {kNot | kTail | kIf | kWhen,
     "if once when whenever until till unless as_soon_as as_long_as so_long_as the_moment by_the_time "
     "in_case "
     "on_condition_that provided provided_that assuming assuming_that "
     "wenn falls sobald sofern solange vorausgesetzt "
     "quand lorsque si une_fois une_fois_que dès_que aussitôt_que tant_que à_condition_que pourvu_que "
     "cuando una_vez una_vez_que tan_pronto tan_pronto_como en_cuanto siempre_que a_condición_de_que "
     "quando se uma_vez uma_vez_que assim_que logo_que desde_que "
     "una_volta una_volta_che appena non_appena finché purché a_patto_che "
     "wanneer zodra mits tenzij als_de als_het "
     "gdy jeśli kiedy jak_tylko o_ile "
     "когда если как_только "
     "när såfort så_snart om_inte jakmile až"},
    // The speaker was told
    {kHeard,
     "heard overheard told_me told_us assured_me assured_us informed_me informed_us notified_me read_that "
     "understand_that gather_that learned_that learnt_that"},
    {kSays,
     "told informed assured notified advised gesagt mitgeteilt berichtet informiert informé informée "
     "informado "
     "informada riferito informato informata"},
    {kHeard,
     "habe_gehört haben_gehört hab_gehört gehört_habe erfahren hieß_es heißt_es "
     "es_hieß es_heißt"},
    {kHeading, "wenn_auch wie_gesagt offen_gesagt kurz_gesagt genauer_gesagt"},
    {kHeard, "m'a_dit m'ont_dit m'a_informé m'ont_informé entendu j'ai_appris paraît_il"},
    {kHeard,
     "dijeron informaron avisaron oí escuché disseram disseram-me informaram ouvi "
     "soube han_dicho ha_dicho fui_informado foi_dito"},
    {kHeard, "stato_detto hanno_detto sentito_che sentito_dire saputo_che"},
    {kHeard, "verteld gehoord gezegd"},
    {kHeard, "powiedziano słyszałem słyszałam poinformowano"},
    {kHeard, "сказали сообщили слышал слышала услышал услышала узнал узнала"},
    // Before a task is done, and around it: what was looked at, who has it, what it waits for
    {kStage,
     "design designed analysis analysed analyzed research researched investigation investigated planning "
     "requirements dependencies prerequisites scope scoped estimate estimated estimation spec draft drafted "
     "sketch sketched question "
     "questions review reviewed read understood assigned discussed discussion agreed clarified clear "
     "unclear blocker blockers risk risks feedback prepared preparation picked assessed explored studied "
     "needs need wait waits waiting awaits awaiting depends requires belongs hold stays stay stuck idea "
     "ideas proposal proposed approach owner looked look decision decide you "
     "entwurf entworfen analyse analysiert konzept konzipiert recherche recherchiert geplant planung "
     "anforderungen frage fragen gelesen verstanden zugewiesen besprochen geklärt unklar gesichtet "
     "angesehen wartet warte braucht liegt blockiert besprechen klären discuter discutir clarify discuss "
     "conception analysé analysée étudié étudiée étude question questions doute doutes lu lue compris "
     "comprise attend "
     "attente discuté discutée bloquée assigné "
     "diseño análisis analizado analizada estudiado estudiada pregunta preguntas leído leída entendido "
     "entendida espera esperando discutido discutida necesita depende bloqueada "
     "análise analisado analisada estudado estudada pergunta perguntas lido lida aguarda aguardando dúvida "
     "dúvidas precisa "
     "analisi analizzato analizzata studiato studiata domanda domande letto letta attesa aspetta "
     "vraag vragen gelezen wacht analiza pytanie pytania czeka "
     "анализ изучено изучил изучила изучена вопрос вопросы прочитано обсуждено ждёт ждет ожидает"},
    {kGoal,
     "eta etas schedule goal goals target targets milestones deadline deadlines objective objectives aim "
     "aims "
     "roadmap timeline forecast desired dates due legend "
     "ziel ziele zielzustand zeitplan meilensteine termine frist fristen vorhaben legende "
     "objectif objectifs calendrier échéance échéances jalons légende "
     "objetivo objetivos calendario cronograma meta metas plazo plazos hitos leyenda prazo prazos legenda "
     "obiettivo obiettivi scadenza scadenze doel doelen planning cel cele termin "
     "цель цели срок сроки график легенда"},
    {kTime,
     "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri tomorrow "
     "tonight week weeks month morning afternoon evening eod eow "
     "montag dienstag mittwoch donnerstag freitag samstag sonntag morgen woche vormittag nachmittag "
     "lundi mardi mercredi jeudi vendredi samedi dimanche demain semaine matin "
     "lunes martes miércoles jueves viernes sábado domingo mañana semana amanhã "
     "lunedì martedì mercoledì giovedì venerdì domani settimana "
     "понедельник вторник среда четверг пятница завтра неделя неделе"},
    {kNever, "in_the_sense insofar"},
    // Not started yet
    {kUndone,
     "not_started not_begun not_yet_started not_yet_begun to_do nicht_begonnen nicht_angefangen "
     "noch_nicht_begonnen noch_nicht_angefangen pas_commencé pas_encore_commencé non_commencé sin_empezar "
     "sin_comenzar sin_iniciar no_iniciada no_iniciado não_iniciada não_iniciado não_começada por_começar "
     "non_iniziato non_iniziata da_iniziare niet_begonnen niet_gestart не_начата не_начато не_начат "
     "nie_rozpoczęte nie_rozpoczęto"},
};

}  // namespace

void add_doubts(WordTable& table) {
  add_to(table, kDoubts);
}

}  // namespace plankeep::core
