import DataChannels
import Foundation
import Peers
import Synchronization

extension Suite {
    static let dataChannels = Suite(
        name: "data-channels", about: "two WebRTC peers in one process over loopback, and the same of foreign ones"
    ) { recorder in
        try await measureOurs(recorder)
        for peer in ["libdatachannel", "aiortc"] { try await measureForeign(peer, recorder) }
    }

    private static func measureOurs(_ recorder: Recorder) async throws {
        var connects: [Double] = []
        for _ in 0..<10 {
            let pair = try await ChannelPair { _, _ in }
            connects.append(pair.connectMilliseconds)
            await pair.close()
        }
        await recorder.record("connect", connects, unit: "ms", better: .lower, aim: 60)

        var speeds: [Double] = []
        for _ in 0..<3 { speeds.append(try await transfer(count: 4096, size: 65536) * 65536 * 8 / 1e6) }
        await recorder.record("goodput, 64 KiB", speeds, unit: "Mbit/s", better: .higher, aim: 1500)

        let small = try await transfer(count: 300_000, size: 64)
        await recorder.record("messages of 64 B", small, unit: "messages/s", better: .higher, aim: 400_000)

        let times = try await roundTrips(10_000)
        await recorder.record(
            "round trip p50, 64 B", percentile(times, 0.5), unit: "µs", better: .lower, aim: 60)
        await recorder.record("round trip p99, 64 B", percentile(times, 0.99), unit: "µs", better: .lower)

        let idle = try await memoryOfIdle(1000)
        await recorder.record(
            "memory of an idle connection, one of 1000", idle, unit: "KB", better: .lower, aim: 150)
    }

    /// Kilobytes of memory of each of many connections in this process.
    private static func memoryOfIdle(_ count: Int) async throws -> Double {
        let before = Machine.residentBytes()
        var pairs: [ChannelPair] = []
        for _ in 0..<(count / 2) { pairs.append(try await ChannelPair { _, _ in }) }
        let used = Double(Machine.residentBytes() - before) / 1000 / Double(count)
        for pair in pairs { await pair.close() }
        return used
    }

    /// Messages a second, from the arrival of the first to that of the last.
    private static func transfer(count: Int, size: Int) async throws -> Double {
        let (done, sink) = AsyncStream<Duration>.makeStream()
        let arrival = Mutex<(count: Int, first: ContinuousClock.Instant?)>((0, nil))
        let pair = try await ChannelPair { _, _ in
            arrival.withLock { arrival in
                arrival.count += 1
                let first = arrival.first ?? .now
                arrival.first = first
                if arrival.count == count { sink.yield(.now - first) }
            }
        }
        let left = Mutex(count)
        let message = [UInt8](repeating: 7, count: size)
        let (channel, high) = (pair.channel, max(4 << 20, size))
        let take: @Sendable () -> Bool = {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
        let pump: @Sendable () -> Void = {
            while channel.bufferedAmount < high, take() {
                try? channel.send(message)
            }
        }
        channel.bufferedAmountLowThreshold = 1 << 20
        channel.setHandlers(onOpen: pump, onMessage: { _ in }, onBufferedAmountLow: pump)
        var rate = 0.0
        for await time in done {
            rate = Double(count) / seconds(time)
            break
        }
        await pair.close()
        return rate
    }

    /// Microseconds of each round trip.
    private static func roundTrips(_ count: Int) async throws -> [Double] {
        let (done, sink) = AsyncStream<[Double]>.makeStream()
        let pair = try await ChannelPair { channel, message in try? channel.send(message) }
        let state = Mutex<(times: [Double], start: ContinuousClock.Instant)>(([], .now))
        let message = DataChannelMessage.binary([UInt8](repeating: 1, count: 64))
        let channel = pair.channel
        let ping: @Sendable () -> Void = {
            state.withLock { $0.start = .now }
            try? channel.send(message)
        }
        channel.setHandlers(
            onOpen: ping,
            onMessage: { _ in
                let times = state.withLock { state in
                    state.times.append(seconds(.now - state.start) * 1e6)
                    return state.times.count == count ? state.times : nil
                }
                if let times { sink.yield(times) } else { ping() }
            })
        var result: [Double] = []
        for await times in done {
            result = times
            break
        }
        await pair.close()
        return result
    }

    /// Runs a script that measures a foreign library in the same way.
    private static func measureForeign(_ name: String, _ recorder: Recorder) async throws {
        struct Figures: Codable {
            var goodput: [Double]
            var connect: [Double]
            var p50: Double
            var p99: Double
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "peers/\(name)_peer.py").path
        guard let python = try? Programs.python() else {
            note("\(name) is not installed: run `make test-deps` to measure it too\n")
            return
        }
        let output = Pipe()
        let peer = try ChildProcess(program: python, arguments: [script], output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        defer { peer.end(grace: .seconds(1)) }
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        guard let figures = try? JSONDecoder().decode(Figures.self, from: data) else {
            note("\(name) could not be measured\n")
            return
        }
        await recorder.record("\(name): connect", figures.connect, unit: "ms", better: .lower)
        await recorder.record("\(name): goodput, 64 KiB", figures.goodput, unit: "Mbit/s", better: .higher)
        await recorder.record("\(name): round trip p50, 64 B", figures.p50, unit: "µs", better: .lower)
        await recorder.record("\(name): round trip p99, 64 B", figures.p99, unit: "µs", better: .lower)
    }
}

/// Two connected peers of one process with one channel between them.
private struct ChannelPair {
    let channel: DataChannel
    let connectMilliseconds: Double
    private let near: PeerConnection
    private let far: PeerConnection

    init(onMessage: @escaping @Sendable (DataChannel, DataChannelMessage) -> Void) async throws {
        let configurations = try (0..<2).map { _ in try PeerConnectionConfiguration(bindAddresses: ["127.0.0.1"]) }
        let start = ContinuousClock.now
        near = try PeerConnection(configuration: configurations[0])
        far = try PeerConnection(configuration: configurations[1])
        Self.forward(near.events, to: far) { _ in }
        Self.forward(far.events, to: near) { channel in
            channel.setHandlers(onMessage: { onMessage(channel, $0) })
        }
        channel = try near.createDataChannel(label: "benchmark")
        let (opened, sink) = AsyncStream<Void>.makeStream()
        channel.setHandlers(onOpen: { sink.yield() }, onMessage: { _ in })
        let offer = try await near.createOffer()
        try await near.setLocalDescription(offer)
        try await far.setRemoteDescription(offer)
        let answer = try await far.createAnswer()
        try await far.setLocalDescription(answer)
        try await near.setRemoteDescription(answer)
        for await _ in opened { break }
        connectMilliseconds = seconds(.now - start) * 1000
    }

    func close() async {
        await near.close()
        await far.close()
    }

    private static func forward(
        _ events: AsyncStream<PeerConnectionEvent>, to other: PeerConnection,
        opened: @escaping @Sendable (DataChannel) -> Void
    ) {
        Task {
            for await event in events {
                if case .localCandidate(let candidate) = event { try await other.addICECandidate(candidate) }
                if case .dataChannel(let channel) = event { opened(channel) }
            }
        }
    }
}

private func note(_ line: String) { FileHandle.standardError.write(Data(line.utf8)) }
