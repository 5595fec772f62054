/// A script that goes ahead of a component's own code.
public struct PreloadScript: Hashable, Sendable {
    /// What stack traces call it.
    public var name: String
    public var source: String

    public init(name: String, source: String) {
        self.name = name
        self.source = source
    }
}
