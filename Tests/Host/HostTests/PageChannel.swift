import AppCore
import Testing

@testable import Host

/// A page's socket, in this process.
final class PageChannel: ClientChannel {
    private let (asked, ask) = AsyncStream<[UInt8]>.makeStream()
    private let (told, tell) = AsyncStream<[UInt8]>.makeStream()

    func send(_ frame: [UInt8]) -> Bool {
        tell.yield(frame)
        return true
    }

    func next() async -> [UInt8]? {
        var frames = asked.makeAsyncIterator()
        return await frames.next()
    }

    func cut() {
        ask.finish()
        tell.finish()
    }

    /// Says hello as a page.
    /// - Returns: its session.
    func greet(_ server: AttachServer) async throws -> String {
        Task { await server.serve(self, as: .page) }
        say(.hello(v: attachVersion, session: nil, rev: nil, screens: nil))
        guard case .welcome(_, _, let session, _, _, _) = try await hear({ _ in true }) else { throw Ended() }
        return session
    }

    func say(_ frame: ClientFrame) { ask.yield(AttachLine.encode(frame)) }

    /// The next frame that fulfils a condition.
    func hear(_ isWanted: (HostFrame) -> Bool) async throws -> HostFrame {
        var frames = told.makeAsyncIterator()
        while let line = await frames.next() {
            let frame = try AttachLine.decode(HostFrame.self, from: line)
            if isWanted(frame) { return frame }
        }
        throw Ended()
    }

    struct Ended: Error {}

    /// What became of an action.
    func perform(_ action: Action, _ fresh: Fresh? = nil) async throws -> HostFrame.Code? {
        say(.dispatch(n: 7, fresh: fresh, action: action))
        guard case .did(_, let code) = try await hear(\.isDid) else { throw Ended() }
        return code
    }

    /// What became of what it says of an effect.
    func answer(_ event: Event, _ fresh: Fresh? = nil) async throws -> HostFrame.Code? {
        say(.answer(n: 9, fresh: fresh, event: .event(event)))
        guard case .did(_, let code) = try await hear(\.isDid) else { throw Ended() }
        return code
    }

    /// Why a question is not answered.
    func refusal(of query: HostQuery, withContent: Bool? = nil) async throws -> HostFrame.Code? {
        say(.ask(n: 8, query: query.rawValue, content: withContent))
        let answer = try await hear { if case .reply = $0 { true } else { false } }
        guard case .reply(_, _, let code) = answer else { throw Ended() }
        return code
    }
}
