/// The name of a `.crdtlog` file: `{profile}.{instance}.{ms}`, in older files with underscores, in the oldest without the
/// profile.
///
/// Identifiers may hold underscores themselves, so older names can be split in several ways; the last underscores count.
struct LogName: Hashable {
    let profile: Substring?
    let instance: Substring
    /// When the file was begun, in milliseconds since 1970 by its writer's clock.
    let milliseconds: Int64

    static let suffix = ".crdtlog"

    init?(_ name: String) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let base = name.dropLast(Self.suffix.count)
        guard let split = Self.split(base, at: ".") ?? Self.split(base, at: "_"), !split.instance.isEmpty else {
            return nil
        }
        (profile, instance, milliseconds) = split
    }

    /// The name of a file that we begin.
    static func text(_ writer: WriterID, _ milliseconds: Int64) -> String {
        "\(writer).\(writer).\(milliseconds)\(suffix)"
    }

    /// When a file of this writer was begun; nil if the file, in whichever form it is named, belongs to someone else.
    static func milliseconds(of name: String, by writer: WriterID) -> Int64? {
        for prefix in ["\(writer).\(writer).", "\(writer)_\(writer)_", "\(writer)_"]
        where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            if let time = number(name.dropFirst(prefix.count).dropLast(suffix.count)) { return time }
        }
        return nil
    }

    private static func split(
        _ base: Substring, at separator: Character
    ) -> (profile: Substring?, instance: Substring, milliseconds: Int64)? {
        guard let last = base.lastIndex(of: separator), let time = number(base[base.index(after: last)...]) else {
            return nil
        }
        let writer = base[..<last]
        guard let middle = writer.lastIndex(of: separator), middle > writer.startIndex else {
            return separator == "_" ? (nil, writer, time) : nil
        }
        return (writer[..<middle], writer[writer.index(after: middle)...], time)
    }

    private static func number(_ digits: Substring) -> Int64? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
    }
}
