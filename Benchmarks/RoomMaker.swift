/// Makes rooms as two people would, over several connections at once: one creates, the other accepts, perhaps at another
/// server, the first asks what became of it.
struct RoomMaker {
    static let connections = 16

    private let all: [LoadSocket]

    init(_ ports: [Int], first: Int = 0) throws {
        all = try (0..<Self.connections).map { try LoadSocket(port: ports[(first + $0) % ports.count]) }
    }

    /// Makes rooms of these numbers, at most as many as there are connections. Three requests each.
    func make(_ batch: [Int]) throws -> [LoadRoom] {
        let codes = batch.map { String(100_000 + $0) }
        let made = try ask(
            "/api/rooms",
            zip(codes, batch).map { #"{"joinid":"\#($0)","client1":"a\#($1)","expiresInSeconds":3600,"ticket":true}"# },
            expecting: 201)
        let accepted = try ask(
            "/api/rooms/accept",
            zip(codes, batch).map { #"{"joinid":"\#($0)","client2":"b\#($1)","ticket":true}"# }, expecting: 200,
            elsewhere: true)
        _ = try ask(
            "/api/rooms/check",
            zip(zip(codes, batch), made).map {
                #"{"joinid":"\#($0.0)","client1":"a\#($0.1)","ticket":"\#(Self.field("ticket", of: $1))"}"#
            }, expecting: 200)
        return zip(batch, zip(made, accepted)).map { number, bodies in
            LoadRoom(
                id: Self.field("roomid", of: bodies.1), number: number,
                tickets: (Self.field("ticket", of: bodies.0), Self.field("ticket", of: bodies.1)))
        }
    }

    private func ask(
        _ path: String, _ bodies: [String], expecting status: Int, elsewhere: Bool = false
    ) throws -> [String] {
        let sockets = elsewhere ? Array(all.dropFirst() + all.prefix(1)) : all
        for (socket, body) in zip(sockets, bodies) { try socket.send(LoadSocket.request("POST", path, body)) }
        return try zip(sockets, bodies).map { socket, _ in
            let (answered, body) = try socket.response()
            guard answered == status else { throw LoadSocket.Failure(description: "\(path): \(answered) \(body)") }
            return body
        }
    }

    /// The value of a text field of a flat JSON object.
    private static func field(_ name: String, of json: String) -> String {
        guard let start = json.firstRange(of: "\"\(name)\":\"") else { return "" }
        return String(json[start.upperBound...].prefix { $0 != "\"" })
    }
}
