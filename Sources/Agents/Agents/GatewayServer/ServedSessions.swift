internal import AgentProtocols
internal import Foundation
internal import Synchronization

/// All sessions of a gateway of ours.
actor ServedSessions {
    private let configuration: GatewayServer.Configuration
    private let tell: @Sendable (GatewayReport) -> Void
    private var byID: [String: ServedSession] = [:]
    private let requests = RequestNumbers()

    init(_ configuration: GatewayServer.Configuration, tell: @escaping @Sendable (GatewayReport) -> Void) {
        (self.configuration, self.tell) = (configuration, tell)
    }

    /// Why there is no session, for the client.
    struct Refusal: Error { let words: String }

    /// Those in which something was asked.
    var listed: [GatewayHistory.Listed] {
        get async {
            var all: [GatewayHistory.Listed] = []
            for session in byID.values { if let one = await session.listed { all.append(one) } }
            return all.sorted { $0.id < $1.id }
        }
    }

    /// The session of this id; nil if there is none, or its agent has ended.
    func find(_ id: String) async -> ServedSession? {
        guard let session = byID[id] else { return nil }
        guard await session.isOver else { return session }
        await end(session)
        return nil
    }

    /// Begins a session in a folder, which must be the one that is served, or lie in it.
    func open(in folder: String) async throws(Refusal) -> ServedSession {
        let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().standardizedFileURL.path
        var isFolder: ObjCBool = false
        let root = configuration.folder
        let isInside = path == root || path.hasPrefix(root.hasSuffix("/") ? root : root + "/")
        guard isInside, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw Refusal(words: "This gateway serves another folder; working_dir must be a folder in that one")
        }
        try await makeRoom()
        let agent: any AgentProvider
        do { agent = try configuration.agent(path) } catch {
            throw Refusal(words: "The agent cannot be started; on the gateway's machine, alcove agent chat says why")
        }
        let id = "session_" + UUID().uuidString.lowercased()
        let session = ServedSession(
            id: id, folder: path, agent: agent, version: configuration.version, number: requests.next, tell: tell)
        byID[id] = session
        await session.start()
        return session
    }

    /// The session that nobody has used for the longest time goes if there are too many.
    private func makeRoom() async throws(Refusal) {
        guard byID.count >= GatewayServerLimits.sessions else { return }
        var oldest: (session: ServedSession, isAsked: Bool, at: ContinuousClock.Instant)?
        for session in byID.values where await session.isIdle {
            let (isAsked, at) = (await session.listed != nil, await session.leftAt)
            // Nobody misses one in which nothing was asked: it may have been begun to see which others there are.
            let goesFirst = oldest.map { isAsked == $0.isAsked ? at < $0.at : !isAsked } ?? true
            if goesFirst { oldest = (session, isAsked, at) }
        }
        guard let session = oldest?.session else {
            throw Refusal(words: "There are too many sessions; end one of them")
        }
        await end(session)
        // Others may have begun meanwhile.
        guard byID.count < GatewayServerLimits.sessions else {
            throw Refusal(words: "There are too many sessions; end one of them")
        }
    }

    /// Devices, by the hashes of their tokens, are not let in any more.
    func revoke(_ devices: Set<String>) async {
        for session in byID.values { await session.revoke(devices) }
    }

    /// Rejects what nobody answered in time.
    func expire() async {
        for session in byID.values { await session.expire() }
    }

    /// Ends what nobody has used for a long time, and sooner what nobody asked anything in.
    func endIdle() async {
        for session in byID.values where await session.isIdle {
            let limit = await session.listed == nil ? GatewayServerLimits.unasked : GatewayServerLimits.idle
            if await session.leftAt.duration(to: .now) > limit { await end(session) }
        }
    }

    func end(_ session: ServedSession) async {
        guard byID.removeValue(forKey: session.id) != nil else { return }
        await session.stop()
    }

    func endAll() async {
        let all = Array(byID.values)
        byID = [:]
        for session in all { await session.stop() }
    }
}

/// Counts the requests of all sessions.
private final class RequestNumbers: Sendable {
    private let last = Mutex(0)

    @Sendable func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
