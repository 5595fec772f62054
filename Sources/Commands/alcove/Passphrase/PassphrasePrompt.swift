import Foundation

/// Asks for a passphrase on the terminal without showing it, or reads it from a file.
enum PassphrasePrompt {
    static let options: [Arguments.Option] = [
        .value(
            "passphrase-file", "FILE",
            "read the passphrase from the first line of this file instead of asking; it may be a pipe, /dev/fd/N, or - "
                + "for standard input")
    ]

    /// Bytes of a line. The line editor of Linux takes no longer ones.
    private static let limit = 4095

    /// - Parameters:
    ///   - file: holds it in its first line; nil asks the person.
    ///   - option: names such a file.
    static func ask(
        _ question: String, file: String?, option: String = "passphrase-file"
    ) throws(CommandFailure) -> String {
        let bytes: [UInt8]
        if let file {
            bytes = try read(file)
        } else {
            guard isatty(STDIN_FILENO) == 1 else {
                throw CommandFailure(
                    "this takes a passphrase, and there is no terminal to ask for it; say --\(option) FILE",
                    .noPermission)
            }
            bytes = try HiddenLine.ask("\(question): ", atMost: limit)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("the passphrase is not UTF-8 text", .dataError)
        }
        return text
    }

    /// The first line of a file. What comes after it in a pipe, or on standard input, stays there for others.
    private static func read(_ file: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw CommandFailure("\(file) cannot be read: \(String(cString: strerror(errno)))", .noInput)
        }
        defer { if file != "-" { close(descriptor) } }
        let name = file == "-" ? "standard input" : file
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno)))", .noInput)
            }
            if count == 0, line.isEmpty { throw CommandFailure("\(name) is empty", .noInput) }
            guard count > 0, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
            guard line.count <= limit else {
                throw CommandFailure("the first line of \(name) has more than \(limit) bytes", .dataError)
            }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }
}
