/// A short text of an app for the person.
public struct AppNotification: Hashable, Sendable {
    /// Bytes.
    static let titleLimit = 256
    static let bodyLimit = 2_048

    /// Empty if the app gave none.
    public var title: String
    public var body: String

    /// All of it in one line. It is the app's text, with whatever characters.
    public var text: String {
        [title, body].filter { !$0.isEmpty }.joined(separator: ": ")
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
