internal import Components
internal import Synchronization
internal import WebGUI

/// A component that is a page in a browser, for as long as it runs: the server of its window.
///
/// Each load of the page has a connection of its own (``AppPlatform/connect(_:of:to:)``), so nothing is sent through here.
final class AppWindow: RunningComponent {
    private let server: PageServer
    private let ended: @Sendable () async -> Void
    private let isOver = Mutex(false)

    /// - Parameter ended: told once, when no browser is served any more.
    init(_ server: PageServer, ended: @escaping @Sendable () async -> Void) {
        self.server = server
        self.ended = ended
    }

    /// The address that lets one browser in, once.
    var entrance: String { server.entrance() }

    func stop() async {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        await server.stop()
        await ended()
    }

    func send(_ message: PortMessage) {}
    var memory: Int { 0 }
    var backlog: Int { 0 }
    func whenTaken(_ body: @escaping @Sendable () -> Void) {}
}
