package import DataChannels

/// Tries one STUN or TURN server: whether it answers, and for TURN whether two connections meet through it.
package struct ICEServerCheck: Sendable {
    private let server: ICEServer
    private let network: RoomsNetwork

    /// - Parameter server: with one address, which is tried.
    package init(server: ICEServer, network: RoomsNetwork) {
        (self.server, self.network) = (server, network)
    }

    private var url: String { server.urls.first ?? "" }

    /// STUN only answers; everything else has to be TURN.
    private var isRelay: Bool { !url.lowercased().hasPrefix("stun:") }

    /// Nil if the server works.
    package func problem() async -> ServerFinding.Problem? {
        if isRelay { return await RelayCheck(server: server, network: network).problem() }
        return await RelayProbe.isAnswering(url) ? nil : .silent
    }

    package func finding() async -> ServerFinding {
        ServerFinding(subject: isRelay ? .turn : .stun, place: url, problem: await problem())
    }
}
