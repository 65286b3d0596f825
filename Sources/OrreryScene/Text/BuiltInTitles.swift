// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

/// Translations of the texts of the built-in scenes.
///
/// Names of Swift (`spring`, `everyMinute`, …) are the same in every language. The width of a ticker's cells
/// and of a flowing text is a period of its motion. In languages written from left to right such texts are
/// not translated, so that only names of currencies make the motion depend on the language. From right to
/// left they are translated, since their sides change anyway.
package enum BuiltInTitles {
  /// The languages of the table, as `SceneLocale.translation` names them; `en` is its key.
  package static let languages = ["de", "ja", "zh_Hans", "ar"]

  /// The English texts that have translations.
  package static var texts: [String] { rows.map(\.english) }

  /// A text in another language.
  ///
  /// - Parameters:
  ///   - text: A text of a built-in scene.
  ///   - language: As `SceneLocale.translation` names it.
  /// - Returns: The text itself if the table has no other.
  package static func text(_ text: String, in language: String) -> String {
    guard let row = index[text] else { return text }
    switch language {
    case "de": return row.german ?? text
    case "ja": return row.japanese ?? text
    case "zh_Hans": return row.chinese ?? text
    case "ar": return row.arabic
    default: return text
    }
  }

  private typealias Row = (
    english: String, german: String?, japanese: String?, chinese: String?, arabic: String
  )

  private static let index = Dictionary(uniqueKeysWithValues: rows.map { ($0.english, $0) })

  private static let rows = titles + moving

  private static let titles: [Row] = [
    // flags
    ("Exchange Rates", "Wechselkurse", "為替レート", "汇率", "أسعار الصرف"),
    // planets, planets-as-written
    (
      "Planets and their moons", "Planeten und ihre Monde", "惑星とその衛星", "行星及其卫星",
      "الكواكب وأقمارها"
    ),
    (
      "One name, two rows: both open", "Ein Name, zwei Zeilen: Beide öffnen sich",
      "同じ名前の行が二つ：両方が開く", "一个名称，两行：两行都打开", "اسم واحد وصفّان: كلاهما يُفتح"
    ),
    (
      "The animation that turns the moons moves their orbits, too:",
      "Die Animation, die die Monde dreht, bewegt auch ihre Bahnen:",
      "衛星を回すアニメーションが軌道も動かす：", "转动卫星的动画也移动了它们的轨道：",
      "الحركة التي تدير الأقمار تحرّك مداراتها أيضًا:"
    ),
    (
      "they begin above their planet and slide, again and again",
      "sie beginnen über ihrem Planeten und gleiten, immer wieder",
      "惑星の上から始まり、何度も滑っていく", "它们从行星上方开始滑动，一次又一次",
      "تبدأ فوق كوكبها وتنزلق مرة بعد مرة"
    ),
    (
      "Four moons toggle one flag, one after the other:",
      "Vier Monde schalten nacheinander einen Schalter um:",
      "四つの衛星が一つのフラグを順に切り替える：", "四颗卫星依次切换同一个标志：",
      "أربعة أقمار تبدّل علامة واحدة، واحدًا بعد الآخر:"
    ),
    (
      "it ends where it started, and no moon turns",
      "er endet, wie er begann, und kein Mond dreht sich", "元の値に戻り、どの衛星も回らない",
      "它回到起点，没有卫星转动", "تعود إلى حالتها الأولى ولا يدور أي قمر"
    ),
    ("Mars", "Mars", "火星", "火星", "المريخ"),
    ("Jupiter", "Jupiter", "木星", "木星", "المشتري"),
    ("Saturn", "Saturn", "土星", "土星", "زحل"),
    ("Uranus", "Uranus", "天王星", "天王星", "أورانوس"),
    ("Neptune", "Neptun", "海王星", "海王星", "نبتون"),
    // completions
    (
      "When is an animation complete?", "Wann ist eine Animation abgeschlossen?",
      "アニメーションはいつ完了するか", "动画何时完成？", "متى تكتمل الحركة؟"
    ),
    ("Opacity", "Deckkraft", "不透明度", "不透明度", "العتامة"),
    ("Scale", "Skalierung", "拡大と縮小", "缩放", "تغيير الحجم"),
    ("Rotation", "Drehung", "回転", "旋转", "الدوران"),
    ("Compound", "Zusammengesetzt", "複合", "组合", "مركّبة"),
    ("Repeated", "Wiederholt", "繰り返し", "重复", "متكررة"),
    ("Every repetition", "Jede Wiederholung", "繰り返しごと", "每次重复", "كل تكرار"),
    ("linear, 3 seconds", "linear, 3 Sekunden", "linear、3秒", "linear，3 秒", "3 ثوانٍ، linear"),
    (
      "easeInOut, 2 seconds", "easeInOut, 2 Sekunden", "easeInOut、2秒", "easeInOut，2 秒",
      "ثانيتان، easeInOut"
    ),
    (
      "three properties, one completion", "drei Eigenschaften, ein Abschluss",
      "三つのプロパティ、一つの完了", "三个属性，一次完成", "ثلاث خصائص، اكتمال واحد"
    ),
    (
      "three times, one completion", "dreimal, ein Abschluss", "三回で一つの完了", "三次，一次完成",
      "ثلاث مرات، اكتمال واحد"
    ),
    (
      "four times, four completions", "viermal, vier Abschlüsse", "四回で四つの完了",
      "四次，四次完成", "أربع مرات، أربعة اكتمالات"
    ),
    ("running", "läuft", "実行中", "进行中", "قيد التشغيل"),
    ("complete", "abgeschlossen", "完了", "完成", "مكتملة"),
    // completions-as-written
    (
      "The article's detectors", "Die Detektoren des Artikels", "記事の検出器", "文章中的检测器",
      "كاشفات المقال"
    ),
    ("Timeout: late", "Zeitlimit: zu spät", "タイムアウト：遅い", "超时：太晚", "المهلة: متأخرة"),
    ("Timeout: a stall", "Zeitlimit: ein Stocken", "タイムアウト：停滞", "超时：停顿", "المهلة: توقّف"),
    ("Timeout: shared", "Zeitlimit: geteilt", "タイムアウト：共有", "超时：共用", "المهلة: مشتركة"),
    (
      "0.1 s after the event", "0,1 s nach dem Ereignis", "イベントの0.1秒後", "事件之后 0.1 秒",
      "بعد الحدث بمقدار 0.1 ث"
    ),
    ("fires twice", "löst zweimal aus", "二回発火する", "触发两次", "يُطلَق مرتين"),
    (
      "three views, one completion", "drei Ansichten, ein Abschluss", "三つのビュー、一つの完了",
      "三个视图，一次完成", "ثلاثة عناصر، اكتمال واحد"
    ),
    (
      "Compare: long legs", "Vergleich: lange Strecken", "比較：長い区間", "比较：长段",
      "المقارنة: مراحل طويلة"
    ),
    (
      "Compare: short legs", "Vergleich: kurze Strecken", "比較：短い区間", "比较：短段",
      "المقارنة: مراحل قصيرة"
    ),
    (
      "two legs of 0.5 s", "zwei Strecken von 0,5 s", "0.5秒の区間が二つ", "两段，每段 0.5 秒",
      "مرحلتان، كل منهما 0.5 ث"
    ),
    (
      "four legs of eight writes", "vier Strecken mit acht Schreibvorgängen",
      "八回書き込む区間が四つ", "四段，每段写入八次", "أربع مراحل، في كل منها ثماني كتابات"
    ),
    ("For ever", "Endlos", "無限", "无限循环", "بلا نهاية"),
    (
      "no completion as a whole", "kein Abschluss des Ganzen", "全体としては完了しない",
      "整体永不完成", "لا اكتمال للحركة ككل"
    ),
    // flow-text
    (
      "to the right, a tenth of its width each second",
      "nach rechts, jede Sekunde ein Zehntel der Breite", "右へ、毎秒、幅の10分の1",
      "向右，每秒移动宽度的十分之一", "إلى اليمين، عُشر العرض كل ثانية"
    ),
    (
      "to the left, 120 points each second", "nach links, 120 Punkte pro Sekunde",
      "左へ、毎秒120ポイント", "向左，每秒 120 点", "إلى اليسار، 120 نقطة كل ثانية"
    ),
    (
      "ten seconds a round, from the start", "zehn Sekunden pro Runde, von Anfang an",
      "一周10秒、最初から", "每圈十秒，从头开始", "عشر ثوانٍ لكل دورة، منذ البداية"
    ),
    // flow-text-as-written
    (
      "One copy: a hole grows behind the picture", "Eine Kopie: Hinter dem Bild wächst ein Loch",
      "コピー一つ：絵の後ろに穴が広がる", "一份副本：图片后面的空洞越来越大",
      "نسخة واحدة: تتسع فجوة خلف الصورة"
    ),
    (
      "Two copies: no hole, but the loop may jump after nine steps of ten",
      "Zwei Kopien: kein Loch, doch die Schleife kann nach neun von zehn Schritten springen",
      "コピー二つ：穴はないが、十歩のうち九歩でループが飛ぶことがある",
      "两份副本：没有空洞，但循环可能在十步中的第九步后跳变",
      "نسختان: لا فجوة، لكن الحلقة قد تقفز بعد تسع خطوات من عشر"
    ),
    // timeline
    (
      "Timeline schedules", "Zeitpläne der Timeline", "タイムラインのスケジュール", "时间线的更新计划",
      "جداول الخط الزمني"
    ),
    ("starts of minutes", "Minutenanfänge", "毎分の始まり", "每分钟开始时", "بدايات الدقائق"),
    (
      "0, 5 and 10 seconds", "0, 5 und 10 Sekunden", "0、5、10秒", "0、5 和 10 秒",
      "0 و5 و10 ثوانٍ"
    ),
    ("every tick", "jeder Tick", "毎ティック", "每个节拍", "كل نبضة"),
    ("Ticker", "Laufschrift", "ティッカー", "滚动字幕", "شريط متحرك"),
    (
      "by the date, not by the number of updates",
      "nach dem Datum, nicht nach der Zahl der Aktualisierungen",
      "更新の回数ではなく、日時に従う", "按日期，而不是按更新次数", "حسب التاريخ، لا حسب عدد التحديثات"
    ),
    // timeline-as-written
    (
      "One point at each update, one copy", "Ein Punkt bei jeder Aktualisierung, eine Kopie",
      "更新ごとに1ポイント、コピー一つ", "每次更新一点，一份副本", "نقطة واحدة عند كل تحديث، نسخة واحدة"
    ),
    (
      "By the time between updates, two copies a frame apart: a wide text overlaps",
      "Nach der Zeit zwischen Aktualisierungen, Kopien im Rahmenabstand: Breiter Text überlappt",
      "更新の間隔に従い、フレーム幅だけ離れたコピー二つ：長い文字列は重なる",
      "按更新之间的时间，两份副本相隔一个框宽：过宽的文字会重叠",
      "حسب الزمن بين التحديثات، نسختان يفصل بينهما عرض الإطار: النص العريض يتراكب"
    ),
    (
      "By the date, the period at least as long as the text: no seam",
      "Nach dem Datum, die Periode mindestens so lang wie der Text: keine Naht",
      "日時に従い、周期は文字列の長さ以上：継ぎ目なし", "按日期，周期不短于文字：没有接缝",
      "حسب التاريخ، والدورة لا تقل عن طول النص: بلا فاصل"
    ),
  ]

  private static let moving: [Row] = [
    // flow-text
    ("Any text, any picture", nil, nil, nil, "أي نص، أي صورة"),
    ("Upward", nil, nil, nil, "إلى الأعلى"),
    ("Downward", nil, nil, nil, "إلى الأسفل"),
    // timeline
    ("Hello, TimelineView!", nil, nil, nil, "مرحبًا، TimelineView!"),
    ("What leaves on the left", nil, nil, nil, "ما يخرج من اليمين"),
    ("comes in on the right", nil, nil, nil, "يدخل من اليسار"),
    // timeline-as-written
    ("Hello TimelineView", nil, nil, nil, "مرحبًا TimelineView"),
    (
      "Hello, TimelineView! The second copy begins too soon.", nil, nil, nil,
      "مرحبًا، TimelineView! تبدأ النسخة الثانية قبل أوانها بكثير."
    ),
    (
      "Hello, TimelineView! The second copy begins in time.", nil, nil, nil,
      "مرحبًا، TimelineView! تبدأ النسخة الثانية في الوقت المناسب."
    ),
  ]
}

