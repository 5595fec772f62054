/// How far an upload is.
package struct UploadStatus: Sendable, Hashable {
    /// Bytes that are on the disk.
    package var offset: Int
    /// Bytes of the whole; nil until the client says it.
    package var length: Int?
    /// What its creator wrote down for it: not looked at here.
    package var about: String
    /// Whether all bytes have come and were taken over.
    package var isComplete: Bool
}

/// What is written down beside the bytes of an upload.
struct UploadRecord: Equatable {
    var length: Int?
    var about: String

    static let byteLimit = 64 * 1024

    init(length: Int?, about: String) { (self.length, self.about) = (length, about) }

    /// Reads what ``serialized()`` wrote; nil if it is something else.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2 else { return nil }
        about = String(lines[1])
        if lines[0] == "-" { return }
        guard let length = Int(lines[0]), length >= 0 else { return nil }
        self.length = length
    }

    /// The length or `-`, a line feed, and what the creator wrote.
    func serialized() -> [UInt8] { Array("\(length.map(String.init) ?? "-")\n\(about)".utf8) }
}
