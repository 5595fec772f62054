/// The name of an activity or deletion log: `{profile}.{instance}.log`, in older ones `{profile}_{instance}.log`, in the oldest
/// `{instance}.log`.
enum LineLogName {
    static let suffix = ".log"

    static func text(_ writer: WriterID) -> String { "\(writer).\(writer)\(suffix)" }

    /// Who writes the file; nil if the name is not of this kind.
    static func writer(of name: String) -> WriterID? {
        guard name.hasSuffix(suffix) else { return nil }
        let base = name.dropLast(suffix.count)
        if let dot = base.lastIndex(of: ".") { return try? WriterID(base[base.index(after: dot)...]) }
        // An identifier may hold an underscore, so only halves that look like identifiers are taken for two.
        for place in base.indices.reversed() where base[place] == "_" {
            let halves = (base[..<place], base[base.index(after: place)...])
            if isTypical(halves.0), isTypical(halves.1) { return try? WriterID(halves.1) }
        }
        return try? WriterID(base)
    }

    private static func isTypical(_ text: Substring) -> Bool {
        text.utf8.count == 22 || text.utf8.count == 36 || text.hasPrefix("ios-")
    }
}
