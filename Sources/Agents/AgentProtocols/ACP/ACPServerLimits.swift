/// How much a client of the Agent Client Protocol may have done.
package enum ACPServerLimits {
    /// Bytes of one line: eight pictures of 4 MiB together, as Base64, and a text.
    package static let lineBytes = 8 << 20
    /// Requests that wait for their answer.
    package static let requests = 64
    /// Sessions that one client has open.
    package static let sessions = 16
    /// Lines that cannot be read, before the client is given up.
    package static let unreadable = 100
    /// Bytes of a path, and of the id of a mode or a model.
    package static let textBytes = 4096
    /// Servers of tools that a client names, and the bytes of a name.
    package static let servers = 64
    package static let nameBytes = 128
}
