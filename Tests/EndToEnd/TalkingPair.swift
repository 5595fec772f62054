import Foundation
import Networking
import Synchronization

/// Two in one room, each at some node, who say numbered things to each other all the time, and come back when a node dies.
final class TalkingPair: Sendable {
    private struct State {
        var sent = [0, 0]
        /// The highest number that each side heard.
        var heard = [0, 0]
        var all: Set<String> = []
        var wrongs: [String] = []
        /// How often a node said that it stops.
        var moves = 0
        var tasks: [Task<Void, Never>] = []
    }

    private let cluster: Cluster
    private let number: Int
    private let room: String
    private let tickets: [String]
    private let state = Mutex(State())

    struct NotMade: Error {}

    init(_ cluster: Cluster, _ number: Int) async throws {
        (self.cluster, self.number) = (cluster, number)
        let code = String(100_000 + number)
        let creator: [String: any Sendable] = [
            "joinid": code, "client1": "0 of \(number)", "expiresInSeconds": 3600, "ticket": true,
        ]
        let guest: [String: any Sendable] = ["joinid": code, "client2": "1 of \(number)", "ticket": true]
        guard let created = await cluster.post("/api/rooms", creator, from: number, node: number)?["ticket"],
            let accepted = await cluster.post("/api/rooms/accept", guest, from: number, node: number + 1),
            let room = accepted["roomid"], let ticket = accepted["ticket"]
        else { throw NotMade() }
        self.room = room
        tickets = [created, ticket]
        for side in 0..<2 {
            let task = Task { [weak self] in
                var node = number + side
                while !Task.isCancelled, let self {
                    node += 1
                    await self.sit(side, at: node)
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            state.withLock { $0.tasks.append(task) }
        }
    }

    func stop() { for task in state.withLock({ $0.tasks }) { task.cancel() } }

    /// What must not happen.
    var wrongs: [String] { state.withLock { $0.wrongs } }
    var moves: Int { state.withLock { $0.moves } }

    /// Waits until both sides hear what was said after now.
    /// - Returns: how long each side had to wait.
    @discardableResult
    func hearsNews() async throws -> [Duration] {
        let (start, marks) = (ContinuousClock.now, state.withLock { $0.sent })
        var times: [Duration?] = [nil, nil]
        while true {
            let heard = state.withLock { $0.heard }
            for side in 0..<2 where times[side] == nil && heard[side] > marks[1 - side] { times[side] = .now - start }
            let found = times.compactMap(\.self)
            if found.count == 2 { return found }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// One socket, from its beginning to its end.
    private func sit(_ side: Int, at node: Int) async {
        var configuration = WebSocketClientConfiguration()
        configuration.headers = ["x-forwarded-for": Cluster.address(number)]
        guard let url = try? cluster.url(node),
            let socket = try? await WebSocketClient.connect(to: url, configuration: configuration)
        else { return }
        let join = [
            "type": "join_room", "roomId": room, "deviceId": "\(side) of \(number)", "ticket": tickets[side],
        ]
        send(join, on: socket)
        let speaking = Task {
            while !Task.isCancelled {
                let next = state.withLock { state in
                    state.sent[side] += 1
                    return state.sent[side]
                }
                send(["type": "webrtc_offer", "sdp": "\(room) \(side) \(next)"], on: socket)
                try? await Task.sleep(for: .milliseconds(20))
            }
            socket.abort()
        }
        await withTaskCancellationHandler {
            for await event in socket.events { take(event, side) }
        } onCancel: {
            socket.abort()
        }
        speaking.cancel()
    }

    private func send(_ message: [String: String], on socket: WebSocketConnection) {
        guard let data = try? JSONEncoder().encode(message) else { return }
        try? socket.send(String(decoding: data, as: UTF8.self))
    }

    private func take(_ event: WebSocketEvent, _ side: Int) {
        if case .closed(.serviceRestart, _) = event { state.withLock { $0.moves += 1 } }
        guard case .text(let text) = event,
            let message = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        else { return }
        switch message["type"] as? String {
        case "error":
            // The other one may be on its way to another node.
            let error = message["error"] as? String ?? ""
            let isExpected = error.contains("2 users") || error.contains("Not in a valid room")
            if !isExpected { state.withLock { $0.wrongs.append(error) } }
        case "webrtc_offer":
            let words = (message["sdp"] as? String ?? "").split(separator: " ").map(String.init)
            state.withLock { state in
                guard words.count == 3, words[0] == room, words[1] == "\(1 - side)", let number = Int(words[2]) else {
                    return state.wrongs.append("\(side) heard \(words)")
                }
                if !state.all.insert(words.joined(separator: " ")).inserted { state.wrongs.append("twice: \(words)") }
                state.heard[side] = max(state.heard[side], number)
            }
        default: break
        }
    }
}
