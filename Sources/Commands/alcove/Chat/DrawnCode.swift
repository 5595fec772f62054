import Foundation
import QRCodes

/// A join code as a QR code in the terminal, for the camera of the other person.
enum DrawnCode {
    /// Nil if it does not fit into the terminal, or the terminal cannot show it.
    static func of(_ code: String, columns: Int, environment: [String: String]) -> TerminalText? {
        let kind = environment["TERM"] ?? ""
        guard !["", "dumb"].contains(kind), let drawn = try? QRCode(code), drawn.columns <= columns else { return nil }
        // Without colours nobody knows what is behind the characters; mostly it is dark.
        guard environment["NO_COLOR"]?.isEmpty ?? true else {
            return TerminalText(unescaped: drawn.rows(of: .lightOnDark).joined(separator: "\n"))
        }
        // Black on bright white (ECMA-48 SGR), whatever colours the person has chosen.
        let rows = drawn.rows(of: .darkOnLight).map { "\u{1B}[30;107m\($0)\u{1B}[0m" }
        return TerminalText(unescaped: rows.joined(separator: "\n"))
    }
}
