/// Names one version of a resource (RFC 9110 section 8.8.3).
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// What stands between the quotation marks.
    package let opaque: String
    /// Whether versions with this tag may differ in their bytes.
    package let isWeak: Bool

    /// - Parameter opaque: characters that may stand in a tag; others are dropped.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = String(opaque.unicodeScalars.filter { Self.mayContain($0) })
        self.isWeak = isWeak
    }

    package var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

    /// Both are strong and equal: byte for byte the same version.
    package func isSame(as other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    private static func mayContain(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "!" || (0x23...0x7E).contains(scalar.value) || scalar.value > 0x9F
    }

    /// The tags of a list, and whether it is `*`. Nil if it is neither (RFC 9110 section 13.1.1).
    static func list(_ text: String) -> (tags: [EntityTag], isAny: Bool)? {
        var tags: [EntityTag] = []
        var rest = text.unicodeScalars[...]
        func skip() { rest = rest.drop { " \t,".unicodeScalars.contains($0) } }
        skip()
        if rest.elementsEqual("*".unicodeScalars) { return ([], true) }
        while !rest.isEmpty {
            let isWeak = rest.starts(with: "W/".unicodeScalars)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.popFirst() == "\"" else { return nil }
            let opaque = rest.prefix { mayContain($0) }
            rest = rest.dropFirst(opaque.count)
            guard rest.popFirst() == "\"" else { return nil }
            tags.append(EntityTag(String(String.UnicodeScalarView(opaque)), isWeak: isWeak))
            guard rest.isEmpty || rest.first.map({ " \t,".unicodeScalars.contains($0) }) == true else { return nil }
            skip()
        }
        return (tags, false)
    }
}
