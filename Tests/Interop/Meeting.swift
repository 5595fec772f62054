import DataChannels
import Foundation

/// One of our connections and a foreign peer, and the signaling between them.
final class Meeting: Sendable {
    enum Offerer: String, Sendable, CaseIterable { case we, they }

    let connection: PeerConnection
    let foreign: ForeignPeer
    private let channels: AsyncStream<DataChannel>
    private let connected: AsyncStream<Void>
    private let descriptions: AsyncStream<SessionDescription>
    /// Labels of channels that the foreign peer saw closing.
    let closed: AsyncStream<String>
    /// What the foreign peer could not do.
    let errors: AsyncStream<String>

    init(_ foreign: ForeignPeer, bindAddresses: [String] = []) throws {
        connection = try PeerConnection(configuration: PeerConnectionConfiguration(bindAddresses: bindAddresses))
        self.foreign = foreign
        let (channels, channelSink) = AsyncStream<DataChannel>.makeStream()
        let (connected, connectedSink) = AsyncStream<Void>.makeStream()
        let (descriptions, descriptionSink) = AsyncStream<SessionDescription>.makeStream()
        let (closed, closedSink) = AsyncStream<String>.makeStream()
        let (errors, errorSink) = AsyncStream<String>.makeStream()
        self.errors = errors
        (self.channels, self.connected, self.descriptions, self.closed) = (channels, connected, descriptions, closed)
        Task { [events = connection.events] in
            for await event in events {
                switch event {
                case .localCandidate(let candidate):
                    try? foreign.send(.init(command: "candidate", line: candidate.line))
                case .connectionStateChanged(.connected, _): connectedSink.yield()
                case .connectionStateChanged(.failed, _): connectedSink.finish()
                case .dataChannel(let channel): channelSink.yield(channel)
                default: break
                }
            }
            connectedSink.finish()
            channelSink.finish()
        }
        Task { [weak connection] in
            for await line in foreign.lines {
                switch line.type {
                case "offer": descriptionSink.yield(try SessionDescription(kind: .offer, sdp: line.sdp ?? ""))
                case "answer": descriptionSink.yield(try SessionDescription(kind: .answer, sdp: line.sdp ?? ""))
                case "candidate": try? await connection?.addICECandidate(line: line.line ?? "")
                case "error": errorSink.yield(line.message ?? "")
                case "closed": closedSink.yield(line.label ?? "")
                default: break
                }
            }
            descriptionSink.finish()
            closedSink.finish()
            errorSink.finish()
        }
    }

    /// Exchanges descriptions and waits for the connection.
    func connect(offerer: Offerer, iceRestart: Bool = false) async throws {
        switch offerer {
        case .we:
            try await connection.setLocalDescription(connection.createOffer(iceRestart: iceRestart))
            let offer = try await gathered()
            try foreign.send(.init(command: "answer", sdp: offer.sdp))
            try await connection.setRemoteDescription(nextDescription())
        case .they:
            try foreign.send(.init(command: "offer", restart: iceRestart))
            try await connection.setRemoteDescription(nextDescription())
            try await connection.setLocalDescription(connection.createAnswer())
            let answer = try await gathered()
            try foreign.send(.init(command: "accept", sdp: answer.sdp))
        }
        if connection.connectionState == .connected { return }
        for await _ in connected { return }
        throw ForeignPeer.Broken(description: "no connection")
    }

    /// The next channel that the foreign peer opened.
    func channel() async throws -> DataChannel {
        for await channel in channels { return channel }
        throw ForeignPeer.Broken(description: "no channel")
    }

    /// Ends the connection and the foreign program, whatever happened in between.
    func held(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            await end()
            throw error
        }
        await end()
    }

    private func end() async {
        await connection.close()
        foreign.end()
    }

    /// Our description with all candidates: aiortc does not trickle.
    private func gathered() async throws -> SessionDescription {
        while true {
            if let description = await connection.localDescription,
                description.dataChannels?.endOfCandidates == true
            {
                return description
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func nextDescription() async throws -> SessionDescription {
        for await description in descriptions { return description }
        throw ForeignPeer.Broken(description: "the foreign peer ended without a description")
    }
}
