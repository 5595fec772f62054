/// The windows of a host, as a session drives them. They are known by the connectors of their components.
public struct CoreWindows: Sendable {
    /// Opens a window on a component's page: a path in its app, for the startup app possibly with a fragment.
    public var show: @Sendable (_ connector: String, _ app: String, _ entrypoint: String) async -> Void
    public var focus: @Sendable (_ connector: String) async -> Void
    public var close: @Sendable (_ connector: String) async -> Void

    public init(
        show: @escaping @Sendable (_ connector: String, _ app: String, _ entrypoint: String) async -> Void,
        focus: @escaping @Sendable (_ connector: String) async -> Void,
        close: @escaping @Sendable (_ connector: String) async -> Void
    ) {
        (self.show, self.focus, self.close) = (show, focus, close)
    }
}
