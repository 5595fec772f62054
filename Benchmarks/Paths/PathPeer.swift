import DataChannels
import Foundation
import Synchronization

/// One end of a path with our data channels: a channel full of messages of 64 KiB, and beside it a small message now and then.
final class PathPeer: Sendable {
    private let connection: PeerConnection
    private let bulk: DataChannel
    private let small: DataChannel
    private let start = monotonicNanoseconds()

    static let blockBytes = 65536

    /// Runs one end until the parent goes away: `--path-peer send|receive ADDRESS SECONDS`, or `tcp-send ADDRESS CONGESTION`,
    /// `tcp-receive ADDRESS SECONDS`.
    static func runIfAsked() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 4, words[0] == "--path-peer" else { return }
        switch words[1] {
        case "tcp-send": PathTCP.send(to: words[2], congestion: words[3])
        case "tcp-receive": PathTCP.receive(at: words[2], seconds: Double(words[3]) ?? 5)
        default:
            let peer = try PathPeer(address: words[2])
            if words[1] == "send" { try await peer.send() } else { peer.receive(seconds: Double(words[3]) ?? 5) }
            try await peer.signal()
        }
        exit(0)
    }

    private init(address: String) throws {
        let configuration = try PeerConnectionConfiguration(bindAddresses: [address])
        connection = try PeerConnection(configuration: configuration)
        bulk = try connection.createDataChannel(label: "bulk", configuration: .init(negotiatedID: 0))
        small = try connection.createDataChannel(label: "small", configuration: .init(negotiatedID: 1))
        Task { [events = connection.events] in
            for await event in events {
                switch event {
                case .localCandidate(let candidate):
                    PathLine(kind: .signal, type: "candidate", line: candidate.line).say()
                case .connectionStateChanged(.failed, let error):
                    PathLine(kind: .done, line: error?.message ?? "failed").say()
                default: break
                }
            }
        }
    }

    private func send() async throws {
        let block = [UInt8](repeating: 7, count: Self.blockBytes)
        let pump: @Sendable () -> Void = { [bulk] in
            while bulk.bufferedAmount < 4 << 20 { try? bulk.send(block) }
        }
        bulk.bufferedAmountLowThreshold = 1 << 20
        bulk.setHandlers(onOpen: pump, onMessage: { _ in }, onBufferedAmountLow: pump)
        Task { await self.say() }
        let offer = try await connection.createOffer()
        try await connection.setLocalDescription(offer)
        PathLine(kind: .signal, type: "offer", sdp: offer.sdp).say()
    }

    /// Sends a small message every twentieth of a second, and says what is known of the path.
    private func say() async {
        while true {
            try? await Task.sleep(for: .milliseconds(50))
            guard small.state == .open else { continue }
            var message = withUnsafeBytes(of: monotonicNanoseconds().littleEndian, Array.init)
            message += [UInt8](repeating: 0, count: 56)
            try? small.send(message)
            let statistics = await connection.statistics()
            PathLine(
                kind: .state, at: Double(monotonicNanoseconds() - start) / 1e9, window: statistics.congestionWindow,
                roundTripMilliseconds: statistics.roundTripTime.map { $0 * 1000 }
            ).say()
        }
    }

    private func receive(seconds: Double) {
        let state = Mutex<(meter: PathMeter, delays: [Double])?>((PathMeter(seconds: seconds), []))
        bulk.setHandlers(onMessage: { message in
            let delays: [Double]? = state.withLock { state in
                guard let now = state else { return nil }
                now.meter.arrived(message.byteCount)
                guard now.meter.isOver else { return nil }
                state = nil
                return now.delays
            }
            if let delays { PathLine(kind: .done, delays: delays).say() }
        })
        small.setHandlers(onMessage: { message in
            guard case .binary(let bytes) = message, bytes.count == 64 else { return }
            let sent = bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
            let now = monotonicNanoseconds()
            state.withLock { $0?.delays.append(Double(max(now, sent) - sent) / 1e6) }
        })
    }

    /// Takes what the other end says until the parent goes away.
    private func signal() async throws {
        let (lines, sink) = AsyncStream<String>.makeStream()
        Thread.detachNewThread {
            while let line = readLine() { sink.yield(line) }
            sink.finish()
        }
        for await line in lines {
            guard let signal = try? JSONDecoder().decode(PathLine.self, from: Data(line.utf8)) else { continue }
            switch signal.type {
            case "offer":
                try await connection.setRemoteDescription(SessionDescription(kind: .offer, sdp: signal.sdp ?? ""))
                let answer = try await connection.createAnswer()
                try await connection.setLocalDescription(answer)
                PathLine(kind: .signal, type: "answer", sdp: answer.sdp).say()
            case "answer":
                try await connection.setRemoteDescription(SessionDescription(kind: .answer, sdp: signal.sdp ?? ""))
            case "candidate": try await connection.addICECandidate(line: signal.line ?? "")
            default: break
            }
        }
    }
}
