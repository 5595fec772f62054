/// What the person chose. Readable while the vault is locked, so it holds no secret.
public struct Settings: Sendable, Hashable, Codable {
    /// The rendezvous server for new rooms.
    public var server: String
    public var iceServers: [IceServer] = []
    /// Whether the vault is protected by a passphrase.
    public var hasPassphrase = false
    public var autoLock = false

    /// Where `alcove serve` listens when it is not told otherwise.
    public static let defaultServer = "http://127.0.0.1:8080"

    public init(server: String = Settings.defaultServer) { self.server = server }
}
