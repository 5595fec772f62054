package import AppCore
import Foundation
import Networking

/// The host process of a profile, used from another process through its socket: an ``AttachServer``'s client.
///
/// It has a view of its own, and a copy of the state that it renews when something changed.
package actor RemoteHost: ProfileHost {
    private let profile: String
    private var channel: LineChannel
    private var session: String
    package private(set) var view: ViewID
    private let isFront: Bool
    /// Whether this client says what is seen.
    private var tellsSeen = false
    /// The path of screens that the view had last.
    private var screens: [Screen] = []
    private var startAnew: (@Sendable (_ options: [String: [String]]?) async -> Void)?
    /// With which options the host process runs; `nil` for one of an older version, which does not say.
    private var options: [String: [String]]?
    /// When to come again, if the host said so.
    private var retryDelay: Duration?
    private var reader: Task<Void, Never>?
    private var nextNumber: UInt64 = 1
    /// What was asked and is not answered yet, by its number.
    private var waiting: [UInt64: (frame: ClientFrame, answer: CheckedContinuation<HostFrame?, Never>)] = [:]
    private var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextObserver = 0
    private var known: AppState?
    /// How often what was known became old.
    private var age = 0
    /// What was known last.
    private var last = AppState()
    private var shown = SemanticNode(.screen, "rooms")
    private var isClosed = false
    /// Why the host ended the connection, if it said so.
    package private(set) var end: HostFrame.Code?
    /// Those of the options given that the host process does not run with, by name.
    package nonisolated let differing: [String]

    /// Attaches to the host process of a profile.
    /// - Parameter options: those of the command line that configure a host process.
    /// - Throws: `NetworkingError` if none runs, ``AttachError`` if it does not take this client.
    package init(profile: String, front: Bool = true, options: [String: [String]] = [:]) async throws {
        self.profile = profile
        isFront = front
        let hello = ClientFrame.hello(v: attachVersion, session: nil, rev: nil, screens: nil, options: options)
        let differs: [String]
        (channel, session, view, differs, self.options) = try await Self.connect(profile, hello)
        differing = differs
        reader = Task { await self.follow() }
        greet()
    }

    private static func connect(
        _ profile: String, _ hello: ClientFrame
    ) async throws -> (
        channel: LineChannel, session: String, view: ViewID, differs: [String], options: [String: [String]]?
    ) {
        var limits = LineChannel.Limits()
        limits.line = 256 << 20
        limits.received = 1 << 20
        let channel = try LineChannel(path: AttachServer.path(of: profile), limits: limits)
        channel.send(AttachLine.encode(hello))
        guard let line = await channel.next(), let first = try? AttachLine.decode(HostFrame.self, from: line) else {
            throw AttachError.ended(nil)
        }
        switch first {
        case .welcome(_, let view, let session, _, let differs, let options):
            return (channel, session, view, differs ?? [], options)
        case .bye(let reason, _): throw AttachError.ended(reason)
        default: throw AttachError.ended(nil)
        }
    }

    private func greet() {
        send(.watch(on: true))
        if isFront { send(.look(windows: nil, front: true, seen: tellsSeen ? [:] : nil)) }
    }

    package func tellSeen() async {
        tellsSeen = true
        send(.look(windows: nil, front: nil, seen: [:]))
    }

    package func saw(_ message: MessageID, in room: RoomID) async {
        send(.look(windows: nil, front: nil, seen: [room.text: message]))
    }

    // MARK: - Connections

    private func follow() async {
        repeat {
            while let line = await channel.next() { hear(line) }
        } while await comeBack()
        closed()
    }

    /// How long a host process that ended without a word, or wants its clients back, is waited for.
    private static let patience = Duration.seconds(10)

    /// Has another host process started if this one is killed, with the options with which this one ran.
    package func ifKilled(_ start: @escaping @Sendable (_ options: [String: [String]]?) async -> Void) {
        startAnew = start
    }

    /// Connects again, goes back to the same screens and asks again for what was not answered. It happens once: the ids in it are the same.
    private func comeBack() async -> Bool {
        guard !isClosed, end == nil || retryDelay != nil else { return false }
        // One that begins anew takes the profile itself.
        var start = end == nil ? startAnew : nil
        if let delay = retryDelay.take() { try? await Task.sleep(for: min(delay, Self.patience)) }
        end = nil
        let hello = ClientFrame.hello(v: attachVersion, session: session, rev: nil, screens: screens)
        let deadline = ContinuousClock.now + Self.patience
        while .now < deadline, !isClosed {
            if let (channel, session, view, _, options) = try? await Self.connect(profile, hello) {
                guard !isClosed else {
                    channel.cut()
                    return false
                }
                (self.channel, self.session, self.view, self.options) = (channel, session, view, options)
                greet()
                for (_, waiter) in waiting.sorted(by: { $0.key < $1.key }) { send(waiter.frame) }
                changed()
                return true
            }
            if let start = start.take() { await start(options) } else { try? await Task.sleep(for: .milliseconds(50)) }
        }
        return false
    }

    private func send(_ frame: ClientFrame) { channel.send(AttachLine.encode(frame)) }

    private func hear(_ line: [UInt8]) {
        guard let frame = try? AttachLine.decode(HostFrame.self, from: line) else { return }
        switch frame {
        case .did(let n, _), .reply(let n, _, _): waiting.removeValue(forKey: n)?.answer.resume(returning: frame)
        case .tree(let revision, let root, let path):
            (shown, screens) = (root, path)
            send(.ack(rev: revision))
            changed()
        case .patch(_, let revision, let removed, let placed, let updated):
            shown.apply(removed: removed ?? [], placed: placed ?? [], updated: updated ?? [])
            send(.ack(rev: revision))
            changed()
        case .changed: changed()
        case .bye(let reason, let retry): (end, retryDelay) = (reason, retry.map { .milliseconds(max($0, 0)) })
        case .welcome, .pong, .docUpdate, .docMore, .docSaved, .docCursors, .docClosed: break
        }
    }

    /// What is known is old, also what is on its way: the host says it once.
    private func forget() {
        known = nil
        age += 1
    }

    private func changed() {
        forget()
        for observer in observers.values { observer.yield() }
    }

    private func closed() {
        isClosed = true
        for waiter in waiting.values { waiter.answer.resume(returning: nil) }
        waiting = [:]
        for observer in observers.values { observer.finish() }
        observers = [:]
    }

    /// Sends a frame with a number and waits for what answers it; `nil` if the host has ended.
    /// Has the host process serve the page.
    /// - Parameter port: where; `nil` for where it was served before, or anywhere.
    /// - Returns: an address that lets one browser in, once.
    /// - Throws: ``Failure``.
    package func pageAddress(port: Int?) async throws -> String {
        switch await ask({ .ask(n: $0, query: HostQuery.page.rawValue, port: port) }) {
        case .reply(_, .string(let address)?, nil): return address
        case .reply(_, let json?, _): throw try JSON.decode(Failure.self, from: JSON.encode(json))
        default: throw Failure(.other, "the host process does not answer")
        }
    }

    private func ask(_ frame: (UInt64) -> ClientFrame) async -> HostFrame? {
        guard !isClosed else { return nil }
        let number = nextNumber
        nextNumber += 1
        return await withCheckedContinuation { answer in
            let frame = frame(number)
            waiting[number] = (frame, answer)
            send(frame)
        }
    }

    // MARK: - Using it

    package func read<Value: Sendable>(_ look: @Sendable (AppState) throws -> Value) async rethrows -> Value {
        try look(await state())
    }

    private func state() async -> AppState {
        if let known { return known }
        let asked = age
        guard case .reply(_, let json?, _) = await ask({ .ask(n: $0, query: HostQuery.state.rawValue) }),
            let state = try? AppState(json: json)
        else { return last }
        last = state
        if age == asked { known = state }
        return state
    }

    package func talk(_ session: AgentSessionID, from item: Int, since time: Timestamp) async -> AgentTalk? {
        let query = HostQuery.talk.rawValue
        let answer = await ask { .ask(n: $0, query: query, session: session, item: item, since: time) }
        guard case .reply(_, let json?, nil) = answer else { return nil }
        return try? json.decoded(as: AgentTalk.self)
    }

    package func dispatch(_ action: Action) async {
        var random = SystemRandomNumberGenerator()
        let fresh = Fresh(using: &random)
        _ = await ask { .dispatch(n: $0, fresh: fresh, action: action) }
        forget()
    }

    package func dispatch(_ actions: [Action]) async { for action in actions { await dispatch(action) } }

    package func changes() async -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        guard !isClosed else {
            continuation.finish()
            return stream
        }
        let number = nextObserver
        nextObserver += 1
        observers[number] = continuation
        continuation.onTermination = { _ in Task { await self.forget(number) } }
        continuation.yield()
        return stream
    }

    private func forget(_ number: Int) { observers[number] = nil }

    package var tree: SemanticNode { get async { shown } }

    package func secret(_ ref: SecretRef) async -> String? {
        let query = HostQuery.secret.rawValue
        guard case .reply(_, .string(let text)?, _) = await ask({ .ask(n: $0, query: query, ref: ref) }) else {
            return nil
        }
        return text
    }

    package func keep(secret: String) async throws -> SecretRef { try await give(secret, once: false) }
    package func hold(secret: String) async throws -> SecretRef { try await give(secret, once: true) }

    private func give(_ secret: String, once: Bool) async throws -> SecretRef {
        guard case .reply(_, .string(let ref)?, _) = await ask({ .secret(n: $0, text: secret, once: once) }) else {
            throw AttachError.ended(end)
        }
        return SecretRef(ref)
    }

    /// What the host process says of itself: `pid`, `version`, `clients`, `locked`, `rooms`, `spare`.
    package func status() async throws -> JSONValue { try await answer(to: .status) ?? .null }

    /// What the host process answers; `nil` if that is nothing.
    /// - Throws: ``Failure`` if it could not be done, ``AttachError`` if the host did not take the question or has ended.
    func answer(to query: HostQuery, room: RoomID? = nil, content: Bool? = nil) async throws -> JSONValue? {
        let answer = await ask { .ask(n: $0, query: query.rawValue, room: room, content: content) }
        guard case .reply(_, let result, let code) = answer else { throw AttachError.ended(end) }
        if code == .failed, let result { throw try result.decoded(as: Failure.self) }
        if let code { throw AttachError.refused(code) }
        return result == .null ? nil : result
    }

    /// Gives bytes for the next question, in frames that are short enough.
    func give(_ bytes: [UInt8]) async throws {
        for start in stride(from: 0, to: bytes.count, by: Self.part) {
            let part = Data(bytes[start..<min(start + Self.part, bytes.count)]).base64EncodedString()
            guard case .did(_, let code) = await ask({ .give(n: $0, bytes: part) }) else {
                throw AttachError.ended(end)
            }
            if let code { throw AttachError.refused(code) }
        }
    }

    /// Bytes of one frame: in base64 they are a third more.
    private static let part = 45_000

    /// Asks the host process to end, and waits until it has closed the connection.
    package func endHost() async {
        _ = await ask { .stop(n: $0) }
        await reader?.value
    }

    /// Asks the host process to begin anew, and waits until it is back.
    /// - Throws: ``AttachError`` if it does not come back.
    package func restartHost() async throws {
        _ = await ask { .stop(n: $0, restart: true) }
        let before = session
        for await _ in await changes() where session != before { return }
        throw AttachError.ended(end)
    }

    package var ending: String? { isClosed ? "\(AttachError.ended(end))" : nil }

    package func stop() async {
        channel.finish()
        reader?.cancel()
        closed()
    }
}
