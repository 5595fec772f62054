@testable import DataChannels

/// Two connections of one process that exchange descriptions and candidates directly.
struct Pair {
    let offerer: PeerConnection
    let answerer: PeerConnection
    let offererLog: EventLog
    let answererLog: EventLog

    init(
        offerer: PeerConnectionConfiguration? = nil,
        answerer: PeerConnectionConfiguration? = nil,
        limits: ConnectionLimits = ConnectionLimits()
    ) throws {
        self.offerer = try PeerConnection(configuration: offerer ?? .loopback(), limits: limits)
        self.answerer = try PeerConnection(configuration: answerer ?? .loopback(), limits: limits)
        offererLog = EventLog(of: self.offerer, candidatesTo: self.answerer)
        answererLog = EventLog(of: self.answerer, candidatesTo: self.offerer)
    }

    /// Exchanges an offer and an answer.
    func negotiate(iceRestart: Bool = false, answerSetup: SessionDescription.Setup? = nil) async throws {
        let offer = try await offerer.createOffer(iceRestart: iceRestart)
        try await offerer.setLocalDescription(offer)
        try await answerer.setRemoteDescription(SessionDescription(kind: .offer, sdp: offer.sdp))
        var answer = try await answerer.createAnswer()
        if let answerSetup { answer.dataChannels?.setup = answerSetup }
        try await answerer.setLocalDescription(answer)
        try await offerer.setRemoteDescription(SessionDescription(kind: .answer, sdp: answer.sdp))
    }

    /// Negotiates and waits until both are connected.
    func connect(answerSetup: SessionDescription.Setup? = nil) async throws {
        try await negotiate(answerSetup: answerSetup)
        try await offererLog.state(.connected)
        try await answererLog.state(.connected)
    }

    func close() async {
        await offerer.close()
        await answerer.close()
    }
}

extension PeerConnectionConfiguration {
    /// Host candidates on 127.0.0.1 only.
    static func loopback() throws -> PeerConnectionConfiguration {
        try PeerConnectionConfiguration(bindAddresses: ["127.0.0.1"])
    }
}

/// The events of one connection, with ways to wait for them. Forwards candidates to the other side.
actor EventLog {
    private(set) var states: [PeerConnectionState] = []
    private(set) var failure: PeerConnectionError?
    private var channels: [DataChannel] = []
    private var stateWaiters: [(PeerConnectionState, CheckedContinuation<Void, any Error>)] = []
    private var channelWaiters: [CheckedContinuation<DataChannel, any Error>] = []
    private var isFinished = false

    init(of connection: PeerConnection, candidatesTo other: PeerConnection?) {
        let events = connection.events
        Task { [weak other] in
            for await event in events {
                switch event {
                case .localCandidate(let candidate):
                    try? await other?.addICECandidate(line: candidate.line, sdpMid: candidate.sdpMid)
                case .gatheringStateChanged(.complete): try? await other?.endOfICECandidates()
                case .connectionStateChanged(let state, let error): await self.note(state, error)
                case .dataChannel(let channel): await self.note(channel)
                default: break
                }
            }
            await self.finish()
        }
    }

    /// Waits until the state has been reached at least once.
    func state(_ state: PeerConnectionState) async throws {
        if states.contains(state) { return }
        if isFinished { throw PeerConnectionError(.closed, "closed before \(state)") }
        try await withCheckedThrowingContinuation { stateWaiters.append((state, $0)) }
    }

    /// The next channel that the peer opened.
    func channel() async throws -> DataChannel {
        if !channels.isEmpty { return channels.removeFirst() }
        if isFinished { throw PeerConnectionError(.closed, "closed before a channel came") }
        return try await withCheckedThrowingContinuation { channelWaiters.append($0) }
    }

    private func note(_ state: PeerConnectionState, _ error: PeerConnectionError?) {
        states.append(state)
        failure = failure ?? error
        for (wanted, waiter) in stateWaiters where wanted == state { waiter.resume() }
        stateWaiters.removeAll { $0.0 == state }
    }

    private func note(_ channel: DataChannel) {
        if channelWaiters.isEmpty {
            channels.append(channel)
        } else {
            channelWaiters.removeFirst().resume(returning: channel)
        }
    }

    private func finish() {
        isFinished = true
        let error = PeerConnectionError(.closed, "the connection closed")
        for (_, waiter) in stateWaiters { waiter.resume(throwing: error) }
        for waiter in channelWaiters { waiter.resume(throwing: error) }
        stateWaiters = []
        channelWaiters = []
    }
}

/// What one channel reports, with ways to wait for it.
final class Inbox: Sendable {
    private let messages: AsyncStream<DataChannelMessage>
    private let opened: AsyncStream<Void>
    private let closed: AsyncStream<Void>

    init(_ channel: DataChannel) {
        let (messages, messageSink) = AsyncStream<DataChannelMessage>.makeStream()
        let (opened, openSink) = AsyncStream<Void>.makeStream()
        let (closed, closeSink) = AsyncStream<Void>.makeStream()
        (self.messages, self.opened, self.closed) = (messages, opened, closed)
        channel.setHandlers(
            onOpen: { openSink.yield() },
            onMessage: { messageSink.yield($0) },
            onClose: {
                closeSink.yield()
                closeSink.finish()
                openSink.finish()
                messageSink.finish()
            }
        )
    }

    func open() async { for await _ in opened { return } }

    func close() async { for await _ in closed { return } }

    func next() async -> DataChannelMessage? {
        for await message in messages { return message }
        return nil
    }

    func next(_ count: Int) async -> [DataChannelMessage] {
        var result: [DataChannelMessage] = []
        if count == 0 { return [] }
        for await message in messages {
            result.append(message)
            if result.count == count { break }
        }
        return result
    }
}
