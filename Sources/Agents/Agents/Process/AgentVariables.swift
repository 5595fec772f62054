internal import Errors

/// Variables for an agent's program, as a file has them: `NAME=value` in each line. Keys are among them, so they are printed nowhere.
///
/// Empty lines, and those that begin with `#`, say nothing. `export` before a name and one pair of quotation marks around a value are passed over, as such files
/// are often read by shells; nothing in a value is special.
package struct AgentVariables: Sendable, Hashable {
    /// Bytes of such a file: what a host process takes as one secret.
    package static let limit = 4096

    let values: [String: String]

    /// - Throws: `cannotStart` with the number of the line that is wrong, and not what stands there.
    package init(_ text: String) throws(AgentError) {
        guard text.utf8.count <= Self.limit, !text.utf8.contains(0) else {
            throw AgentError(.cannotStart, "variables are at most \(Self.limit) bytes of text")
        }
        var values: [String: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var line = line.drop(while: \.isWhitespace)
            guard let first = line.first, first != "#" else { continue }
            if line.hasPrefix("export ") { line = line.dropFirst(7).drop(while: \.isWhitespace) }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.isName(parts[0]) else {
                throw AgentError(.cannotStart, "line \(index + 1) of the variables is not NAME=value")
            }
            values[String(parts[0])] = Self.unquoted(parts[1])
        }
        guard !values.isEmpty else { throw AgentError(.cannotStart, "there are no variables in it") }
        self.values = values
    }

    /// As they were read before.
    init(values: [String: String]) { self.values = values }

    /// The variables in a file.
    /// - Returns: its text, which is right.
    package static func text(ofFile path: String) throws(AgentError) -> String {
        guard let bytes = SecretFile.read(path, atMost: limit), let text = String(validating: bytes, as: UTF8.self)
        else { throw AgentError(.cannotStart, "\(path) is no text that can be read") }
        _ = try AgentVariables(text)
        return text
    }

    /// Whether the value of one stands in a text: most are keys. What is shorter may stand anywhere.
    func stand(in text: String) -> Bool { values.values.contains { $0.utf8.count >= 8 && text.contains($0) } }

    private static func isName(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, !(48...57 ~= first) else { return false }
        return name.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 || $0 == UInt8(ascii: "_") }
    }

    private static func unquoted(_ value: Substring) -> String {
        let text = value.reversed().drop(while: \.isWhitespace).reversed()
        guard let mark = text.first, mark == "\"" || mark == "'", text.count > 1, text.last == mark else {
            return String(text)
        }
        return String(text.dropFirst().dropLast())
    }
}

extension AgentVariables: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(values.count) variables" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
