import Foundation
import Networking

/// Tries a rendezvous server as two people would: makes a code, enters with it, relays something in both directions, and
/// connects through the STUN and TURN servers that are handed out.
///
/// What it made at the server is purged at the end.
package struct ServerCheck: Sendable {
    let network: RoomsNetwork
    let server: String
    let report: @Sendable (ServerFinding) -> Void

    /// How far clocks may differ, in seconds. Credentials of TURN servers and certificates depend on the time.
    static let clockTolerance = 30
    /// How long the code that is tried lives, in seconds.
    static let codeLifetime: Int64 = 300
    /// The longest wait for one message of the server.
    static let patience = Duration.seconds(10)

    /// - Parameter report: gets each finding as soon as it is known.
    package init(server: String, network: RoomsNetwork, report: @escaping @Sendable (ServerFinding) -> Void) {
        (self.server, self.network, self.report) = (server, network, report)
    }

    func found(_ subject: ServerFinding.Subject, _ problem: ServerFinding.Problem? = nil, at place: String? = nil) {
        report(ServerFinding(subject: subject, place: place ?? server, problem: problem))
    }

    /// Tries everything that the step before allows.
    package func run() async {
        do throws(RoomsFailure) {
            let url = try await step(.server) { () throws(RoomsFailure) in try RoomsNetwork.url(of: server) }
            let client = try RendezvousClient(network: network, server: server)
            let answered = try await reach(url, client)
            var made = Made()
            if (try? await make(client, &made, answered)) != nil {
                // Before the guest comes, who may come to another node than the one that has to tell.
                let watcher = await watch(made)
                if (try? await enter(client, &made)) != nil { await signal(made, watcher) }
                watcher?.close()
            }
            for side in [made.creator, made.guest] {
                _ = try? await client.purge(devices: [side.device], tickets: [side.ticket])
            }
        } catch {
            // It was reported where it happened.
        }
    }

    /// A failure is what was found, and the end.
    private func step<Result>(
        _ subject: ServerFinding.Subject, _ body: () async throws(RoomsFailure) -> Result
    ) async throws(RoomsFailure) -> Result {
        do throws(RoomsFailure) {
            return try await body()
        } catch {
            found(subject, .failure(error))
            throw error
        }
    }

    /// - Returns: by how many seconds the clock of who answers is ahead, if it says the time.
    private func reach(_ url: ServerURL, _ client: RendezvousClient) async throws(RoomsFailure) -> Int? {
        try await step(.server) { () throws(RoomsFailure) in try await client.checkHealth() }
        found(.server)
        let isHere = ["localhost", "::1"].contains(url.host) || url.host.hasPrefix("127.")
        if url.isSecure || !isHere { found(.tls, url.isSecure ? nil : .unencrypted) }
        let request = HTTPRequest(path: "/ready")
        let answer = try await step(.ready) { () throws(RoomsFailure) in
            try await network.send(request, to: url, timeout: RendezvousClient.timeout)
        }
        // Older servers do not know it.
        if answer.status != 404 { found(.ready, answer.status == 200 ? nil : .notReady) }
        return answer.headers["date"].flatMap(HTTPDate.init).map { Self.ahead($0.seconds) }
    }

    private static func ahead(_ seconds: Int) -> Int { seconds - Int(Date().timeIntervalSince1970) }

    /// Who answers may be a proxy, and who decides on codes another machine: the worse of their clocks counts.
    private func judge(_ clocks: [Int?]) {
        guard let ahead = clocks.compactMap(\.self).max(by: { abs($0) < abs($1) }) else { return }
        found(.clock, abs(ahead) <= Self.clockTolerance ? nil : .clock(ahead))
    }

    /// Two devices in one room.
    struct Made: Sendable {
        struct Side: Sendable {
            var device: String
            var ticket = ""
        }

        var code = ""
        var room = ""
        var creator = Side(device: UUID().uuidString)
        var guest = Side(device: UUID().uuidString)
    }

    /// - Parameter answered: what ``reach(_:_:)`` learned of a clock.
    private func make(
        _ client: RendezvousClient, _ made: inout Made, _ answered: Int?
    ) async throws(RoomsFailure) {
        let device = made.creator.device
        let (code, created): (String, RendezvousClient.Created)
        do throws(RoomsFailure) {
            (code, created) = try await create(client, device)
        } catch {
            judge([answered])
            found(.room, .failure(error))
            throw error
        }
        (made.code, made.creator.ticket) = (code, created.ticket)
        let expiry = try? RoomsService.milliseconds(created.exp)
        judge([answered, expiry.map { Self.ahead(Int($0 / 1000 - Self.codeLifetime)) }])
    }

    private func enter(_ client: RendezvousClient, _ made: inout Made) async throws(RoomsFailure) {
        let (code, guest) = (made.code, made.guest.device)
        let accepted = try await step(.room) { () throws(RoomsFailure) in
            try await client.accept(digits: code, device: guest)
        }
        (made.room, made.guest.ticket) = (accepted.roomid, accepted.ticket)
        found(.room, made.creator.ticket.isEmpty ? .noTickets : nil)
    }

    private func create(
        _ client: RendezvousClient, _ device: String
    ) async throws(RoomsFailure) -> (String, RendezvousClient.Created) {
        for _ in 0..<8 {
            let code = JoinCode.random().digits
            let created = try await client.create(digits: code, device: device, expiresIn: Self.codeLifetime)
            if let created { return (code, created) }
        }
        throw RoomsFailure(.serverError, "the server found no free join code", place: server)
    }
}
