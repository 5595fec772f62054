import Components
import Synchronization

/// Two ends in memory. What one sends, the other receives at once.
final class ConnectedPair: Sendable {
    private final class Side: Sendable {
        let connection = Mutex<ObjectConnection?>(nil)
        let sent = Mutex<[[UInt8]]>([])
    }

    let core: ObjectConnection
    let client: ObjectConnection
    private let sides = (core: Side(), client: Side())

    init(root: ServiceObject? = nil, clientRoot: ServiceObject? = nil, limits: ConnectionLimits = ConnectionLimits()) {
        let (coreSide, clientSide) = sides
        core = ObjectConnection(root: root, limits: limits) { message in
            coreSide.sent.withLock { $0.append(message) }
            clientSide.connection.withLock { $0 }?.receive(message)
        } closed: { _ in
            clientSide.connection.withLock { $0 }?.otherSideClosed()
        }
        client = ObjectConnection(root: clientRoot, limits: limits) { message in
            clientSide.sent.withLock { $0.append(message) }
            coreSide.connection.withLock { $0 }?.receive(message)
        } closed: { _ in
            coreSide.connection.withLock { $0 }?.otherSideClosed()
        }
        sides.core.connection.withLock { $0 = core }
        sides.client.connection.withLock { $0 = client }
    }

    /// Takes the two apart, who hold each other.
    func close() {
        client.close()
        sides.core.connection.withLock { $0 = nil }
        sides.client.connection.withLock { $0 = nil }
    }

    deinit { close() }

    var sentByCore: [[UInt8]] { sides.core.sent.withLock { $0 } }
    var sentByClient: [[UInt8]] { sides.client.sent.withLock { $0 } }
}
