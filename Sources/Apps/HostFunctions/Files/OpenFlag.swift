internal import Storage

/// How a file is opened, in the flags of Node: `r`, `r+`, `w`, `a`, each with `+` for both directions, `x` for a file that must
/// not be there yet, and `s` for writes that return when they are on the disk.
struct OpenFlag {
    let opening: ConfinedFolder.Opening

    /// Nil if Node does not know the flag.
    init?(_ text: String) {
        var rest = text[...]
        let first = rest.popFirst()
        guard let first, "rwa".contains(first) else { return nil }
        let isExclusive = first != "r" && Self.drop("x", from: &rest)
        let synchronizes = !isExclusive && first != "w" && Self.drop("s", from: &rest)
        let isBoth = Self.drop("+", from: &rest)
        guard rest.isEmpty else { return nil }
        var opening = ConfinedFolder.Opening(reads: isBoth || first == "r", writes: isBoth || first != "r")
        opening.appends = first == "a"
        opening.truncates = first == "w"
        opening.creates = first != "r"
        opening.isExclusive = isExclusive
        opening.synchronizes = synchronizes
        self.opening = opening
    }

    private static func drop(_ letter: Character, from rest: inout Substring) -> Bool {
        guard rest.first == letter else { return false }
        rest.removeFirst()
        return true
    }
}
