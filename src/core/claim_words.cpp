#include "core/claim_words.hpp"

#include "core/claim_word_list.hpp"

namespace plankeep::core {
namespace {

using namespace word;

constexpr WordList kWords[] = {
    // English
    {kDone, "done completed finished accomplished concluded accomplishments achievements"},
    {kDoneAfter | kPlainDone, "complete"},
    {kMade, "implemented delivered shipped resolved closed fixed"},
    {kDone | kTicked, "ticked"},
    {kTicked, "checked"},
    {kBox, "box boxes checkbox checkboxes"},
    {kDid,
     "added created built wrote written updated configured refactored introduced implemented fixed moved "
     "replaced "
     "removed documented extended migrated converted set wired merged landed renamed ported installed "
     "extracted "
     "handled integrated"},
    {kDoneAfter, "merged landed"},
    {kIs | kLeft, "is are was were been"},
    {kLeft,
     "now has have had both all fully successfully also just finally as status itself already completely "
     "entirely "
     "marked each implementation work item items ticket story set to and tested verified officially today "
     "too "
     "recently respectively 100"},
    {kRight,
     "the all both following work off up successfully also implementing implementation id ids "
     "item items "
     "ticket tickets story stories today and tested verified coding everything full fully each just now"},
    {kTask | kLeft | kRight, "task tasks todo-item"},
    {kWork, "work implementation task tasks coding item ticket story"},
    {kNot,
     "not never no none neither nor cannot unable will shall should would could can may might must need "
     "needs needed "
     "require requires required going want wants let let's lets please try trying tried attempt attempted "
     "plan plans "
     "planned planning expect expected supposed intend say says said claim claims claimed "
     "according you your they she someone somebody ensure sure check mark tick complete finish implement "
     "be get "
     "do does did being having make makes hardly looks seems seem appears appear apparently probably "
     "presumably maybe perhaps likely see found noticed assume assumed think believe hope guess wait waiting "
     "dependencies dependency prerequisites prerequisite"},
    {kNot | kOther,
     "another other others previous user teammate colleague earlier previously originally already"},
    {kOther, "before yesterday"},
    {kNever,
     "incorrectly wrongly mistakenly prematurely falsely supposedly allegedly tentatively hopefully ideally"},
    {kTail, "soon tomorrow partly apart aside although though"},
    {kNever, "except besides minus barring excluding"},
    {kNot | kTail | kIf, "if once when whenever until till unless whether"},
    {kNot | kIf, "before after assuming provided since because given"},
    {kUndone,
     "partially partly partial half halfway almost nearly mostly incomplete unfinished unimplemented "
     "untouched undone "
     "uncompleted unticked unchecked blocked pending remaining remains remain skipped skipping deferred "
     "postponed "
     "later tomorrow outstanding todo wip tbd failed fails failing abandoned cancelled canceled draft "
     "drafted"},
    {kNot | kOpen,
     "open next later tomorrow started starting start begin begun upcoming left missing ongoing still "
     "follow-up followup backlog future unresolved to-do yet paused stuck"},
    {kAbout,
     "definition criteria how why prerequisites before expected plan planned when if should will would"},
    {kBut, "but however while whereas although though whilst"},
    {kJoin, "and plus also"},
    {kRange, "through thru to until"},
    {kFirst, "i we i've we've i'm we're my"},
    {kOf,
     "of for in on to from with by after before behind than per about into against within via since without "
     "under following see cf requires needs unblocks blocks depends like unlike"},
    {kPart,
     "test tests tests' review setup branch docs documentation prerequisites prerequisite dependencies "
     "dependency "
     "subtask subtasks analysis research design planning spec part parts half backend frontend skeleton "
     "scaffolding "
     "checks config configuration changes file files helper helpers code section investigation steps step"},
    {kArticle, "the a an our my its your this that these those any some"},
    {kAll, "all every each entire whole everything"},
    {kPlan, "plan plan's roadmap"},
    {kPhase, "phase phases"},
    {kMine, "assigned requested given my your our these those listed above delegated"},
    {kAspect, "status state result outcome progress"},
    {kYes, "yes y x true success successful succeeded"},
    // German
    {kDone,
     "erledigt abgeschlossen abgeschlossene abgeschlossenen erledigte erledigten fertige fertig "
     "fertiggestellt beendet vollendet abgehakt geschafft"},
    {kMade, "umgesetzt implementiert"},
    {kIs | kLeft, "ist sind wurde wurden worden"},
    {kLeft, "jetzt nun beide alle vollständig komplett erfolgreich als markiert habe haben"},
    {kRight, "die der das den aufgabe aufgaben alle beide"},
    {kTask | kLeft | kRight, "aufgabe aufgaben"},
    {kNot,
     "nicht nie kein keine keinen bereits schon soll sollte sollten muss müssen kann konnte konnten wird "
     "werde "
     "werden würde bitte"},
    {kTail, "nicht teilweise sobald wenn falls"},
    {kNot | kTail | kIf, "wenn falls sobald bevor nachdem"},
    {kUndone,
     "teilweise offen offene ausstehend blockiert übersprungen fehlgeschlagen unvollständig unerledigt"},
    {kNot | kOpen, "nächste nächster nächstes nächsten als-nächstes danach später noch"},
    {kBut, "aber jedoch während"},
    {kJoin, "und sowie"},
    {kRange, "bis"},
    {kOf, "für von zu aus bei mit"},
    {kFirst, "ich wir"},
    // French
    {kDone,
     "terminé terminée terminés terminées fini finie finis finies achevé achevée achevés achevées complété "
     "complétée complétés complétées réalisé réalisée réalisés réalisées accompli fait faite faites faits"},
    {kMade, "implémenté implémentée implémentés implémentées"},
    {kIs | kLeft, "est sont été"},
    {kLeft, "a ont maintenant désormais bien la les le toutes tous deux"},
    {kRight, "la les le toutes tous deux"},
    {kTask | kLeft | kRight, "tâche tâches"},
    {kNot, "ne pas jamais aucun aucune déjà vais va sera seront doit doivent devrait peut pourrait"},
    {kTail, "pas sauf partiellement"},
    {kNot | kTail | kIf, "quand lorsque si"},
    {kNot | kIf, "après avant"},
    {kUndone,
     "partiellement reste restent restante restantes bloqué bloquée ignoré échoué incomplet incomplète"},
    {kNot | kOpen, "prochaine prochain suivante ensuite encore"},
    {kBut, "mais tandis"},
    {kJoin, "et"},
    {kRange, "à au"},
    {kOf, "de pour du des dans avec par"},
    {kFirst, "j'ai je nous"},
    // Spanish and Portuguese
    {kDone,
     "completado completada completados completadas terminado terminada terminados terminadas finalizado "
     "finalizada finalizados finalizadas hecho hecha hechos hechas listo lista listos listas concluido "
     "concluida concluidas concluidos completé terminé "
     "concluído concluída concluídos concluídas feito feita feitos feitas pronta pronto prontas prontos "
     "concluí completei terminei finalizei"},
    {kMade, "implementado implementada implementados implementadas implementei"},
    {kIs | kLeft, "está están fue fueron sido estão foi foram é são"},
    {kLeft, "ya ahora ha han he las los ambas ambos totalmente já agora"},
    {kRight, "las los la el o os as a ambas ambos"},
    {kTask | kLeft | kRight, "tarea tareas tarefa tarefas"},
    {kNot, "nunca ningún ninguna debe deben debería será serán não nem deve devem serão"},
    {kTail, "salvo excepto parcialmente"},
    {kNot | kTail | kIf, "cuando quando si se"},
    {kNot | kIf, "después antes depois após"},
    {kUndone,
     "falta faltan faltam pendiente pendientes pendente pendentes parcialmente bloqueado bloqueada omitida "
     "incompleta incompleto"},
    {kNot | kOpen, "próximo próxima siguiente luego aún todavía ainda seguinte"},
    {kBut, "pero mientras mas enquanto"},
    {kJoin, "y e"},
    {kRange, "hasta até a"},
    {kOf, "de para del da do em con com por"},
    {kFirst, "he hemos eu"},
    // Italian
    {kDone,
     "completato completata completati completate terminata terminato terminati terminate finito finita "
     "finiti finite concluso conclusa conclusi concluse fatto fatta fatti fatte"},
    {kMade, "implementato implementata"},
    {kIs | kLeft, "è sono stato stata stati state"},
    {kLeft, "ora entrambe entrambi"},
    {kRight, "i le gli entrambe entrambi"},
    {kTask | kLeft | kRight, "attività compito compiti"},
    {kNot, "non mai già deve devono dovrebbe sarà saranno"},
    {kUndone, "manca mancano parzialmente bloccato bloccata incompleto saltato saltata"},
    {kNot | kOpen, "ancora prossimo prossima poi"},
    {kNot | kIf, "dopo prima"},
    {kBut, "ma mentre"},
    {kOf, "di per della del con"},
    {kFirst, "ho abbiamo"},
    // Dutch
    {kDone, "klaar voltooid afgerond gedaan afgemaakt gereed af"},
    {kMade, "geïmplementeerd"},
    {kIs | kLeft, "zijn werd werden"},
    {kLeft, "nu allebei beide volledig heb"},
    {kRight, "de het beide"},
    {kTask | kLeft | kRight, "taak taken"},
    {kNot, "niet geen nooit al reeds zal zullen moet moeten kan zou"},
    {kTail, "niet"},
    {kUndone, "gedeeltelijk deels geblokkeerd onvolledig overgeslagen"},
    {kNot | kOpen, "nog volgende daarna resterend resterende"},
    {kNot | kTail | kIf, "wanneer zodra"},
    {kNot | kIf, "nadat voordat"},
    {kBut, "maar terwijl"},
    {kJoin, "en"},
    {kRange, "t/m tot"},
    {kOf, "voor van"},
    {kFirst, "ik wij"},
    // Swedish, Turkish, Czech
    {kDone,
     "klar klart klara färdig färdigt färdiga slutförd slutfört slutförda avklarad tamamlandı tamamladım "
     "bitti "
     "bitirdim hotovo hotov hotová dokončeno dokončena dokončen dokončil"},
    {kIs | kLeft, "är"},
    {kNot, "inte ej aldrig není nejsou nebyl nebyla nebylo değil"},
    {kUndone, "değil henüz tamamlanmadı bitmedi ještě delvis částečně"},
    {kJoin, "och ve"},
    // Polish
    {kDone,
     "ukończone ukończony ukończona ukończono zakończone zakończony zakończona zakończono zrobione zrobiony "
     "zrobiona wykonane wykonany wykonana wykonano gotowe gotowy gotowa ukończyłem ukończyłam zakończyłem "
     "zakończyłam zrobiłem zrobiłam skończyłem skończyłam wykonałem wykonałam"},
    {kMade, "zaimplementowane zaimplementowano zaimplementowałem"},
    {kIs | kLeft, "zostało została zostały został jest są"},
    {kLeft, "teraz już oba obie"},
    {kRight, "oba obie"},
    {kTask | kLeft | kRight, "zadanie zadania"},
    {kNot, "nie nigdy będzie będą musi powinno"},
    {kUndone, "częściowo zablokowane pominięte pozostaje pozostało nieukończone"},
    {kNot | kOpen, "jeszcze następne następnie potem"},
    {kNot | kTail | kIf, "gdy jeśli kiedy"},
    {kBut, "ale natomiast"},
    {kJoin, "i oraz"},
    {kRange, "do"},
    {kOf, "dla z po"},
    // Russian and Ukrainian
    {kDone,
     "выполнено выполнена выполнены выполнен завершено завершена завершены завершён завершен готово готова "
     "готовы готов сделано сделана сделаны сделан закончено закончена закончены выполнил выполнила завершил "
     "завершила закончил закончила сделал сделала выполненные завершённые завершенные виконано завершено "
     "готове"},
    {kMade, "реализовано реализована реализованы реализовал реализовала"},
    {kIs | kLeft, "была было были был"},
    {kLeft, "теперь полностью обе уже успешно"},
    {kRight, "обе все"},
    {kTask | kLeft | kRight, "задача задачи задачу задач"},
    {kNot, "не нет никогда будет будут нужно надо должна должны"},
    {kTail, "не кроме"},
    {kUndone,
     "частично пропущена пропущено заблокирована заблокировано осталось остаётся остается остались "
     "незавершённые"},
    {kNot | kOpen, "ещё еще далее следующая следующие потом пока"},
    {kNot | kTail | kIf, "когда если"},
    {kNot | kIf, "после"},
    {kBut, "но а однако"},
    {kJoin, "и та"},
    {kRange, "по до"},
    {kOf, "для из в с от"},
    {kFirst, "я мы"},
    // Words of a heading that say nothing about what was done.
    {kHeading,
     "what here items item list session run far so summary overview report results work today now this that "
     "it sprint "
     "iteration batch round turn agent successfully deliverables goals scope features changes milestone "
     "milestones "
     "been during made have total"},
    {kAll, "alle toutes todas todos tutte wszystkie все tous"},
};

struct SignedEmoji {
  char32_t value;
  Sign sign;
};

constexpr SignedEmoji kSigns[] = {
    {0x2705, Sign::good},  {0x2714, Sign::good},  {0x2713, Sign::good},  {0x2611, Sign::good},
    {0x1F389, Sign::good}, {0x1F4AF, Sign::good}, {0x1F7E2, Sign::good}, {0x1F7E9, Sign::good},
    {0x1F197, Sign::good}, {0x25CF, Sign::none},  {0x274C, Sign::bad},   {0x2717, Sign::bad},
    {0x2718, Sign::bad},   {0x2716, Sign::bad},   {0x23F3, Sign::bad},   {0x231B, Sign::bad},
    {0x1F6A7, Sign::bad},  {0x2B1C, Sign::bad},   {0x2610, Sign::bad},   {0x2612, Sign::bad},
    {0x1F504, Sign::bad},  {0x26A0, Sign::bad},   {0x1F534, Sign::bad},  {0x1F7E1, Sign::bad},
    {0x1F7E0, Sign::bad},  {0x23F8, Sign::bad},   {0x26D4, Sign::bad},   {0x1F6AB, Sign::bad},
    {0x1F532, Sign::bad},  {0x1F533, Sign::bad},  {0x23ED, Sign::bad},   {0x1F51C, Sign::bad},
    {0x2753, Sign::bad},   {0x1F6D1, Sign::bad},  {0x23F0, Sign::bad},   {0x1F512, Sign::bad},
    {0x1F51A, Sign::none}, {0x1F7E5, Sign::bad},  {0x1F7E8, Sign::bad},  {0x274E, Sign::bad},
    {0x1F4DD, Sign::bad},  {0x23E9, Sign::bad},   {0x1F550, Sign::bad},  {0x2B55, Sign::bad},
};

}  // namespace

WordClass word_class(std::string_view lower) {
  static const WordTable table = table_of(kWords);
  const auto found = table.find(lower);
  return found == table.end() ? 0 : found->second;
}

Sign sign_of(char32_t value) {
  for (const SignedEmoji& emoji : kSigns)
    if (emoji.value == value) return emoji.sign;
  return Sign::none;
}

}  // namespace plankeep::core
