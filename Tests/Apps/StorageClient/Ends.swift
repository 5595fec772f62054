package import Components
import Synchronization

/// The two ends of a connection in memory: what one sends, the other has received when the call returns.
package final class ConnectedEnds: Sendable {
    private struct Pair {
        weak var host: ObjectConnection?
        weak var app: ObjectConnection?
    }

    private let pair = Mutex(Pair())

    package static func make() -> (host: ObjectConnection, app: ObjectConnection) {
        let ends = ConnectedEnds()
        let host = ObjectConnection(root: nil) { message in ends.pair.withLock { $0.app }?.receive(message) }
        let app = ObjectConnection(root: nil) { message in ends.pair.withLock { $0.host }?.receive(message) }
        ends.pair.withLock { $0 = Pair(host: host, app: app) }
        return (host, app)
    }
}
