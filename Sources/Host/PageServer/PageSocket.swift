import Host
import Networking
import Synchronization

/// A page's WebSocket as a channel of frames: a text message is a frame.
///
/// What came in and was not taken waits here up to ``limit`` bytes; a page that sends more meanwhile is closed.
final class PageSocket: ClientChannel {
    /// Bytes that came in and wait to be taken.
    static let limit = 1 << 20

    /// What a frame costs besides its bytes, so that empty ones are not for nothing.
    private static let frameCost = 64
    /// How often a page may ask for a proof on one connection.
    private static let proofs = 4

    private struct State {
        var proofs = 0
        var frames: [[UInt8]] = []
        var bytes = 0
        var isClosed = false
        var waiter: CheckedContinuation<[UInt8]?, Never>?
    }

    private let socket: ServerWebSocket
    private let state = Mutex(State())

    private let proof: PageProof

    init(_ socket: ServerWebSocket, _ proof: PageProof) {
        self.socket = socket
        self.proof = proof
        socket.send(.text(proof.introduction))
    }

    func send(_ frame: [UInt8]) -> Bool { socket.send(.text(String(decoding: frame, as: UTF8.self))) }

    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let former = state.withLock { state in
                    defer { state.waiter = waiter }
                    return state.waiter
                }
                former?.resume(returning: nil)
                deliver()
            }
        } onCancel: {
            cut()
        }
    }

    func cut() {
        socket.close()
        end()
    }

    func receive(_ message: WebSocketMessage) {
        guard case .text(let text) = message else { return socket.close(.policyViolation, reason: "frames are text") }
        if let answer = proof.answer(to: text) {
            let count = state.withLock { state in
                state.proofs += 1
                return state.proofs
            }
            guard count <= Self.proofs else { return socket.close(.policyViolation, reason: "too many challenges") }
            return _ = socket.send(.text(answer))
        }
        let isTooMuch = state.withLock { state in
            let cost = text.utf8.count + Self.frameCost
            // One frame alone may be as long as a message: refused, it would come again with each connection.
            guard state.frames.isEmpty || state.bytes + cost <= Self.limit else { return true }
            state.frames.append(Array(text.utf8))
            state.bytes += cost
            return false
        }
        if isTooMuch { return socket.close(.policyViolation, reason: "too much at once") }
        deliver()
    }

    /// Nothing comes any more.
    func end() {
        state.withLock { $0.isClosed = true }
        deliver()
    }

    private func deliver() {
        let delivery = state.withLock { state -> (CheckedContinuation<[UInt8]?, Never>, [UInt8]?)? in
            guard let waiter = state.waiter, !state.frames.isEmpty || state.isClosed else { return nil }
            state.waiter = nil
            guard !state.frames.isEmpty else { return (waiter, nil) }
            let frame = state.frames.removeFirst()
            state.bytes -= frame.count + Self.frameCost
            return (waiter, frame)
        }
        if let (waiter, frame) = delivery { waiter.resume(returning: frame) }
    }
}
