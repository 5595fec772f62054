/// The path of a file inside an app's folder: absolute, without steps upwards, the same on every system. `/background.mjs`.
public struct PackPath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Bytes of a path.
    public static let byteLimit = 1024
    /// Names in a path.
    public static let depthLimit = 16

    /// The path from the root of the pack; it begins with `/`.
    public let text: String

    /// nil unless the text is a path whose names all name something.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.first == "/" else { return nil }
        let names = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard names.count <= Self.depthLimit, names.allSatisfy(Self.isName) else { return nil }
        self.text = text
    }

    /// The names on the way, at least one.
    public var names: [String] { text.dropFirst().split(separator: "/").map(String.init) }

    private static func isName(_ name: Substring) -> Bool {
        (1...255).contains(name.utf8.count) && name != "." && name != ".."
            && !name.unicodeScalars.contains { $0 == "\\" || $0.properties.generalCategory == .control }
    }

    public static func < (first: PackPath, second: PackPath) -> Bool { first.text < second.text }

    public var description: String { text }

    /// The page of an app that names no other entry point.
    public static let indexPage = PackPath(known: "/index.html")

    private init(known text: String) { self.text = text }
}
