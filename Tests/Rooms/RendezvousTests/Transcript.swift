import Networking
import Testing
import Wire

@testable import Rendezvous

/// A scripted conversation with a server, line by line, which is compared with the real one.
///
///     POST /api/rooms/accept {"joinid":"482913","client2":"bert"} => 200 {"roomid":"@room"}
///     A> {"type":"join_room","roomId":"$room","deviceId":"anna"}
///     A< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":true,"ready":false}
///     A closes
///     B closed 4001
///
/// `"@name"` stands for a text that is remembered as `$name`, `"*"` for any text, `""` for no body at all. `A`, `B` … are
/// sockets, opened where they first appear; `$A` is the client id that the server gave to one. Objects must have exactly
/// the members listed.
struct Transcript: CustomTestStringConvertible, Sendable {
    let title: String
    let lines: [String]

    init(_ title: String, _ lines: String...) { self.init(title, lines) }

    init(_ title: String, _ lines: [String]) {
        self.title = title
        self.lines = lines
    }

    var testDescription: String { title }

    /// Requests and sockets go to one server after the other.
    func run(on servers: [LiveServer]) async throws {
        let reader = TranscriptReader(servers)
        for line in lines {
            do {
                try await reader.follow(line)
            } catch {
                Issue.record("\(line)\n\(error)")
                return
            }
        }
    }
}

private struct Mismatch: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

private final class TranscriptReader {
    private let servers: [LiveServer]
    private var requests = 0
    private var names: [String: String] = [:]
    private var sockets: [Character: TestSocket] = [:]

    init(_ servers: [LiveServer]) { self.servers = servers }

    func follow(_ line: String) async throws {
        var line = line
        for (name, value) in names { line = line.replacing("$\(name)", with: value) }
        guard let who = line.first, let mark = line.dropFirst().first, "<> ".contains(mark) else {
            return try await request(line)
        }
        let rest = String(line.dropFirst(2).drop { $0 == " " })
        let socket = try await socket(who)
        switch mark {
        case ">": try socket.connection.send(rest)
        case "<":
            guard let message = await socket.next() else { throw Mismatch("the socket was closed") }
            try match(.object(message), expected(JSONValue(rest.utf8), servers.count, message))
        default: try await end(rest, socket)
        }
    }

    /// Who joins hears of somebody at another node a moment later, by `room_ready`.
    private func expected(_ line: JSONValue, _ servers: Int, _ message: JSONObject) -> JSONValue {
        guard servers > 1, let object = line.object, object["type"] == "room_joined", object["ready"] == true,
            message["ready"] == false
        else { return line }
        return .object(
            object.members.reduce(into: JSONObject()) { changed, member in
                switch member.name {
                case "ready": changed.append("ready", false)
                case "userCount": changed.append("userCount", 1)
                default: changed.append(member.name, member.value)
                }
            })
    }

    private func socket(_ who: Character) async throws -> TestSocket {
        if let socket = sockets[who] { return socket }
        let socket = try await servers[sockets.count % servers.count].socket()
        sockets[who] = socket
        guard let greeting = await socket.next() else { throw Mismatch("no greeting") }
        try match(.object(greeting), ["type": "connected", "clientId": .string("@\(who)"), "server": "*"])
        return socket
    }

    private func end(_ what: String, _ socket: TestSocket) async throws {
        if what == "closes" { return socket.connection.close() }
        guard let end = await socket.end() else { throw Mismatch("the socket did not end") }
        guard what == "closed \(end.code)" else { throw Mismatch("closed with \(end.code), \(end.reason)") }
    }

    private func request(_ line: String) async throws {
        let halves = line.split(separator: " => ", maxSplits: 1)
        let asked = halves[0].split(separator: " ", maxSplits: 2).map(String.init)
        let expected = halves[1].split(separator: " ", maxSplits: 1).map(String.init)
        let target = asked[1].split(separator: "?", maxSplits: 1).map(String.init)
        let query = target.dropFirst().flatMap { $0.split(separator: "&") }.map { item in
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            return HTTPRequest.QueryItem(parts[0], parts.count > 1 ? parts[1] : "")
        }
        let body = asked.count > 2 ? asked[2] : ""
        defer { requests += 1 }
        let response = try await servers[requests % servers.count].send(asked[0], target[0], body, query: query)
        guard String(response.status) == expected[0] else {
            throw Mismatch("status \(response.status) \(response.text)")
        }
        let text = expected.count > 1 ? expected[1] : ""
        if text.hasPrefix("{") {
            try match(JSONValue(response.body), JSONValue(text.utf8))
        } else if text != "*", response.text != text {
            throw Mismatch("body \(response.text)")
        }
    }

    private func match(_ actual: JSONValue, _ expected: JSONValue) throws {
        if case .string(let pattern) = expected, let text = actual.string {
            if pattern == "*" { return }
            if pattern.hasPrefix("@") {
                names[String(pattern.dropFirst())] = text
                return
            }
        }
        guard case .object(let wanted) = expected, case .object(let got) = actual else {
            guard actual == expected else { throw Mismatch("\(actual.text) instead of \(expected.text)") }
            return
        }
        guard Set(wanted.members.map(\.name)) == Set(got.members.map(\.name)) else {
            throw Mismatch("\(actual.text) instead of \(expected.text)")
        }
        for member in wanted.members { try match(got[member.name] ?? .null, member.value) }
    }
}
