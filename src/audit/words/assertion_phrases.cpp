// Chinese, Japanese and Korean: the half of assertion_words that is read by phrases.

#include "audit/words/assertion_word_list.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using namespace word;

// A phrase that holds another one and says the contrary has to stand here too: the longest wins.
constexpr WordList kPhrases[] = {
    // Chinese
    {kDone, "勾选 勾选了 已勾选 打勾 打了勾"},
    {kUndone, "未勾选 没有勾选 待开发"},
    {kDone, "全部实现 已全部实现 都实现了 均已实现"},
    {kLeft, "的实现和测试 的开发和测试"},
    {kOnly | kRemains | kUndone, "只剩 只剩下 仅剩 仅剩下 还剩下"},
    {kLeft, "功能"},
    {kDone,
     "已完成 已经完成 已經完成 完成了 已做完 做完了 已经做完 搞定了 已搞定 顺利完成 成功完成 均已完成 "
     "已经完成了 已完成了 完毕 完畢 已关闭 已做好 做好了 已收尾 开发完成 实现完成 编写完成 已经搞定 弄好了 "
     "弄完了 做好啦 完成啦 已完工 "
     "已经做好了 已结束 已交付 已处理完"},
    {kMade, "已实现 实现了 已經實現 已解决 已经实现"},
    {kDoneAfter | kPlainDone, "完成 搞定 做完 完工"},
    {kLeft,
     "也 都 均 已 已经 已經 现在 現在 目前 任务 任務 是 为 為 的状态为 的状态 状态 标记为 标为 实现 的实现 "
     "两个 两项 这 "
     "这两个 三个 并 并且"},
    {kLeft | kRight | kTask, "任务 任務 タスク 작업 태스크"},
    {kRight, "了 的任务"},
    {kFirst | kLeft, "已将 已把 我将 我把"},
    {kUndone,
     "未完成 未 没 没有 還沒 还没 还没有 沒有 未能 无法 無法 不能 不 尚 尚未 部分完成 部分 进行中 進行中 "
     "待完成 待办 待 "
     "未完成的 未开始 剩余 剩下 阻塞 跳过 失败 暂停"},
    {kNot,
     "将 將 将会 会 會 即将 准备 准備 计划 打算 下一步 接下来 接下來 请 請 需要 应该 應該 需 要 已有 之前已 "
     "此前 另一个 其他 "
     "他人"},
    {kNot | kTail | kIf,
     "如果 一旦 当 當 完成后 完成後 完成之后 完成以后 完成前 完成之前 完成时 之后 之後 以后"},
    {kBut, "但 但是 不过 而"},
    {kJoin, "和 与 與 及 以及 还有"},
    {kRange, "到 至"},
    {kFirst, "我 我们"},
    {kAll, "所有 全部 所有的"},
    {kPhase, "阶段 階段 フェーズ"},
    {kSays, "听说 聽說 被告知 得知 据说 根据 声称 称 表示 说 写道 提到"},
    {kRetract, "回滚 撤销 回退 还原 撤回 回滾 撤銷 又改回"},
    {kUndone,
     "一半 基本完成 即将完成 接近完成 大部分 大部分完成 基本 差不多 几乎 幾乎 快要 快完成 完成度 完成率 "
     "没有完成 只完成 仅完成 尚待 还差 无法完成"},
    {kExcept, "除了 除"},
    {kExceptAfter | kLeft, "以外 之外 外"},
    {kMine, "分配的 指派的 交给我的 我的 分配给我的 被分配的 指定的"},
    {kLeft, "的任务 的所有任务 的全部任务 的工作 工作 顺利 成功 这项 均 全都 已全部 也都"},
    {kAll, "都 全都 已全部"},
    {kAll | kNot, "其他 其它 其余 其他的 其余的"},
    {kBoth, "两个 两项 这两个 两个都"},
    {kAmong, "里 中 里面 当中 内"},
    {kCounter, "项 項 号"},
    {kCounter | kAmount, "个 個"},
    {kLeft, "彻底 完全 这一项 这项 这项任务 这两项"},
    {kDone, "已经做完 都做完了 都完成了"},
    // Behind the title of a phase: its part of the plan, and all of that
    {kDone, "部分已全部完成 部分全部完成 部分已经全部完成 部分均已完成 部分都已完成"},
    {kLeft, "部分的任务已全部 部分的任务全部 部分的任务已经全部 部分的所有任务 部分的全部任务"},
    {kHeading | kPlan, "计划中的 计划里的 计划的"},
    {kHeading, "第"},
    {kHeading, "说明 数据 删除 移除 清除 解除 排除 称为 名称"},
    // Japanese
    {kLeft | kOnly, "のみ だけ のみが だけが"},
    {kRemains | kUndone, "残っています 残りです"},
    {kDone, "チェックを入れました チェックしました チェック済み"},
    {kDone,
     "完了しました 完了した 完了済み 完了済 完了しています 完了です 完了いたしました 終わりました 終わった "
     "終了しました "
     "完成しました 完成した 対応済み 済み 終えました 完了 クローズしました クローズ済み 仕上げました "
     "仕上がりました 片付けました 済ませました 完成済み 完成しています 終了済み 終わっています "
     "終わらせました 完了としました 完了となりました 完了になりました 完了させました マージしました "
     "マージ済み 対応完了"},
    {kMade, "実装しました 実装した 実装済み 実装完了"},
    {kLeft,
     "を は が も の実装 の実装を の実装が の作業 の作業が の作業を 全て すべて 無事 無事に 正常に に "
     "に関して の対応 "
     "の対応が の状態は 両方とも とも を全て をすべて はすべて ともに"},
    {kRight, "の したタスク した"},
    {kUndone,
     "未完了 未着手 完了していません 完了していない 完了できません 完了できませんでした 終わっていません "
     "ません ない "
     "ていない できな 一部 途中 作業中 対応中 残り 残って まだ 未実装 実装していません"},
    {kNot, "次 次は 次に ください 必要 べき 予定 つもり 既に すでに 前回 以前 他の"},
    {kTail, "予定 たら れば 必要 する します 前に 後に"},
    {kNot | kTail | kIf, "完了後 完了前 完了したら 完了すれば もし 完了する 完了します 完了次第"},
    {kBut, "しかし ですが が、 けど 一方"},
    {kJoin, "と および 及び ならびに"},
    {kRange, "から"},
    {kFirst, "私 私は"},
    {kAll, "すべての 全ての 全"},
    {kSays, "と聞い と聞き と言われ とのこと によると によれば と言って と書いて と報告 と主張"},
    {kRetract, "元に戻 取り消 ロールバック 差し戻 リバート 巻き戻"},
    {kUndone,
     "間近 完了間近 ほぼ ほぼ完了 ほとんど 半分 だいたい 一部のみ ありません 完了させる 完了していません "
     "完了しておらず 完了できず 完了には"},
    {kExceptAfter, "を除き を除いて を除く 以外 以外は 以外の 以外を を除いた"},
    {kMine, "割り当てられた 割り当ての 担当の 指定された 私の"},
    {kLeft,
     "まで までを までは までの までが まですべて の実装とテストが の実装とテストを の実装・テストが "
     "の作業も 無事に これで 今回"},
    {kAll | kLeft, "すべて 全て 全部 はすべて をすべて は全て を全て もすべて"},
    {kBoth | kLeft, "両方 両方とも どちらも"},
    {kUndone, "わけでは わけではありません 完了したわけ"},
    {kAmong, "のうち のうちの では"},
    {kCounter, "番"},
    {kCounter | kAmount, "つ 件"},
    // Korean
    {kOnly, "만"},
    {kRemains | kUndone, "남았습니다 남았고 남아있습니다"},
    {kDone, "체크했습니다 체크했고"},
    {kDone,
     "완료 완료했습니다 완료됨 완료되었습니다 완료됐습니다 완료하였습니다 완료함 완료했다 완료되었다 "
     "끝냈습니다 끝났습니다 "
     "마쳤습니다 완성했습니다 완료된 완료한 완료했고 완료됐고 완료했으며 완료되었으며 완료했어요 완료됐어요 "
     "끝냈고 "
     "끝냈으며 끝냈어요 끝났어요 마쳤고 마쳤으며 마쳤어요 마무리했습니다 마무리됐습니다 마무리되었습니다 "
     "마무리했고 마무리했으며 종료했습니다 닫았습니다 완료입니다 완료하였고 완료되었고 끝마쳤습니다 "
     "완성되었습니다 "
     "완성됐습니다 마무리됨"},
    {kMade, "구현했습니다 구현되었습니다 구현됨 구현했고"},
    {kLeft, "을 를 은 는 이 가 도 모두 둘 다 구현 구현을 구현이 의 성공적으로 방금 상태는 이제"},
    {kRight, "된 한"},
    {kUndone,
     "미완료 아직 못 못했습니다 않 않았습니다 안 완료하지 완료되지 끝내지 마치지 일부 진행 진행중 남은 남아 "
     "보류 차단 "
     "실패"},
    {kNot, "예정 다음 이미 필요 하겠습니다 해주세요 하세요 이전"},
    {kTail, "예정 후 전 하겠습니다 하면 되면 할"},
    {kNot | kTail | kIf, "완료되면 완료하면 완료할 완료하겠습니다 완료한다면 만약"},
    {kBut, "하지만 그러나 반면"},
    {kJoin, "와 과 및 하고 랑"},
    {kRange, "부터"},
    {kAll, "모든"},
    {kPhase, "단계 페이즈"},
    {kSays, "들었습니다 들었어요 들었지만 전해 따르면 말했습니다 주장"},
    {kRetract, "되돌 롤백 취소했 되돌림 철회"},
    {kUndone,
     "거의 일부만 절반 대부분 완료했다가 완료되었다고 완료했다고 완료됐다고 완료해야 완료되어야 완료돼야 "
     "완료하려면 완료하기"},
    {kExceptAfter, "제외하고 제외한 제외하면 제외 빼고 외에"},
    {kMine, "할당된 배정된 맡은 주어진"},
    {kLeft, "개발 개발을 개발이 까지 까지의 전부 현재 이번 완전히 정상적으로"},
    {kAll | kLeft, "모두 전부"},
    {kBoth | kLeft, "둘 두"},
    {kTail, "뒤 다음"},
    {kLeft, "처리 만 구현하고 테스트까지"},
    {kUndone, "아닙니다 아니며 것은 마무리하지 마무리되지"},
    {kAmong, "중 중에서 가운데 에서"},
    {kCounter, "번"},
    {kCounter | kAmount, "개 건"},
};

constexpr std::size_t kLongestPhrase = 36;  // bytes: 12 characters

}  // namespace

Phrase phrase_at(std::string_view text) {
  static const WordTable table = [] {
    WordTable words;
    add_to(words, kPhrases);
    return words;
  }();
  Phrase longest;
  const std::size_t end = std::min(text.size(), kLongestPhrase);
  for (std::size_t at = 0; at < end;) {
    at += base::decode_at(text, at).length;
    if (const auto found = table.find(text.substr(0, at)); found != table.end())
      longest = {at, found->second};
  }
  return longest;
}

bool is_cjk(char32_t value) {
  return (value >= 0x3041 && value <= 0x30FF) || (value >= 0x3400 && value <= 0x9FFF) || value == 0x3005 ||
         (value >= 0x31F0 && value <= 0x31FF) || (value >= 0xAC00 && value <= 0xD7A3) ||
         (value >= 0xF900 && value <= 0xFAFF) || (value >= 0x20000 && value <= 0x3FFFF);
}

}  // namespace plankeep::core
