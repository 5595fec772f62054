import AppCore
import Foundation
import Notifications
import QRCodes
import Sealing

/// What a client may ask its host.
extension AttachedView {
    /// Takes bytes for the next question.
    /// - Returns: why not.
    func take(_ base64: String) -> HostFrame.Code? {
        guard let bytes = Data(base64Encoded: base64), given.count + bytes.count <= Self.givenLimit else {
            given = []
            return .misfit
        }
        given += bytes
        return nil
    }

    /// What the longest sealed file needs.
    private static let givenLimit = 1 << 24

    func answer(
        _ n: UInt64, _ query: HostQuery?, _ ref: SecretRef?, _ room: RoomID?, withContent: Bool, port: Int?
    ) async {
        do {
            // What was said leaves in the conversations themselves, and nobody else is let in by a page.
            if kind == .page, query == .page || query == .report && withContent {
                throw Refusal(code: .unknownQuery)
            }
            let result =
                query == .page
                ? .string(try await server?.pageAddress(port: port) ?? "")
                : try await result(of: query, ref, room, withContent: withContent)
            say(.reply(n: n, result: result, code: nil))
        } catch let refusal as Refusal {
            say(.reply(n: n, result: nil, code: refusal.code))
        } catch {
            let failure = error as? Failure ?? Failure(.other, "\(error)")
            say(.reply(n: n, result: try? JSONValue(failure), code: .failed))
        }
    }

    /// The session with an agent, as far as somebody who knows the rest has to learn it.
    func answer(_ n: UInt64, talk session: AgentSessionID?, from item: Int, since time: Timestamp) async {
        let (isLocked, talk) = await host.read { state in
            (state.lock.isLocked, session.flatMap { state.talks[$0] }?.part(from: item, since: time))
        }
        guard let talk, let json = try? JSONValue(talk) else {
            return say(.reply(n: n, result: nil, code: isLocked ? .locked : .gone))
        }
        say(.reply(n: n, result: json, code: nil))
    }

    private struct Refusal: Error { let code: HostFrame.Code }

    private func result(
        of query: HostQuery?, _ ref: SecretRef?, _ room: RoomID?, withContent: Bool
    ) async throws -> JSONValue {
        switch query {
        case nil: throw Refusal(code: .unknownQuery)
        // Written here, so that the host goes on meanwhile.
        case .state: return try JSONValue(await host.read { $0 })
        case .secret:
            // A page shows the words of codes. Keys and tokens are none of its business.
            let isShown = await host.read { [kind] state in kind == .program || state.rooms.contains { $0.words == ref }
            }
            guard let ref, isShown, let text = await host.secret(ref) else { throw Refusal(code: .unknownSecret) }
            return .string(text)
        case .status: return await status()
        case .giveUp:
            await host.giveUpHandCarried()
            return .null
        default: break
        }
        guard await host.read({ !$0.lock.isLocked }) else { throw Refusal(code: .locked) }
        switch query {
        case .openFile: return try await openGiven()
        case .fileStored:
            guard let opening else { throw Refusal(code: .gone) }
            try await host.finishOpening(opening)
            self.opening = nil
            return .null
        case .report: return try await host.recorded(withContent: withContent).map { try JSONValue($0) } ?? .null
        default: break
        }
        guard let room, await host.read({ $0.rooms[room] != nil }) || query == .notice else {
            throw Refusal(code: .gone)
        }
        switch query {
        case .keysLeft: return try JSONValue(await host.keysLeft(in: room))
        case .notice: return try await host.revocationNotice(room).map(Self.base64) ?? .null
        case .sealFile:
            defer { given = [] }
            return Self.base64(try await host.sealFile(given, for: room))
        default: throw Refusal(code: .unknownQuery)
        }
    }

    /// Draws a text as a QR code.
    func draw(_ n: UInt64, _ text: String) {
        guard text.utf8.count <= Self.drawnLimit, let code = try? QRCode(text) else {
            return say(.reply(n: n, result: nil, code: .misfit))
        }
        let rows = (0..<code.side).map { row in
            String((0..<code.side).map { code.isDark(column: $0, row: row) ? "1" : "0" })
        }
        say(.reply(n: n, result: try? JSONValue(DrawnCode(rows: rows)), code: nil))
    }

    /// Bytes of a text that a client may have drawn.
    private static let drawnLimit = 512

    private func openGiven() async throws -> JSONValue {
        defer { given = [] }
        let opened = try await host.beginOpening(given)
        opening = opened
        let content = Data(opened.content).base64EncodedString()
        return try JSONValue(OpenedFile(room: opened.room, seal: opened.kind, content: content))
    }

    private func status() async -> JSONValue {
        let (rooms, isLocked) = await host.read { ($0.rooms.count, $0.lock.isLocked) }
        return .object([
            "pid": .integer(Int64(ProcessInfo.processInfo.processIdentifier)), "version": .string(Core.version),
            "clients": .integer(Int64(await server?.count ?? 0)), "locked": .bool(isLocked),
            "rooms": .integer(Int64(rooms)), "spare": .bool(await server?.mayMakeWay() ?? false),
            "notifications": host.notificationState.map { .string($0) } ?? .null,
        ])
    }

    private static func base64(_ bytes: [UInt8]) -> JSONValue { .string(Data(bytes).base64EncodedString()) }
}
