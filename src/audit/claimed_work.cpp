#include "audit/claimed_work.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "audit/claimed_tests.hpp"
#include "audit/plain_sentences.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;
using WordKind = PlainWord::Kind;
using Words = std::unordered_set<std::string_view>;

constexpr std::size_t kVerbReach = 7;    // words from a verb to its path
constexpr std::size_t kBehindReach = 4;  // from a path to a verb behind it
constexpr std::size_t kPlaceReach = 4;   // from "to the" to the noun

Words words_in(std::string_view list) {
  Words words;
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(' ', start), list.size());
    if (end > start) words.insert(list.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

const Words& created_words() {
  static const Words words = words_in(
      "created added wrote written generated erstellt angelegt hinzugefügt geschrieben generiert créé créée "
      "créés "
      "créées ajouté ajoutée écrit creado creada creé añadido añadida añadí agregado agregué escrito criado "
      "criada "
      "criei adicionado adicionada adicionei escrevi creato creata aggiunto aggiunta scritto создал создала "
      "создан "
      "создано добавил добавила добавлен добавлено написал написала aangemaakt toegevoegd utworzono "
      "utworzyłem dodano");
  return words;
}

const Words& changed_words() {
  static const Words words = words_in(
      "updated modified edited changed extended rewrote rewritten aktualisiert geändert angepasst bearbeitet "
      "erweitert "
      "modifié modifiée actualisé actualizado actualicé actualizada modificado modifiqué modificada "
      "atualizado "
      "atualizada atualizei modifiquei aggiornato aggiornata modificato modificata обновил обновила обновлён "
      "обновлен "
      "изменил изменила изменён изменен bijgewerkt gewijzigd zaktualizowano");
  return words;
}

/// What is said to be gone.
const Words& removed_words() {
  static const Words words = words_in(
      "deleted removed renamed moved reverted dropped delete remove unchanged untouched gelöscht entfernt "
      "umbenannt "
      "verschoben supprimé supprimée renommé déplacé eliminado eliminada borrado renombrado movido removido "
      "excluído "
      "renomeado rimosso eliminato rinominato spostato удалил удалён удален удалила переименован temporarily "
      "temporary "
      "rolled undone");
  return words;
}

const Words& stop_words() {
  static const Words words = words_in(
      "not never no didn't don't doesn't couldn't can't cannot won't wasn't weren't isn't haven't hasn't "
      "will would "
      "should could can may might must need needs needed todo next plan plans planned if once when unless "
      "until "
      "instead already previously previous earlier yesterday without try tried failed unable suggest "
      "recommend please "
      "could've "
      "nicht kein keine keinen wird werden soll sollte sollten könnte muss wenn sobald falls bereits zuvor "
      "pas ne n'ai "
      "n'est sera seront devrait si quand déjà será serán debería cuando ya não será deverá quando non sarà "
      "verrà "
      "dovrebbe se già не нет будет если когда нужно уже niet zal als nie będzie jeśli");
  return words;
}

const Words& file_words() {
  static const Words words = words_in(
      "file files datei dateien fichier fichiers archivo archivos arquivo arquivos ficheiros bestanden "
      "файл файлы pliki");
  return words;
}

/// Before a path: something else is meant than the path.
const Words& other_words() {
  static const Words words = words_in(
      "on from see like via using with by of for as than per under through against after before behind about "
      "into_the "
      "von für mit aus wie siehe laut per depuis avec pour comme voir desde con para como véase com ver come "
      "vedi из "
      "для как см uses use imports import calls reads runs named");
  return words;
}

/// Before a path: what was made stands in it.
const Words& inside_words() {
  static const Words words =
      words_in("in to into inside zu dans à au en a em no nel nella in nella al в во i");
  return words;
}

/// Of created_words, those for what may only be put on a list.
const Words& added_words() {
  static const Words words = words_in(
      "added hinzugefügt ajouté ajoutée añadido añadida añadí agregado agregué adicionado adicionada "
      "adicionei "
      "aggiunto aggiunta добавил добавила добавлен добавлено toegevoegd dodano");
  return words;
}

/// Between a verb and a path: the path is of a clause that says what something does.
const Words& clause_words() {
  static const Words words = words_in(
      "that which who whose where so dass damit sodass weil qui dont afin que che который которая которое "
      "чтобы "
      "dat zodat który która które");
  return words;
}

/// "a link to X", "a dependency on X": X is what it leads to.
const Words& pointer_words() {
  static const Words words = words_in(
      "link links hyperlink reference references pointer pointers alias aliases symlink symlinks redirect "
      "redirects import imports path paths url shortcut verweis verweise referenz lien liens référence "
      "enlace "
      "enlaces referencia referência ligação collegamento collegamenti riferimento ссылку ссылка ссылки "
      "verwijzing odnośnik");
  return words;
}

/// "the option --output X", "dependency X": X is a value.
const Words& value_words() {
  static const Words words = words_in(
      "option options flag flags argument arguments parameter parameters switch dependency dependencies "
      "default "
      "abhängigkeit dépendance dependencia dependência dipendenza зависимость");
  return words;
}

/// "added to the project": all that is made is.
const Words& place_words() {
  static const Words words = words_in(
      "project repo repository app application codebase code git tree package module suite folder directory "
      "workspace plugin system site branch tests library server client");
  return words;
}

enum class Made { no, created, changed };

Made made(const PlainWord& word) {
  if (word.kind != WordKind::word) return Made::no;
  if (created_words().contains(word.text)) return Made::created;
  if (changed_words().contains(word.text)) return Made::changed;
  return Made::no;
}

/// "创建了", "更新了" before a path.
Made made_before(std::string_view text) {
  if (!is_unspaced(text)) return Made::no;
  for (const std::string_view verb : {"创建了", "新建了", "新增了", "添加了", "编写了", "生成了", "已创建",
                                      "已新增", "已添加", "新增", "创建"})
    if (text.ends_with(verb)) return Made::created;
  for (const std::string_view verb : {"更新了", "修改了", "已更新", "已修改"})
    if (text.ends_with(verb)) return Made::changed;
  return Made::no;
}

/// "を作成しました", "을 생성했습니다" behind one.
Made made_behind(std::string_view text) {
  if (!is_unspaced(text)) return Made::no;
  if (contains_any(text, {"を作成しま", "を追加しま", "を新規作成しま", "を作成し", "を追加し", "生成했",
                          "생성했", "작성했", "추가했", "만들었"}))
    return Made::created;
  if (contains_any(text, {"を更新しま", "を変更しま", "を修正しま", "を編集しま", "を更新し", "を変更し",
                          "を修正し", "수정했", "업데이트했", "변경했"}))
    return Made::changed;
  return Made::no;
}

bool holds(const PlainSentence& sentence, const Words& words) {
  return std::any_of(sentence.words.begin(), sentence.words.end(), [&](const PlainWord& word) {
    return word.kind == WordKind::word && words.contains(word.text);
  });
}

bool denied(const PlainSentence& sentence) {
  if (sentence.question || holds(sentence, stop_words()) || holds(sentence, removed_words())) return true;
  return std::any_of(sentence.words.begin(), sentence.words.end(), [](const PlainWord& word) {
    return word.kind == WordKind::word && is_unspaced(word.text) &&
           contains_any(word.text, {"ません", "予定", "削除", "必要", "ていない", "れば", "たら", "不",
                                    "没",     "未",   "将",   "如果", "删除",     "移除", "需要", "않",
                                    "못",     "예정", "삭제", "하면", "필요",     "할 수"});
  });
}

class FileClaims {
 public:
  std::vector<ClaimedFile> take(const std::vector<PlainSentence>& sentences) {
    for (const PlainSentence& sentence : sentences) {
      if (files_.size() >= kMostClaimedFiles) break;
      read(sentence);
    }
    return std::move(files_);
  }

 private:
  void read(const PlainSentence& sentence) {
    const bool heads = sentence.unit == MessageUnit::Kind::heading || sentence.label;
    const bool has_path = std::any_of(sentence.words.begin(), sentence.words.end(),
                                      [](const PlainWord& word) { return word.kind == WordKind::path; });
    if (heads && !has_path) {
      list_ = list_of(sentence);
      return;
    }
    if (sentence.unit == MessageUnit::Kind::text && sentence.first && !sentence.label) list_ = Made::no;
    if (!has_path) return;
    if (list_ != Made::no && sentence.unit == MessageUnit::Kind::item && sentence.first &&
        sentence.words[0].kind == WordKind::path) {
      if (!holds(sentence, removed_words()))
        add(sentence.words[renamed(sentence.words, 0) ? 2 : 0].text, list_);
      return;
    }
    if (!denied(sentence)) read_verbs(sentence.words);
  }

  /// "a.py → b.py": a.py is gone.
  static bool renamed(const std::vector<PlainWord>& words, std::size_t path) {
    return path + 2 < words.size() && words[path + 1].kind == WordKind::mark && words[path + 1].text == ">" &&
           words[path + 2].kind == WordKind::path;
  }

  /// "Files created", "変更したファイル" above a list.
  static Made list_of(const PlainSentence& sentence) {
    if (sentence.words.size() > 6 || denied(sentence)) return Made::no;
    bool files = false;
    Made made_so = Made::no;
    for (const PlainWord& word : sentence.words) {
      if (word.kind != WordKind::word) continue;
      files =
          files || file_words().contains(word.text) || contains_any(word.text, {"ファイル", "文件", "파일"});
      const bool fresh =
          created_words().contains(word.text) ||
          contains_any(word.text, {"neue", "erstellte", "angelegte", "créés", "creados", "criados", "creati",
                                   "созданные", "作成", "追加", "新規", "新增", "创建", "생성", "추가"}) ||
          word.text == "new";
      const bool other =
          changed_words().contains(word.text) ||
          contains_any(word.text, {"geänderte", "modifiés", "modificados", "modificati", "изменённые",
                                   "измененные", "変更", "更新", "修正", "修改", "변경", "수정"});
      if (fresh && made_so == Made::no) made_so = Made::created;
      if (other) made_so = Made::changed;
    }
    return files ? made_so : Made::no;
  }

  void read_verbs(const std::vector<PlainWord>& words) {
    std::size_t last = words.size();  // the path that was claimed before this one
    Made last_made = Made::no;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].kind != WordKind::path || renamed(words, i)) continue;
      Made said = behind(words, i);
      if (said == Made::no) said = before(words, i);
      if (said == Made::no && last < i && joins(words, last, i)) said = last_made;
      if (said == Made::no) continue;
      add(words[i].text, said);
      last = i;
      last_made = said;
    }
  }

  static bool joins(const std::vector<PlainWord>& words, std::size_t from, std::size_t to) {
    static const Words kAnd = words_in("and und et y e и en i plus sowie");
    for (std::size_t i = from + 1; i < to; ++i) {
      const bool cjk_and = is_unspaced(words[i].text) &&
                           contains_any(words[i].text, {"と", "和", "、", "와", "과", "및"}) &&
                           words[i].text.size() <= 6;
      if (words[i].kind == WordKind::mark ? words[i].text != "," : !kAnd.contains(words[i].text) && !cjk_and)
        return false;
    }
    return true;
  }

  static Made before(const std::vector<PlainWord>& words, std::size_t path) {
    if (path == 0) return Made::no;
    if (const Made said = made_before(words[path - 1].text); said != Made::no) return said;
    static const Words kGlue = words_in(
        "the a an new file die der das den datei neue le la les fichier el los un "
        "una archivo o os arquivo il lo файл de bestand");
    bool inside = false, near = true, to = false, value = false;
    for (std::size_t i = path; i > 0 && path - i < kVerbReach; --i) {
      const PlainWord& word = words[i - 1];
      if (word.kind == WordKind::path || word.kind == WordKind::code) return Made::no;
      if (word.kind == WordKind::mark && word.text != ":") return Made::no;
      if (const Made said = made(word); said != Made::no) {
        // "changed the entry point to X", "added the option --output X"
        if ((to && said == Made::changed) || (value && !inside)) return Made::no;
        if (added_words().contains(word.text) && listed(words, path + 1)) return Made::no;
        return inside ? Made::changed : said;
      }
      if (clause_words().contains(word.text)) return Made::no;
      // "so that", "to write X"; not "to X", "to the file X"
      if (word.text == "to" && i < path && words[i].kind == WordKind::word &&
          !kGlue.contains(words[i].text)) {
        return Made::no;
      }
      if (inside && pointer_words().contains(word.text) && to) return Made::no;
      value = value || value_words().contains(word.text);
      if (near && one_of(word.text, {"to", "auf", "à", "a", "para", "vers"})) to = true;
      if (near && other_words().contains(word.text) && !kGlue.contains(word.text)) return Made::no;
      if (near && inside_words().contains(word.text)) inside = true;
      near = near && kGlue.contains(word.text);
    }
    return Made::no;
  }

  /// "to .gitignore", "to the ignore list", "to `docs/index.md`": behind what was added, and only named
  /// there. Not "to the project", "to handle carts".
  static bool listed(const std::vector<PlainWord>& words, std::size_t at) {
    static const Words kTo = words_in("to zu zur zum à a al alla ao в aan do");
    static const Words kArticles = words_in("the a an our its my this that");
    if (at + 1 >= words.size() || words[at].kind != WordKind::word || !kTo.contains(words[at].text))
      return false;
    const PlainWord& next = words[at + 1];
    if (next.kind == WordKind::path || next.kind == WordKind::code || next.text.starts_with('.')) return true;
    if (!kArticles.contains(next.text)) return contains_any(next.text, {"list", "ignore"});
    for (std::size_t i = at + 2; i < words.size() && i < at + 2 + kPlaceReach; ++i) {
      if (words[i].kind != WordKind::word) break;
      if (place_words().contains(words[i].text)) return false;
    }
    return true;
  }

  static Made behind(const std::vector<PlainWord>& words, std::size_t path) {
    // "so `a.css` is written"
    if (path > 0 && one_of(words[path - 1].text, {"so", "damit", "pour", "para"})) return Made::no;
    std::string unspaced;
    for (std::size_t i = path + 1; i < words.size() && i <= path + 2 && is_unspaced(words[i].text); ++i) {
      unspaced += words[i].text;
    }
    if (const Made said = made_behind(unspaced); said != Made::no) return said;
    // "Ich habe `a.ts` angelegt"
    const bool perfect =
        path > 0 && path + 2 >= words.size() &&
        std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(path),
                    [](const PlainWord& word) { return word.text == "habe" || word.text == "haben"; });
    if (perfect && path + 1 < words.size()) return made(words[path + 1]);
    static const Words kIs = words_in(
        "was were has have been is are now newly neu wurde wurden ist sind est sont été a "
        "ont fue ha sido foi è stato был была было");
    for (std::size_t i = path + 1; i < words.size() && i <= path + kBehindReach; ++i) {
      if (words[i].kind != WordKind::word) return Made::no;
      // "`a.ts` was added to `b.ts`": b.ts is told by its own verb.
      if (const Made said = made(words[i]); said != Made::no) {
        if (added_words().contains(words[i].text) && listed(words, i + 1)) return Made::no;
        return i > path + 1 || path == 0 ? said : Made::no;
      }
      if (!kIs.contains(words[i].text)) return Made::no;
    }
    return Made::no;
  }

  void add(std::string_view path, Made said) {
    while (path.starts_with("./")) path.remove_prefix(2);
    if (path.empty() || files_.size() >= kMostClaimedFiles || !seen_.insert(std::string(path)).second) return;
    files_.push_back({std::string(path), said == Made::created});
  }

  std::vector<ClaimedFile> files_;
  std::unordered_set<std::string> seen_;
  Made list_ = Made::no;  // of the items that follow
};

}  // namespace

ClaimedWork claimed_work(std::string_view message) {
  const std::vector<PlainSentence> sentences = plain_sentences(message);
  return {FileClaims().take(sentences), tests_claimed_by(sentences)};
}

std::vector<ClaimedFile> claimed_files(std::string_view message) {
  return claimed_work(message).files;
}

TestsClaim claimed_tests(std::string_view message) {
  return claimed_work(message).tests;
}

}  // namespace plankeep::core
