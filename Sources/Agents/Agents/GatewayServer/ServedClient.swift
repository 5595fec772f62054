internal import AgentProtocols
internal import Errors
internal import Foundation
internal import Networking
internal import Synchronization
internal import Wire

/// One client's connection to a gateway of ours.
final class ServedClient: Sendable {
    let device: GatewayDevice
    private let socket: ServerWebSocket
    private let sessions: ServedSessions
    /// Looks who is let in, and revokes those who are not.
    private let look: @Sendable () -> Void
    private let lines: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation
    private let began = ContinuousClock.now
    private struct State {
        var waitingBytes = 0
        var isRevoked = false
    }
    private let state = Mutex(State())

    init(
        _ socket: ServerWebSocket, _ device: GatewayDevice, _ sessions: ServedSessions,
        look: @escaping @Sendable () -> Void
    ) {
        (self.socket, self.device, self.sessions, self.look) = (socket, device, sessions, look)
        (lines, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(GatewayServerLimits.waitingLines))
    }

    /// The device is not let in any more: what it asked for and waits is not done.
    func revoke() {
        state.withLock { $0.isRevoked = true }
        socket.close(WebSocketCloseCode(rawValue: 4401), reason: "this device was revoked")
    }

    func closed() { sink.finish() }

    /// Takes a message, which may hold several lines.
    func received(_ text: String) {
        for line in text.split(separator: "\n") {
            let fits = state.withLock { state in
                state.waitingBytes += line.utf8.count
                return state.waitingBytes <= GatewayServerLimits.waitingBytes
            }
            if fits, case .enqueued = sink.yield(String(line)) { continue }
            return socket.close(.policyViolation, reason: "too much at once")
        }
    }

    /// Does what the client asks, in order, until it is gone.
    func run() async {
        let socket = socket
        let deadline = Task {
            try await Task.sleep(for: GatewayServerLimits.patience)
            socket.close(.policyViolation, reason: "the first request did not come")
        }
        var session: ServedSession?
        var bucket = TokenBucket(GatewayServerLimits.requests, now: milliseconds)
        var unreadable = 0
        for await line in lines {
            // Another program revokes. What comes after that begins nothing.
            look()
            let isRevoked = state.withLock { state in
                state.waitingBytes -= line.utf8.count
                return state.isRevoked
            }
            guard !isRevoked else { break }
            guard bucket.take(GatewayServerLimits.requests, now: milliseconds) == nil else {
                socket.close(.policyViolation, reason: "too many requests")
                continue
            }
            let request: GatewayRequest
            do { request = try GatewayRequest(line.utf8) } catch {
                unreadable += 1
                socket.send(.text(ServedTalk.error(0, "Invalid request: \(error.message)").text))
                if unreadable > GatewayServerLimits.unreadable || session == nil { socket.close(.policyViolation) }
                continue
            }
            if let known = session {
                session = await take(request, in: known)
            } else {
                session = await subscribe(request)
                deadline.cancel()
                // It is being let go.
                if session == nil { break }
            }
        }
        deadline.cancel()
        // Nobody is left who may watch what a device that is not let in began.
        await session?.leave(socket, stopsTurn: state.withLock { $0.isRevoked })
    }

    private var milliseconds: Int64 { Int64(began.duration(to: .now) / .milliseconds(1)) }

    /// The first request: it has to say in which folder, or in which session. A session that is not here any more is begun anew where it is said
    /// in which folder.
    private func subscribe(_ request: GatewayRequest) async -> ServedSession? {
        guard request.kind == .subscribe else {
            return refuse(request, "Client must Subscribe with a working_dir before sending stateful requests")
        }
        let session: ServedSession
        let target = request.object.string("target_session_id")
        if let target, let known = await sessions.find(target) {
            session = known
        } else {
            let folder = request.object.string("working_dir")
            if let target, folder == nil { return refuse(request, "Unknown session \(AgentText.name(target))") }
            guard let folder, folder.hasPrefix("/"), folder.utf8.count <= AgentLimits.nameBytes,
                !folder.utf8.contains(0)
            else { return refuse(request, "Subscribe requires an absolute working_dir") }
            do throws(ServedSessions.Refusal) { session = try await sessions.open(in: folder) } catch {
                return refuse(request, error.words)
            }
        }
        acknowledge(request)
        await session.join(socket)
        return session
    }

    private func acknowledge(_ request: GatewayRequest) {
        socket.send(.text(GatewayEvent(.ack, ["id": .number(String(request.id))]).text))
    }

    private func refuse(_ request: GatewayRequest, _ words: String) -> ServedSession? {
        socket.send(.text(ServedTalk.error(request.id, words).text))
        socket.close(.normal, reason: "not subscribed")
        return nil
    }

    private func take(_ request: GatewayRequest, in session: ServedSession) async -> ServedSession {
        switch request.kind {
        case .subscribe:
            acknowledge(request)
            socket.send(.text(ServedTalk.error(request.id, "Already subscribed; use resume_session").text))
            return session
        case .resumeSession:
            acknowledge(request)
            guard let other = await sessions.find(request.object.string("session_id") ?? "") else {
                socket.send(.text(ServedTalk.error(request.id, "There is no such session").text))
                return session
            }
            await session.leave(socket)
            await other.join(socket)
            let history = GatewayRequest(.getHistory, id: request.id)
            await other.take(history, from: socket, of: device.tokenHash, sessions: sessions.listed, acks: false)
            return other
        case .clear:
            acknowledge(request)
            return await clear(request, session)
        default:
            await session.take(request, from: socket, of: device.tokenHash, sessions: sessions.listed)
            return session
        }
    }

    /// An agent cannot be made to forget: another one begins in the same folder, and the session that was stays for whoever takes it up again.
    private func clear(_ request: GatewayRequest, _ session: ServedSession) async -> ServedSession {
        func stay(because words: String) -> ServedSession {
            socket.send(.text(ServedTalk.error(request.id, words).text))
            return session
        }
        guard await !session.isInTurn else { return stay(because: "Already processing a message") }
        let other: ServedSession
        do throws(ServedSessions.Refusal) { other = try await sessions.open(in: session.folder) } catch {
            return stay(because: error.words)
        }
        await session.leave(socket)
        await other.join(socket)
        socket.send(.text(GatewayEvent(.done, ["id": .number(String(request.id))]).text))
        return other
    }
}
