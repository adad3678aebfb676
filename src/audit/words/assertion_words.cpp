#include "audit/words/assertion_words.hpp"

#include <unordered_set>

#include "audit/words/assertion_word_list.hpp"

namespace plankeep::core {
namespace {

using namespace word;

constexpr WordList kWords[] = {
    // English
    {kDone, "done completed finished accomplished concluded accomplishments achievements"},
    {kDoneAfter | kPlainDone, "complete"},
    {kMade, "implemented delivered shipped resolved closed fixed"},
    {kDone | kTicked, "ticked checked_off ticked_off"},
    {kOnly, "only just nothing_but"},
    {kRemains, "remains remain left remaining"},
    {kRight, "so_far not_only"},
    {kLeft, "with_that with_this"},
    {kUndone, "in_part only_in_part in_parts"},
    {kJoin, "but_also but_as_well"},
    {kTicked, "checked crossed"},
    {kBox, "box boxes checkbox checkboxes"},
    {kDid,
     "added created built wrote written updated configured refactored introduced implemented fixed moved "
     "replaced "
     "removed documented extended migrated converted set wired merged landed renamed ported installed "
     "extracted "
     "handled integrated published"},
    {kDoneAfter, "merged landed pushed deployed released live in_place signed_off"},
    {kOf, "in_place_of"},
    {kIs | kLeft, "is are was were been"},
    {kLeft,
     "now has have had both all fully successfully also just finally as status itself already completely "
     "entirely "
     "marked each implementation work item items ticket story set to and tested verified officially today "
     "too "
     "recently respectively ready 100"},
    {kBoth, "both"},
    {kIs | kLeft, "can_be_considered may_be_considered"},
    {kDoneAfter | kPlainDone,
     "remains_done remain_done remains_complete remain_complete remains_finished stays_done stay_done "
     "can_be_ticked_off can_be_checked_off can_now_be_ticked_off can_be_closed can_be_ticked"},
    {kSection, "section sections part parts"},
    {kPoint | kRight, "item items point points number numbers"},
    {kTask | kLeft | kRight, "todo_item todo_items to-do_item to-do_items action_item action_items"},
    {kCounted, "item items story stories ticket tickets todos to-dos"},
    {kRight,
     "the all both following work off up successfully also implementing implementation id ids "
     "item items "
     "ticket tickets story stories today and tested verified coding everything full fully each just now"},
    {kTask | kLeft | kRight, "task tasks todo-item user_story user_stories"},
    {kDoneBefore | kPlainDone, "so_is so_are"},
    {kHeading, "as_for regarding falls_back fall_back"},
    {kLeft, "managed_to_get able_to_get"},
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
    {kNot, "false nobody goal aim objective intention"},
    {kNot | kTail | kIf, "as_soon_as as_long_as the_moment by_the_time in_case"},
    {kJoin | kLeft, "as_well_as along_with together_with"},
    {kOf, "at via"},
    {kAlready, "already previously earlier"},
    {kOther, "before yesterday"},
    {kNever,
     "incorrectly wrongly mistakenly prematurely falsely supposedly allegedly tentatively hopefully ideally"},
    {kTail, "soon tomorrow partly apart aside although though"},
    {kNever | kExcept,
     "except besides minus barring excluding excepting bar except_for apart_from aside_from other_than "
     "with_the_exception_of save_for but_for not_counting unlike"},
    {kSays, "says said wrote writes claims claimed reports reported asserts insists according_to states"},
    {kRetract,
     "reverted revert reverting rolled_back rolling_back undid undone backed_out reopened re-opened unticked "
     "withdrawn withdrew discarded un-done rolled_it_back rolled_them_back rolled_this_back rolled_that_back "
     "took_it_back backed_it_out"},
    {kPronoun, "it them this that these those"},
    {kNever,
     "in_principle more_or_less at_least sort_of kind_of in_theory on_paper with_errors with_failures "
     "with_problems unsuccessfully twice"},
    {kUndone, "far_from anything_but nowhere_near close_to nearing about_to no_progress in_progress"},
    {kFrom, "from"},
    {kPercent, "percent pct"},
    {kThen, "then later since subsequently again had"},
    {kUndone, "all_set_to all_set_for"},
    {kDone,
     "all_set wrapped_up taken_care_of finalized finalised squared_away buttoned_up knocked_out crossed_off "
     "sorted_out"},
    {kDoneBefore | kPlainDone, "completes finishes concludes wrapped wraps took_care_of"},
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
    {kRange | kUpTo,
     "through thru up_to up_to_and_including up_through bis bis_zu bis_einschließlich bis_inklusive hasta "
     "hasta_la até até_a fino_a jusqu_à jusqu_au tot tot_en_met t/m aż_do до вплоть_до"},
    {kFirst,
     "can_confirm can_also_confirm can_report can_now_confirm happy_to_report pleased_to_report "
     "glad_to_report"},
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
    {kAspect, "status state result outcome progress completion"},
    {kYes, "yes y x true success successful succeeded"},
    // Words of a heading that say nothing about what was done.
    {kHeading,
     "what here items item list session run far so summary overview report results work today now this that "
     "it sprint "
     "iteration batch round turn agent successfully deliverables goals scope features changes milestone "
     "milestones "
     "been during made have total"},
    {kDoneBefore,
     "able_to_finish able_to_complete managed_to_finish managed_to_complete succeeded_in_finishing"},
    {kLeft, "accepted approved got"},
    {kIs | kLeft, "can_both_be_considered can_now_be_considered can_all_be_considered"},
    {kToo | kIs | kLeft, "is_too are_too is_as_well are_as_well"},
    {kArticle,
     "that_was_in that_were_in there_was_in there_is_in that_is_in that's_in that_was_part_of "
     "that_is_part_of that_belongs_to"},
    {kBox, "kästchen häkchen casillas caselle"},
    {kAll, "alle toutes todas todos tutte wszystkie все tous"},
};

struct NumberWord {
  std::string_view words;  // separated by spaces
  std::string_view digits;
};

constexpr NumberWord kNumbers[] = {
    {"\u4e00", "1"},
    {"two zwei beiden deux dos dois duas due twee два две двух dwa dwie \u4e8c \u4e24 \u4e24\u4e2a "
     "\u4e24\u9879 \ub450",
     "2"},
    {"three drei trois tres três tre drie три трёх трех trzy \u4e09 \u4e09\u4e2a \u4e09\u9879 \uc138", "3"},
    {"four vier quatre cuatro quatro quattro четыре четырёх cztery \u56db \ub124", "4"},
    {"five fünf cinq cinco cinque vijf пять пяти pięć \u4e94 \ub2e4\uc12f", "5"},
    {"six sechs seis sei zes шесть шести sześć \u516d \uc5ec\uc12f", "6"},
    {"seven sieben sept siete sete sette zeven семь siedem \u4e03", "7"},
    {"eight acht huit ocho oito otto восемь osiem \u516b", "8"},
    {"nine neun neuf nueve nove negen девять dziewięć \u4e5d", "9"},
    {"ten zehn dix diez dez dieci tien десять dziesięć \u5341", "10"},
};

const WordTable& words() {
  static const WordTable table = [] {
    WordTable all;
    add_to(all, kWords);
    add_languages(all);
    add_doubts(all);
    return all;
  }();
  return table;
}

constexpr NumberWord kOrdinals[] = {
    {"first erste ersten première primera primeira prima eerste первая первой первую первый первого premier "
     "primer "
     "primo erster pierwsza",
     "1"},
    {"second zweite zweiten deuxième segunda seconda tweede вторая второй вторую второго zweiter segundo "
     "secondo "
     "druga",
     "2"},
    {"third dritte dritten troisième tercera terceira terza derde третья третьей третий третьего trzecia",
     "3"},
    {"fourth vierte vierten quatrième cuarta quarta vierde четвёртая четвёртой четвёртый четвёртого czwarta",
     "4"},
};

using DigitTable = std::unordered_map<std::string_view, std::string_view>;

template <std::size_t N>
DigitTable digits_of(const NumberWord (&numbers)[N]) {
  DigitTable table;
  for (const NumberWord& number : numbers) {
    for_each_word(number.words, [&](std::string_view word) { table.emplace(word, number.digits); });
  }
  return table;
}

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
  const auto found = words().find(lower);
  return found == words().end() ? 0 : found->second;
}

bool starts_words(std::string_view lower) {
  static const std::unordered_set<std::string_view> first = [] {
    std::unordered_set<std::string_view> starts;
    for (const auto& [entry, classes] : words())
      if (const auto gap = entry.find('_'); gap != std::string_view::npos)
        starts.insert(entry.substr(0, gap));
    return starts;
  }();
  return first.contains(lower);
}

std::string_view number_word(std::string_view lower) {
  static const DigitTable digits = digits_of(kNumbers);
  const auto found = digits.find(lower);
  return found == digits.end() ? lower : found->second;
}

std::string_view ordinal_word(std::string_view lower) {
  static const DigitTable digits = digits_of(kOrdinals);
  const auto found = digits.find(lower);
  return found == digits.end() ? number_word(lower) : found->second;
}

Sign sign_of(char32_t value) {
  for (const SignedEmoji& emoji : kSigns)
    if (emoji.value == value) return emoji.sign;
  return Sign::none;
}

}  // namespace plankeep::core
