import Foundation
package import Networking
import Synchronization

/// A rendezvous server as the first ones were: it makes and accepts codes for whoever asks, gives no tickets, knows no watches,
/// and relays descriptions and candidates alone, without members that it does not know.
package final class OldServer: HTTPServerHandler {
    private struct State {
        /// By code.
        var pending: [String: (creator: String, room: String?)] = [:]
        /// The sockets that are in a room, in the order in which they came.
        var rooms: [String: [ServerWebSocket]] = [:]
        var places: [UInt64: String] = [:]
    }

    private let state = Mutex(State())
    private let running = Mutex<HTTPServer?>(nil)

    package init() {}

    /// - Returns: its address.
    package func start() async throws -> String {
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: self)
        running.withLock { $0 = server }
        return "http://127.0.0.1:\(try await server.start())"
    }

    package func stop() async { await running.withLock { $0.take() }?.stop() }

    // MARK: - Codes

    package func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        let fields = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
        let device = fields["client1"] as? String
        let call = Call(
            path: request.path, code: fields["joinid"] as? String ?? "", device: device ?? "",
            seconds: fields["expiresInSeconds"] as? Double ?? 0, devices: fields["deviceIds"] as? [String] ?? [])
        let (status, answer) = state.withLock { Self.answer(call, &$0) }
        responder.respond(HTTPResponse(status: status, body: Array(answer.utf8)))
    }

    private struct Call {
        var path: String
        var code: String
        var device: String
        var seconds: Double
        var devices: [String]
    }

    private static func answer(_ call: Call, _ state: inout State) -> (Int, String) {
        let unknown = (404, #"{"error":"not_found_or_expired"}"#)
        switch call.path {
        case "/api/rooms":
            guard state.pending[call.code] == nil else { return (500, #"{"error":"create_failed"}"#) }
            state.pending[call.code] = (call.device, nil)
            let end = Date(timeIntervalSinceNow: call.seconds).formatted(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            return (201, "{\"ok\":true,\"exp\":\"\(end)\"}")
        case "/api/rooms/accept":
            guard let waiting = state.pending[call.code], waiting.room == nil else { return unknown }
            let room = UUID().uuidString.lowercased()
            state.pending[call.code] = (waiting.creator, room)
            return (200, "{\"roomid\":\"\(room)\"}")
        case "/api/rooms/check":
            guard let waiting = state.pending[call.code], waiting.creator == call.device else { return unknown }
            guard let room = waiting.room else { return (204, "") }
            state.pending[call.code] = nil
            return (200, "{\"roomid\":\"\(room)\"}")
        case "/api/user/purge":
            state.pending = state.pending.filter { !call.devices.contains($0.value.creator) }
            return (200, #"{"success":true,"roomsDeleted":0,"pendingsDeleted":0}"#)
        default: return (404, "")
        }
    }

    // MARK: - Sockets

    package func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade { .accept }

    package func opened(_ socket: ServerWebSocket) {
        Self.send(["type": "connected", "clientId": UUID().uuidString, "server": "old"], to: socket)
    }

    package func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        guard case .text(let text) = message,
            let fields = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any],
            let kind = fields["type"] as? String
        else { return Self.send(["type": "error", "error": "Invalid JSON format"], to: socket) }
        switch kind {
        case "join_room": join(fields["roomId"] as? String ?? "", socket)
        case "leave_room": leave(socket, saying: "peer_left")
        case "webrtc_offer", "webrtc_answer": relay(kind, "sdp", fields["sdp"], from: socket)
        case "ice_candidate": relay(kind, "candidate", Self.candidate(fields["candidate"]), from: socket)
        default: Self.send(["type": "error", "error": "Unknown message type: \(kind)"], to: socket)
        }
    }

    package func closed(_ socket: ServerWebSocket) { leave(socket, saying: "peer_disconnected") }

    private func join(_ room: String, _ socket: ServerWebSocket) {
        leave(socket, saying: "peer_left")
        let inside = state.withLock { state -> [ServerWebSocket]? in
            guard state.rooms[room, default: []].count < 2 else { return nil }
            state.rooms[room, default: []].append(socket)
            state.places[socket.id] = room
            return state.rooms[room]
        }
        guard let inside else { return Self.send(["type": "room_full", "error": "full", "roomId": room], to: socket) }
        Self.send(
            [
                "type": "room_joined", "roomId": room, "userCount": inside.count, "isInitiator": inside.count == 1,
                "ready": inside.count == 2,
            ], to: socket)
        guard inside.count == 2 else { return }
        for (index, each) in inside.enumerated() {
            Self.send(["type": "room_ready", "roomId": room, "userCount": 2, "isInitiator": index == 0], to: each)
        }
    }

    private func leave(_ socket: ServerWebSocket, saying kind: String) {
        let others = state.withLock { state -> [ServerWebSocket] in
            guard let room = state.places.removeValue(forKey: socket.id) else { return [] }
            state.rooms[room]?.removeAll { $0 == socket }
            return state.rooms[room] ?? []
        }
        for other in others { Self.send(["type": kind, "message": "gone"], to: other) }
    }

    private func relay(_ kind: String, _ name: String, _ value: Any?, from socket: ServerWebSocket) {
        let (room, inside) = state.withLock { state in
            let room = state.places[socket.id] ?? ""
            return (room, state.rooms[room] ?? [])
        }
        guard inside.count == 2, let value, let other = inside.first(where: { $0 != socket }) else {
            return Self.send(["type": "error", "error": "Room must have exactly 2 users for WebRTC"], to: socket)
        }
        Self.send(["type": kind, "from": "\(socket.id)", "roomId": room, name: value], to: other)
    }

    /// The members that it knows.
    private static func candidate(_ value: Any?) -> [String: Any]? {
        (value as? [String: Any])?.filter { ["candidate", "sdpMLineIndex", "sdpMid"].contains($0.key) }
    }

    private static func send(_ fields: [String: Any], to socket: ServerWebSocket) {
        guard let data = try? JSONSerialization.data(withJSONObject: fields) else { return }
        socket.send(.text(String(decoding: data, as: UTF8.self)))
    }
}
