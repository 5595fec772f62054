internal import Errors

/// A key for a model server. It is printed nowhere: whatever describes it shows dots.
package struct AgentKey: Sendable, Hashable {
    /// Bytes of a key.
    package static let limit = 4096

    /// The key itself.
    package let text: String

    /// A key as it was kept; blanks and line ends around it do not belong to it.
    /// - Returns: nil if it cannot be one: it becomes a header, so nothing in it may end one.
    package init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// The key that is alone in a file.
    /// - Throws: `unauthorized` if the file cannot be read or holds something else.
    package init(file path: String) throws(AgentError) {
        guard let key = SecretFile.read(path, atMost: Self.limit).flatMap(Self.init(bytes:)) else {
            throw AgentError(.unauthorized, "\(path) is no file of at most \(Self.limit) bytes with a key in one line")
        }
        self = key
    }

    private init?(bytes: [UInt8]) {
        let blanks: Set<UInt8> = [9, 10, 13, 32]
        let key = bytes.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
        guard bytes.count <= Self.limit, !key.isEmpty, key.allSatisfy({ 33...126 ~= $0 }) else { return nil }
        text = String(decoding: Array(key), as: UTF8.self)
    }
}

extension AgentKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "•••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
