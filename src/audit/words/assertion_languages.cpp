// The words of assertion_words in other languages than English that set words apart by spaces.

#include "audit/words/assertion_word_list.hpp"

namespace plankeep::core {
namespace {

using namespace word;

constexpr WordList kWords[] = {
    // German
    {kDone,
     "erledigt abgeschlossen abgeschlossene abgeschlossenen erledigte erledigten fertige fertig "
     "fertiggestellt fertiggestellte fertiggestellten beendet vollendet abgehakt abgearbeitet geschafft "
     "fertig_gemacht fertiggemacht fertig_geworden unter_dach_und_fach vom_tisch"},
    {kDone | kLast, "ist_durch sind_durch komplett_durch vollständig_durch ganz_durch"},
    {kNot, "niemand"},
    {kNot | kAlready, "schon bereits"},
    {kMade, "umgesetzt implementiert geschlossen durchgeführt ausgeliefert"},
    {kDoneAfter, "gemergt gemerged"},
    {kBoth, "beide beiden"},
    {kSection, "abschnitt abschnitte"},
    {kPoint | kRight, "punkt punkte nummer"},
    {kCounted, "punkte stories tickets"},
    {kDid, "hinzugefügt angelegt geschrieben ergänzt eingebaut erstellt"},
    {kIs | kLeft, "ist sind bin wurde wurden worden"},
    {kLeft,
     "jetzt nun beide alle vollständig komplett erfolgreich als markiert habe haben damit ebenfalls auch "
     "somit inzwischen mittlerweile endlich von_mir"},
    {kRight, "die der das den aufgabe aufgaben alle beide"},
    {kTask | kLeft | kRight, "aufgabe aufgaben"},
    {kNot,
     "nicht nie kein keine keiner keinen bereits schon soll sollte sollten muss müssen kann konnte konnten "
     "wird werde werden würde bitte weder erst gilt wäre wären sei seien angeblich"},
    {kTail, "nicht teilweise sobald wenn falls mit_fehlern"},
    {kNot | kTail | kIf, "wenn falls sobald bevor nachdem"},
    {kUndone,
     "teilweise offen offene offener ausstehend ausstehende blockiert übersprungen fehlgeschlagen "
     "unvollständig unerledigt fast beinahe nahezu größtenteils weitgehend halb in_arbeit nein"},
    {kNot | kOpen,
     "nächste nächster nächstes nächsten als-nächstes danach später noch fehlt fehlen verbleibend "
     "verbleibende zu_tun"},
    {kBut, "aber jedoch während allerdings"},
    {kJoin, "und sowie wie_auch"},
    {kRange, "bis"},
    {kOf, "für von zu aus bei mit unter vom im"},
    {kFrom, "von"},
    {kFirst, "ich wir"},
    {kAll, "alles sämtliche gesamte gesamter gesamten ganze ganzer ganzen"},
    {kWork, "arbeit arbeiten"},
    {kLeft, "ganz gänzlich restlos getestet geprüft"},
    {kDid, "veröffentlicht"},
    {kDone | kLast | kIs, "bin_ich_durch"},
    {kLeft, "stand steht gehört gehörte"},
    {kRight, "ersten"},
    {kMine, "zugewiesenen zugewiesene zugeteilten zugeteilte meine meiner"},
    {kExcept, "außer ausser ausgenommen bis_auf mit_ausnahme_von abgesehen_von ohne"},
    {kSays, "laut zufolge schreibt schrieb sagt sagte behauptet behauptete meldet meldete"},
    {kRetract, "zurückgenommen rückgängig zurückgesetzt zurückgerollt verworfen"},
    {kAspect, "stand ergebnis fortschritt"},
    {kHeading, "bisher dieser sitzung zusammenfassung in"},
    {kYes, "ja"},
    // French
    {kDone,
     "terminé terminée terminés terminées fini finie finis finies achevé achevée achevés achevées complété "
     "complétée complétés complétées réalisé réalisée réalisés réalisées accompli accomplie fait faite "
     "faites faits finalisé finalisée finalisés finalisées bouclé bouclée bouclés bouclées complète "
     "complètes prêt prête prêts prêtes "
     "complet complets clos clôturé clôturée clôturés clôturées"},
    {kNot, "personne"},
    {kAlready, "déjà"},
    {kMade, "livré livrée livrés livrées effectué effectuée effectués effectuées résolu résolue"},
    {kDoneAfter, "fusionné fusionnée mergé mergée déployé déployée"},
    {kPoint | kRight, "point points numéro"},
    {kCounted, "points éléments stories tickets"},
    {kMade, "implémenté implémentée implémentés implémentées"},
    {kDid, "ajouté créé écrit"},
    {kIs | kLeft, "est sont été"},
    {kLeft, "a ont maintenant désormais bien la les le toutes tous deux enfin également aussi avec_succès"},
    {kRight, "la les le toutes tous deux"},
    {kTask | kLeft | kRight, "tâche tâches"},
    {kNot,
     "ne pas jamais aucun aucune déjà vais va sera seront soit doit doivent devrait peut pourrait pourra "
     "faut reste_à ni serait"},
    {kTail, "pas partiellement avec_des_erreurs"},
    {kNot | kTail | kIf,
     "quand lorsque si une_fois dès_que aussitôt_que après_que avant_que avant_de il_faut tant_que"},
    {kNot | kIf, "après avant"},
    {kUndone,
     "partiellement reste restent restante restantes restant restants bloqué bloquée ignoré échoué "
     "incomplet incomplète presque quasiment en_cours à_faire en_attente non à_moitié"},
    {kNot | kOpen, "prochaine prochain suivante ensuite encore manque manquent"},
    {kBut, "mais tandis cependant toutefois"},
    {kJoin, "et ainsi_que"},
    {kRange, "à au"},
    {kOf, "de pour du des dans avec par"},
    {kFrom, "de du"},
    {kFirst, "j'ai je nous"},
    {kAll, "tout toute"},
    {kWork, "travail"},
    {kLeft, "entièrement complètement totalement testé testée testés testées vérifié vérifiée"},
    {kDid, "publié publiée"},
    {kDoneBefore | kPlainDone,
     "c_est_fait_pour c_est_bon_pour c_est_fini_pour c_est_terminé_pour c_est_réglé_pour c_est_bouclé_pour"},
    {kIs | kLeft, "c_est"},
    {kArticle, "ce_qu_il_y_avait ce_qui_était ce_qu_il_y_a"},
    {kUndone, "en_partie"},
    {kRight, "premières premiers"},
    {kMine, "assignées assignée assignés confiées confiés attribuées mes"},
    {kExcept, "sauf excepté hormis à_l_exception_de à_part"},
    {kSays, "selon d_après dit disait affirme prétend a_écrit annonce indique"},
    {kRetract, "annulé annulée annulés annulées rétabli revert reverté défait défaite"},
    {kAspect, "statut état avancement résultat"},
    {kYes, "oui"},
    // Spanish and Portuguese
    {kDone,
     "completado completada completados completadas terminado terminada terminados terminadas finalizado "
     "finalizada finalizados finalizadas hecho hecha hechos hechas listo lista listos listas concluido "
     "concluida concluidas concluidos completé terminé finalicé completa completas completo completos "
     "concluído concluída concluídos concluídas feito feita feitos feitas pronta pronto prontas prontos "
     "concluí completei terminei finalizei realizado realizada realizados realizadas cerrado cerrada "
     "cerrados "
     "cerradas cerré fechado fechada fechados fechadas fechei acabado acabada acabados acabadas acabé "
     "acabei"},
    {kNot, "nadie ninguém"},
    {kMade,
     "resuelto resuelta entregado entregada resolvido resolvida entregue entregues encerrado encerrada "
     "encerrei culminado culminada "
     "culminé cumplida cumplido"},
    {kDoneAfter, "fusionado fusionada mergeado mergeada desplegado desplegada"},
    {kBoth, "ambas ambos"},
    {kSection, "sección secciones seção secção seções"},
    {kPoint | kRight, "punto puntos ponto pontos item itens ítem número numero"},
    {kCounted, "puntos pontos itens historias histórias"},
    {kMade, "implementado implementada implementados implementadas implementei implementé"},
    {kDid, "añadido creado creada escrito adicionei criei escrevi añadí creé"},
    {kIs | kLeft, "está están fue fueron sido estão foi foram é são"},
    {kLeft,
     "ya ahora ha han he las los ambas ambos totalmente já agora con_éxito com_sucesso también também "
     "quedó queda completamente"},
    {kRight, "las los la el o os as a ambas ambos"},
    {kTask | kLeft | kRight, "tarea tareas tarefa tarefas"},
    {kNot,
     "nunca ningún ninguna ninguno nenhum nenhuma debe deben debería será serán não nem deve devem serão "
     "hay_que tiene_que preciso precisa é_preciso falta_completar esté estén estiver estiverem ni sería "
     "seria puede pueden pode podem"},
    {kTail, "parcialmente con_errores com_erros"},
    {kNot | kTail | kIf,
     "cuando quando si se una_vez uma_vez tan_pronto en_cuanto assim_que logo_que antes_de depois_de "
     "después_de"},
    {kNot | kIf, "después antes depois após"},
    {kUndone,
     "falta faltan faltam pendiente pendientes pendente pendentes parcialmente bloqueado bloqueada omitida "
     "incompleta incompleto casi quase en_progreso en_curso por_hacer em_andamento em_progresso a_fazer "
     "por_fazer sin_terminar a_medias pela_metade não"},
    {kNot | kOpen, "próximo próxima siguiente luego aún todavía ainda seguinte resta restan restam"},
    {kBut, "pero mientras mas enquanto porém"},
    {kJoin, "y e así_como assim_como bem_como"},
    {kRange, "hasta até a"},
    {kOf, "de para del da do em con com por dos das"},
    {kFrom, "de desde da do del"},
    {kFirst, "he hemos eu"},
    {kAll, "tudo todo todo_lo toda"},
    {kWork, "trabajo trabalho"},
    {kLeft,
     "enteramente por_completo inteiramente probado probada probados probadas testado testada verificado "
     "verificada"},
    {kDid, "publicado publicada"},
    {kDoneBefore | kPlainDone | kIs | kLeft, "ya_están ya_está"},
    {kAll, "todo_lo_que_había_en todo_lo_que_estaba_en todo_lo_que_hay_en"},
    {kArticle, "o_que_estava o_que_havia"},
    {kRight, "primeras primeros primeiras primeiros"},
    {kMine, "asignadas asignados asignada atribuídas atribuídos designadas mis minhas"},
    {kExcept, "excepto exceto salvo menos a_excepción_de con_excepción_de com_exceção_de aparte_de"},
    {kSays, "según dijo dice afirma afirmó indica indicó de_acuerdo_con segundo disse diz afirmou"},
    {kRetract,
     "revertí revertido revertida revertidos revertidas deshice deshecho reverti desfiz desfeita desfeito"},
    {kAspect, "estado progreso progresso resultado"},
    {kYes, "sí sim"},
    // Italian
    {kDone,
     "completato completi completata completati completate terminata terminato terminati terminate finito "
     "finita "
     "finiti finite concluso conclusa conclusi concluse fatto fatta fatti fatte ultimato ultimata ultimati "
     "ultimate pronti pronte chiuso chiusa chiusi chiuse a_posto portato_a_termine portata_a_termine"},
    {kNot, "nessuno"},
    {kAlready, "già"},
    {kMade, "risolto risolta consegnato consegnata"},
    {kBoth, "entrambe entrambi"},
    {kJoin, "nonché così_come"},
    {kSection, "sezione sezioni"},
    {kPoint | kRight, "punto punti"},
    {kCounted, "punti storie"},
    {kMade, "implementato implementata implementati implementate"},
    {kDid, "aggiunto aggiunta creato scritto"},
    {kIs | kLeft, "è sono stato stata stati state"},
    {kLeft, "ora entrambe entrambi con_successo anche adesso"},
    {kRight, "i le gli il lo entrambe entrambi"},
    {kTask | kLeft | kRight, "attività compito compiti"},
    {kNot,
     "non mai già deve devono dovrebbe sarà saranno nessuno nessuna nessun bisogna sia né può possono "
     "verrà"},
    {kNot | kTail | kIf, "una_volta appena non_appena prima_di dopo_aver finché"},
    {kTail, "con_errori"},
    {kUndone,
     "manca mancano parzialmente bloccato bloccata incompleto saltato saltata quasi in_corso da_fare "
     "in_attesa a_metà rimangono rimane"},
    {kNot | kOpen, "ancora prossimo prossima poi restano"},
    {kNot | kIf, "dopo prima"},
    {kBut, "ma mentre però tuttavia"},
    {kOf, "di per della delle dello del con dei degli nel nella"},
    {kFrom, "da dal dalla"},
    {kFirst, "ho abbiamo"},
    {kAll, "tutto tutti"},
    {kWork, "lavoro"},
    {kAll, "tutte_e tutti_e"},
    {kLeft, "interamente completamente del_tutto testato testata verificato verificata"},
    {kDid, "pubblicato pubblicata"},
    {kArticle, "quello_che_c_era quello_che_era ciò_che_era ciò_che_c_era"},
    {kRight, "prime primi"},
    {kMine, "assegnati assegnate assegnata assegnato miei mie"},
    {kExcept, "tranne eccetto meno a_eccezione_di ad_eccezione_di a_parte"},
    {kSays, "secondo ha_detto sostiene afferma scrive stando_a"},
    {kRetract, "annullata annullato annullate annullati ripristinato ripristinata revertito revertita"},
    {kAspect, "stato avanzamento risultato"},
    {kPercent, "prozent pourcent por_ciento por_cento procent процентов процента"},
    {kPlan, "plans plano piano план плана плану плане planu"},
    // Phases
    {kPhase, "fase fasen faza fazy"},
    // Dutch
    {kAll, "heel hele"},
    {kLeft, "geheel getest"},
    {kDid, "gepubliceerd"},
    {kRight, "eerste"},
    {kDone, "klaar voltooid afgerond gedaan afgemaakt afgevinkt afgewerkt gereed af"},
    {kNot, "niemand"},
    {kAlready, "al reeds"},
    {kMade, "geïmplementeerd gesloten opgeleverd opgelost"},
    {kDoneAfter, "gemerged"},
    {kBoth, "beide allebei"},
    {kSection, "sectie secties"},
    {kPoint | kRight, "punt punten"},
    {kCounted, "punten stories tickets"},
    {kIs | kLeft, "zijn werd werden"},
    {kLeft, "nu allebei beide volledig helemaal heb"},
    {kRight, "de het beide"},
    {kTask | kLeft | kRight, "taak taken"},
    {kNot, "niet geen nooit al reeds zal zullen moet moeten kan zou bijna volgens"},
    {kTail, "niet"},
    {kUndone, "gedeeltelijk deels geblokkeerd onvolledig overgeslagen"},
    {kNot | kOpen, "nog volgende daarna resterend resterende"},
    {kNot | kTail | kIf, "wanneer zodra"},
    {kNot | kIf, "nadat voordat"},
    {kBut, "maar terwijl"},
    {kJoin, "en evenals alsook"},
    {kRange, "t/m tot"},
    {kOf, "voor van uit"},
    {kFirst, "ik wij"},
    {kExcept, "behalve"},
    {kRetract, "teruggedraaid"},
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
     "zakończyłam zrobiłem zrobiłam skończyłem skończyłam wykonałem wykonałam zamknięte zamknięty zamknięta "
     "zamknąłem zamknęłam dokończone dokończony dokończona"},
    {kBoth, "oba obie"},
    {kPoint | kRight, "punkt punkty"},
    {kAll, "wszystko"},
    {kMade, "zaimplementowane zaimplementowano zaimplementowałem"},
    {kIs | kLeft, "zostało została zostały został jest są"},
    {kLeft, "teraz już oba obie"},
    {kRight, "oba obie"},
    {kTask | kLeft | kRight, "zadanie zadania"},
    {kNot, "nie nigdy będzie będą musi powinno prawie według"},
    {kUndone, "częściowo zablokowane pominięte pozostaje pozostało nieukończone"},
    {kNot | kOpen, "jeszcze następne następnie potem"},
    {kNot | kTail | kIf, "gdy jeśli kiedy"},
    {kBut, "ale natomiast"},
    {kJoin, "i oraz"},
    {kRange, "do"},
    {kOf, "dla z po"},
    {kExcept, "oprócz poza"},
    // Russian and Ukrainian
    {kDone,
     "выполнено выполнена выполнены выполнен завершено завершена завершены завершён завершен готово готова "
     "готовы готов сделано сделана сделаны сделан закончено закончена закончены закончен выполнил выполнила "
     "завершил завершила закончил закончила сделал сделала выполненные завершённые завершенные виконано "
     "завершено готове закрыто закрыта закрыты закрыт закрыл закрыла доделано доделана доделаны доделан "
     "доделал "
     "доделала"},
    {kNot, "никто"},
    {kLeft, "целиком протестирована протестировано проверена проверено"},
    {kDid, "опубликована опубликовано"},
    {kMade, "решена решено решены внедрено внедрена"},
    {kBoth, "оба обе"},
    {kSection, "раздел раздела разделе разделы"},
    {kPoint | kRight, "пункт пункты пункта номер"},
    {kCounted, "пункты пункта"},
    {kMade, "реализовано реализована реализованы реализовал реализовала"},
    {kDid, "добавил добавила добавлен добавлена добавлено написал написала создал создала"},
    {kIs | kLeft, "была было были был"},
    {kLeft, "теперь полностью обе оба уже успешно также тоже все мной"},
    {kRight, "обе оба все всю"},
    {kTask | kLeft | kRight, "задача задачи задачу задач задаче"},
    {kNot,
     "не нет никогда будет будут нужно надо должна должны необходимо следует предстоит ни якобы бы можно "
     "может"},
    {kTail, "не"},
    {kUndone,
     "частично пропущена пропущено заблокирована заблокировано осталось остаётся остается остались "
     "незавершённые почти в_работе в_процессе в_ожидании нет наполовину с_ошибками"},
    {kNot | kOpen, "ещё еще далее следующая следующие следующий потом пока"},
    {kNot | kTail | kIf, "когда если как_только после_того"},
    {kNot | kIf, "после"},
    {kBut, "но а однако"},
    {kJoin, "и та а_также"},
    {kRange, "по до"},
    {kOf, "для из в с от"},
    {kFrom, "с от"},
    {kFirst, "я мы"},
    {kAll, "всё весь вся"},
    {kMine, "назначенные порученные назначенных мои моих"},
    {kExcept, "кроме помимо за_исключением"},
    {kSays, "по_словам согласно утверждает говорит сказал сказала сообщает сообщил пишет написано"},
    {kRetract, "откатил откатила откатили откачена отменил отменила отменена отменено отменён отменили"},
    {kPhase, "фаза фазы фазу фазе этап этапа этапе этапы"},
    {kAspect, "статус состояние результат прогресс"},
    {kYes, "да"},
};

}  // namespace

void add_languages(WordTable& table) {
  add_to(table, kWords);
}

}  // namespace plankeep::core
