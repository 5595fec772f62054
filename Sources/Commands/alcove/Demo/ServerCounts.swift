import Networking

/// What a rendezvous server still knows, by its own public count (`/metrics`).
struct ServerCounts {
    let rooms: Int
    let codes: Int

    init(url: String) async throws {
        let answer = try await HTTPClient().send(HTTPRequest(path: "/metrics"), to: ServerURL(url))
        let text = String(decoding: answer.body, as: UTF8.self)
        func value(of metric: String) throws -> Int {
            let line = text.split(separator: "\n").first { $0.hasPrefix("alcove_rendezvous_\(metric) ") }
            guard let number = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
                throw CommandFailure("the server does not say how many \(metric) it knows", .software)
            }
            return number
        }
        rooms = try value(of: "rooms")
        codes = try value(of: "pending_rooms")
    }
}
