internal import Platform
internal import Synchronization

/// A message channel to the peer. Safe to use from any thread.
///
/// Handlers run on the connection's own thread, one at a time: they may send and close, and must not block. Messages
/// that arrive before the handlers are set wait for them; flow control then slows the peer down, and none is lost.
public final class DataChannel: Sendable {
    /// The states of a channel, as W3C WebRTC names them (`RTCDataChannelState`).
    public enum State: String, Sendable, Hashable, Codable {
        /// A channel passes through the states in this order and never returns to an earlier one.
        case connecting, open, closing, closed
    }

    /// The label that the opener gave, at most 65535 bytes.
    public let label: String
    /// How the channel delivers, as its opener chose.
    public let configuration: DataChannelConfiguration
    let peer: Peer
    /// Set for channels that the peer opened.
    private let claim: OpenClaim?

    private struct Shared {
        var state = State.connecting
        var id: UInt16?
        var bufferedAmount = 0
        var lowThreshold = 0
        /// Messages that had not been read when the channel closed.
        var unread = FIFO<DataChannelMessage>()
    }

    private let shared = Mutex(Shared())

    /// The most bytes that may wait for sending on one channel; ``send(_:)-(DataChannelMessage)`` refuses more.
    public static let bufferLimit = 64 * 1024 * 1024

    init(label: String, configuration: DataChannelConfiguration, peer: Peer, claim: OpenClaim? = nil) {
        self.label = label
        self.claim = claim
        self.configuration = configuration
        self.peer = peer
    }

    /// The SCTP stream; `nil` until the DTLS roles are known (RFC 8832 section 6).
    public var id: UInt16? { shared.withLock(\.id) }

    /// The state now. ``setHandlers(onOpen:onMessage:onBufferedAmountLow:onClose:)`` reports changes.
    public var state: State { shared.withLock(\.state) }

    /// Payload bytes that were given to ``send(_:)-(DataChannelMessage)`` and that SCTP has not taken yet.
    public var bufferedAmount: Int { shared.withLock(\.bufferedAmount) }

    /// When ``bufferedAmount`` falls to this many bytes or fewer, `onBufferedAmountLow` is called.
    public var bufferedAmountLowThreshold: Int {
        get { shared.withLock(\.lowThreshold) }
        set { shared.withLock { $0.lowThreshold = max(0, newValue) } }
    }

    /// Sends text.
    public func send(_ text: String) throws { try send(.text(text)) }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) throws { try send(.binary(bytes)) }

    /// Sends a message. Before the channel is open it waits; it never blocks.
    ///
    /// - Throws: ``PeerConnectionError`` with `messageTooLarge` when the peer does not accept messages of this size,
    ///   `limit` when more than ``bufferLimit`` bytes would wait, `closed` when the channel is closing or closed.
    public func send(_ message: DataChannelMessage) throws {
        let count = message.byteCount
        try peer.checkSize(count)
        try shared.withLock { shared throws(PeerConnectionError) in
            guard shared.state == .connecting || shared.state == .open else {
                throw PeerConnectionError(.closed, "the channel \"\(label)\" is closed: open another one")
            }
            guard shared.bufferedAmount + count <= Self.bufferLimit else {
                throw PeerConnectionError(
                    .limit,
                    "\(shared.bufferedAmount) bytes wait already: send on when onBufferedAmountLow comes"
                )
            }
            shared.bufferedAmount += count
        }
        peer.onLoop { [self] in $0.enqueue(message, on: self) }
    }

    /// Sets all handlers at once and delivers waiting messages. Events that have already happened (open, closed) are
    /// reported again to the new handlers.
    public func setHandlers(
        onOpen: @escaping @Sendable () -> Void = {},
        onMessage: @escaping @Sendable (DataChannelMessage) -> Void,
        onBufferedAmountLow: @escaping @Sendable () -> Void = {},
        onClose: @escaping @Sendable () -> Void = {}
    ) {
        let handlers = DataChannelHandlers(
            onOpen: onOpen,
            onMessage: onMessage,
            onBufferedAmountLow: onBufferedAmountLow,
            onClose: onClose
        )
        claim?.end()
        peer.onLoop { [self] in $0.install(handlers, on: self) }
    }

    /// The messages of the channel, until it closes: another way to receive, which replaces the handlers. For one
    /// consumer.
    ///
    /// A message is taken when it is requested. Memory is bounded: with 1 MiB unread on all channels of the connection
    /// together, SCTP is no longer read, and flow control slows the peer down. No message is lost. A slow consumer
    /// therefore slows the connection's other channels down too.
    public var messages: AsyncStream<DataChannelMessage> {
        claim?.end()
        peer.onLoop { [self] in $0.removeHandlers(of: self) }
        return AsyncStream { [self] in
            let reader = MessageReader()
            return await reader.wait { peer.onLoop { $0.read(self, for: reader) } }
        }
    }

    /// Closes the channel once SCTP has taken everything that was sent (RFC 8831 section 6.7). The peer's side closes
    /// too. Safe to call in any state.
    public func close() {
        claim?.end()
        let mustClose = shared.withLock { shared in
            guard shared.state == .connecting || shared.state == .open else { return false }
            shared.state = .closing
            return true
        }
        if mustClose { peer.onLoop { [self] in $0.close(self) } }
    }
}

/// What a channel calls.
struct DataChannelHandlers: Sendable {
    var onOpen: @Sendable () -> Void
    var onMessage: @Sendable (DataChannelMessage) -> Void
    var onBufferedAmountLow: @Sendable () -> Void
    var onClose: @Sendable () -> Void
}

// MARK: - For the connection

extension DataChannel {
    func assign(id: UInt16) { shared.withLock { $0.id = id } }

    /// `false` if the channel was closed meanwhile.
    func markOpen() -> Bool {
        shared.withLock { shared in
            guard shared.state == .connecting else { return false }
            shared.state = .open
            return true
        }
    }

    func markClosing() {
        shared.withLock { if $0.state != .closed { $0.state = .closing } }
    }

    /// `false` if it was closed already.
    @discardableResult
    func markClosed(unread: FIFO<DataChannelMessage> = FIFO()) -> Bool {
        shared.withLock { shared in
            guard shared.state != .closed else { return false }
            (shared.state, shared.bufferedAmount, shared.unread) = (.closed, 0, unread)
            return true
        }
    }

    /// The oldest message that had not been read when the channel closed.
    var firstUnread: DataChannelMessage? { shared.withLock(\.unread.first) }

    @discardableResult
    func takeUnread() -> DataChannelMessage? { shared.withLock { $0.unread.removeFirst() } }

    /// Subtracts bytes from ``bufferedAmount``; `true` if it fell to the threshold by that.
    func handedOver(_ count: Int) -> Bool {
        shared.withLock { shared in
            let before = shared.bufferedAmount
            shared.bufferedAmount = max(0, before - count)
            return before > shared.lowThreshold && shared.bufferedAmount <= shared.lowThreshold
        }
    }
}