extension Scene {
  /// The same scene with the texts of built-in scenes in a language.
  func translated(to language: String) -> Scene {
    var scene = self
    scene.content = content.map { part in
      switch part {
      case .row(var row):
        row.cells = row.cells.map { cell in
          guard case .label(let text, let flag) = cell else { return cell }
          return .label(BuiltInTitles.text(text, in: language), flag: flag)
        }
        return .row(row)
      case .text(var text):
        text.content = BuiltInTitles.text(text.content, in: language)
        return .text(text)
      case .view(var view):
        view.elements = view.elements.map { $0.translated(to: language) }
        return .view(view)
      case .accordion(var accordion):
        for index in accordion.rows.indices {
          let row = accordion.rows[index]
          accordion.rows[index].title = BuiltInTitles.text(row.title ?? row.name, in: language)
        }
        return .accordion(accordion)
      case .flowText(var text):
        text.content = BuiltInTitles.text(text.content, in: language)
        return .flowText(text)
      case .orbitSystem, .field, .clock: return part
      }
    }
    return scene
  }
}

extension ViewElement {
  fileprivate func translated(to language: String) -> ViewElement {
    guard case .text(let text, let font, let alignment) = shape else { return self }
    var element = self
    element.shape = .text(
      BuiltInTitles.text(text, in: language), font: font, alignment: alignment)
    return element
  }
}
