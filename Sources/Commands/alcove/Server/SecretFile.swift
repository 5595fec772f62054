import Foundation

/// A short text in a file, which a command line that everybody on the machine can read does not contain.
enum SecretFile {
    /// The longest one, in bytes.
    private static let limit = 4096

    /// - Parameter option: its name, for the message.
    static func text(_ file: String, option: String) throws(UsageError) -> String {
        guard let bytes = FileManager.default.contents(atPath: file), bytes.count <= limit else {
            throw UsageError("--\(option): \(file) cannot be read, or is no short text")
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
