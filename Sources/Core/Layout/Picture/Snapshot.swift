/// A picture with all that it was made from, to keep and to compare with. Written with `JSON.encode`.
package struct Snapshot: Sendable, Encodable {
    package let format = "svg"
    package let width: Int
    package let height: Int
    package let theme = Theme.name
    /// The ``fingerprint(of:)`` of the bytes of ``svg``.
    package let hash: String
    package let svg: String
    package let scene: Scene
    /// The tree with its places.
    package let layout: ViewTree

    init(_ layout: Layout) {
        scene = layout.scene
        svg = scene.svg
        hash = Snapshot.fingerprint(of: svg)
        width = layout.viewport.width
        height = layout.viewport.height
        self.layout = layout.tree
    }

    private enum CodingKeys: String, CodingKey { case format, width, height, theme, hash, svg, scene, layout }

    /// `fnv1a64:` and 16 hexadecimal digits: FNV-1a with 64 bits. It finds what changed by accident, not by intent.
    package static func fingerprint(of text: String) -> String {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return "fnv1a64:" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// What a ``Snapshot`` is expected to be, read from one that was kept: its `hash` and, for more than yes or no, its `svg`.
package struct ExpectedSnapshot: Sendable, Hashable, Decodable {
    package let hash: String
    package let svg: String?

    package init(hash: String, svg: String? = nil) {
        self.hash = hash
        self.svg = svg
    }
}

/// How a picture compares with the one that was expected.
package struct SnapshotComparison: Sendable, Hashable, Codable {
    package let matches: Bool
    package let expectedHash: String
    package let actualHash: String
    /// Bytes; `nil` if only the hash is known.
    package let expectedLen: Int?
    package let actualLen: Int
    /// The first byte that differs; `nil` if none does, or only the hash is known.
    package let firstDifference: Int?

    package init(expected: ExpectedSnapshot, actual: Snapshot) {
        expectedHash = expected.svg.map(Snapshot.fingerprint) ?? expected.hash
        actualHash = actual.hash
        expectedLen = expected.svg?.utf8.count
        actualLen = actual.svg.utf8.count
        firstDifference = expected.svg.flatMap { SnapshotComparison.firstDifference($0, actual.svg) }
        matches = expectedHash == actualHash && firstDifference == nil
    }

    private static func firstDifference(_ expected: String, _ actual: String) -> Int? {
        let common = zip(expected.utf8, actual.utf8).prefix { $0 == $1 }.count
        return common == expected.utf8.count && common == actual.utf8.count ? nil : common
    }
}

extension Layout {
    /// The picture of what is in sight, with all that it was made from.
    package var snapshot: Snapshot { Snapshot(self) }
}
