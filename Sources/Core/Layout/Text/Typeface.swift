/// The size and weight of a text, in points.
struct Typeface: Sendable, Hashable {
    let size: Int
    let lineHeight: Int
    let isBold: Bool

    static var title: Typeface { Typeface(size: 22, lineHeight: 28, isBold: true) }
    static var body: Typeface { Typeface(size: 16, lineHeight: 22, isBold: false) }
    static var strong: Typeface { Typeface(size: 16, lineHeight: 22, isBold: true) }
    static var small: Typeface { Typeface(size: 13, lineHeight: 18, isBold: false) }
    static var smallStrong: Typeface { Typeface(size: 13, lineHeight: 18, isBold: true) }

    /// Bold is 6 % wider.
    private var scale: Int { size * (isBold ? 106 : 100) }

    /// The points that an advance takes, rounded up.
    func points(_ advance: Int) -> Int { (advance * scale + 99_999) / 100_000 }

    /// The longest advance that fits in so many points.
    func advance(fitting points: Int) -> Int { max(points, 0) * 100_000 / scale }

    /// From the top of a line to its baseline.
    var baseline: Int { (lineHeight - size) / 2 + size * 4 / 5 }
}
