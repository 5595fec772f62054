import DataChannels
import Foundation
package import Wire

/// A message of this machine to the rendezvous server over its socket: one JSON object, tagged by `type`.
package enum SignalingRequest: Sendable, Equatable {
    /// Asks for the news that the room behind `joinID` was accepted, instead of polling for it.
    case watch(joinID: String, device: String, ticket: String)
    case joinRoom(room: String, device: String, ticket: String)
    case leaveRoom
    case offer(sdp: String)
    case answer(sdp: String)
    case candidate(SignalingCandidate)
    /// Opaque bytes for the other side, base64url: greetings and the verification of the room.
    case verify(data: String)
    /// Asks for fresh credentials of the STUN and TURN servers that the server hands out.
    case iceServers
}

/// An ICE candidate as it crosses the relay; an empty line ends the candidates.
package struct SignalingCandidate: Sendable, Equatable, Codable {
    package var candidate: String
    package var sdpMLineIndex: Int?
    package var sdpMid: String?

    package init(candidate: String, sdpMLineIndex: Int?, sdpMid: String?) {
        self.candidate = candidate
        self.sdpMLineIndex = sdpMLineIndex
        self.sdpMid = sdpMid
    }
}

/// A message of the rendezvous server to this machine. Kinds that are not used here decode as `.other`.
package enum SignalingNotice: Sendable, Equatable {
    case connected
    case watching(joinID: String)
    case roomAccepted(joinID: String, room: String)
    case watchEnded(joinID: String, reason: String)
    case roomJoined(room: String)
    case roomReady(room: String)
    case roomFull
    case peerLeft
    case peerDisconnected
    case leftRoom
    case offer(sdp: String)
    case answer(sdp: String)
    case candidate(SignalingCandidate)
    case verify(data: String)
    /// STUN and TURN servers for everybody in this room.
    case iceServers(OfferedICEServers)
    case error(String)
    case other(String)
}

extension SignalingRequest {
    /// The message as the text of one WebSocket frame.
    package var text: String {
        var fields: [String: any Encodable] = [:]
        switch self {
        case .watch(let joinID, let device, let ticket):
            fields = ["type": "watch", "joinid": joinID, "deviceId": device, "ticket": ticket]
        case .joinRoom(let room, let device, let ticket):
            fields = ["type": "join_room", "roomId": room, "deviceId": device]
            if !ticket.isEmpty { fields["ticket"] = ticket }
        case .leaveRoom:
            fields = ["type": "leave_room"]
        case .offer(let sdp):
            fields = ["type": "webrtc_offer", "sdp": sdp]
        case .answer(let sdp):
            fields = ["type": "webrtc_answer", "sdp": sdp]
        case .candidate(let candidate):
            fields = ["type": "ice_candidate", "candidate": candidate]
        case .verify(let data):
            fields = ["type": "verify", "data": data]
        case .iceServers:
            fields = ["type": "ice_servers"]
        }
        return JSONText(fields: fields).text
    }
}

extension SignalingRequest {
    /// The same for older servers, which do not know `verify` and relay only descriptions and candidates: the bytes are
    /// sent as a pseudo candidate.
    package var forOldServer: SignalingRequest {
        guard case .verify(let data) = self else { return self }
        return .candidate(
            SignalingCandidate(candidate: SignalingCandidate.verifyMark + data, sdpMLineIndex: 0, sdpMid: "0"))
    }
}

extension SignalingCandidate {
    /// The prefix of pseudo candidates.
    fileprivate static let verifyMark = "alcove-verify:"

    /// The content of a pseudo candidate; nil for a real one.
    fileprivate var verification: String? {
        candidate.hasPrefix(Self.verifyMark) ? String(candidate.dropFirst(Self.verifyMark.count)) : nil
    }
}

/// A flat JSON object made of named encodable values.
private struct JSONText: Encodable {
    let fields: [String: any Encodable]

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in fields { try container.encode(value, forKey: Key(name)) }
    }

    var text: String {
        // Strings and integers always encode. The server would answer an empty object with an error.
        let data = (try? JSONEncoder().encode(self)) ?? Data("{}".utf8)
        return String(decoding: data, as: UTF8.self)
    }
}

extension SignalingNotice {
    /// Reads one message of the server.
    package init(text: String) throws(WireError) {
        let fields: Fields
        do {
            fields = try JSONDecoder().decode(Fields.self, from: Data(text.utf8))
        } catch {
            throw WireError(.malformed, "the server sent something that is not a signaling message")
        }
        self = try Self(fields)
    }

    private init(_ fields: Fields) throws(WireError) {
        switch fields.type {
        case "connected": self = .connected
        case "watching": self = .watching(joinID: try fields.require(\.joinid, "joinid"))
        case "room_accepted":
            self = .roomAccepted(
                joinID: try fields.require(\.joinid, "joinid"),
                room: try fields.require(\.roomId, "roomId")
            )
        case "watch_ended":
            self = .watchEnded(joinID: try fields.require(\.joinid, "joinid"), reason: fields.reason ?? "unknown")
        case "room_joined": self = .roomJoined(room: try fields.require(\.roomId, "roomId"))
        case "room_ready": self = .roomReady(room: try fields.require(\.roomId, "roomId"))
        case "room_full": self = .roomFull
        case "peer_left": self = .peerLeft
        case "peer_disconnected": self = .peerDisconnected
        case "left_room": self = .leftRoom
        case "webrtc_offer": self = .offer(sdp: try fields.require(\.sdp, "sdp"))
        case "webrtc_answer": self = .answer(sdp: try fields.require(\.sdp, "sdp"))
        case "ice_candidate":
            let candidate = try fields.require(\.candidate, "candidate")
            self = candidate.verification.map { .verify(data: $0) } ?? .candidate(candidate)
        case "verify": self = .verify(data: try fields.require(\.data, "data"))
        case "ice_servers":
            self = .iceServers(
                OfferedICEServers(
                    try fields.require(\.iceServers, "iceServers"),
                    lifetime: fields.expiresInSeconds.map { .seconds(min(max($0, 0), 1e9)) }))
        case "error": self = .error(fields.error ?? "unknown")
        default: self = .other(fields.type)
        }
    }

    private struct Fields: Decodable {
        var type: String
        var joinid: String?
        var roomId: String?
        var reason: String?
        var sdp: String?
        var candidate: SignalingCandidate?
        var data: String?
        var error: String?
        var iceServers: [ICEServer]?
        var expiresInSeconds: Double?

        func require<Value>(
            _ field: KeyPath<Fields, Value?>,
            _ name: String
        ) throws(WireError) -> Value {
            guard let value = self[keyPath: field] else {
                throw WireError(.malformed, "the server's \(type) message has no \(name)")
            }
            return value
        }
    }
}
