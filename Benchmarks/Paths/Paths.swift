import Foundation

extension Suite {
    static let paths = Suite(
        name: "paths",
        about:
            "data channels and TCP over an emulated path: delay, loss, packets out of order (--seconds=5 --rounds=1 --only=TEXT)"
    ) { recorder in
        guard PathNetwork.isPossible else {
            FileHandle.standardError.write(Data("paths need root and /dev/net/tun\n".utf8))
            return
        }
        let rounds = Int(word("rounds") ?? "") ?? 1
        let seconds = Double(word("seconds") ?? "") ?? 5
        for shape in PathShape.all where word("only").map({ shape.name.contains($0) }) ?? true {
            var shown: [PathTransport: PathResult] = [:]
            for transport in PathTransport.all where word("transport").map({ transport.name == $0 }) ?? true {
                var results: [PathResult] = []
                for _ in 0..<rounds { results += await measured(transport, shape, seconds) }
                guard !results.isEmpty else { continue }
                shown[transport] = results[0]
                await record(results, transport, shape, recorder)
            }
            try draw(shape, shown)
        }
        if word("transport") == nil, word("only").map({ "fair".contains($0) }) ?? true {
            for other in [PathTransport.tcp(congestion: "cubic"), .tcp(congestion: "bbr")] {
                await measureFairness(beside: other, max(seconds, 10), rounds: rounds, recorder)
            }
        }
    }

    /// What each of two that share a path gets.
    private static func measureFairness(
        beside other: PathTransport, _ seconds: Double, rounds: Int, _ recorder: Recorder
    ) async {
        let shape = PathShape(roundTripMilliseconds: 20, megabits: 100)
        var shares: [Double] = []
        for _ in 0..<rounds {
            do {
                let network = try await PathNetwork(shape)
                defer { network.close() }
                async let theirs = network.run(other, seconds: seconds, shape: shape)
                let ours = try await network.run(.ours, seconds: seconds, shape: shape).steadyMegabits
                shares.append(ours / max(ours + (try await theirs).steadyMegabits, 0.001) * 100)
            } catch {
                FileHandle.standardError.write(Data("  fair, \(other.name): \(error)\n".utf8))
            }
        }
        guard !shares.isEmpty else { return }
        await recorder.record(
            "fair: the share of Alcove beside \(other.name), \(shape.name)", shares, unit: "%", better: .higher,
            aim: 30)
        await recorder.record(
            "fair: what \(other.name) has beside it, \(shape.name)", shares.map { 100 - $0 }, unit: "%",
            better: .higher, aim: other == .tcp(congestion: "cubic") ? 30 : nil)
    }

    /// The value of `--name=value`.
    private static func word(_ name: String) -> String? {
        CommandLine.arguments.first { $0.hasPrefix("--\(name)=") }.map { String($0.dropFirst(name.count + 3)) }
    }

    private static func measured(_ transport: PathTransport, _ shape: PathShape, _ seconds: Double) async
        -> [PathResult]
    {
        do {
            let network = try await PathNetwork(shape)
            defer { network.close() }
            let result = try await network.run(transport, seconds: seconds, shape: shape)
            if result.arrivals.count > 1 { return [result] }
            FileHandle.standardError.write(Data("  \(transport.name), \(shape.name): nothing arrived\n".utf8))
        } catch {
            FileHandle.standardError.write(Data("  \(transport.name), \(shape.name): \(error)\n".utf8))
        }
        return []
    }

    private static func record(
        _ results: [PathResult], _ transport: PathTransport, _ shape: PathShape, _ recorder: Recorder
    ) async {
        let label = "\(transport.name), \(shape.name)"
        let isOurs = transport == .ours
        await recorder.record(
            "goodput, \(label)", results.map(\.megabits), unit: "Mbit/s", better: .higher,
            aim: isOurs ? shape.aim : nil)
        await recorder.record(
            "goodput of the second half, \(label)", results.map(\.steadyMegabits), unit: "Mbit/s", better: .higher)
        let starts = results.compactMap { $0.secondsToHalf(roundTrip: shape.roundTripMilliseconds / 1000) }
        if !starts.isEmpty {
            await recorder.record(
                "to half of it, \(label)", starts.map { $0 * 1000 }, unit: "ms", better: .lower,
                aim: isOurs ? 5 * shape.roundTripMilliseconds : nil)
        }
        let delays = results.flatMap(\.delays)
        guard !delays.isEmpty else { return }
        let bound = shape.roundTripMilliseconds * 1.5 + Double(shape.queueBytes) / shape.megabits / 125
        await recorder.record(
            "64 B beside it p95, \(label)", percentile(delays, 0.95), unit: "ms", better: .lower,
            aim: isOurs ? bound : nil)
    }

    private static func draw(_ shape: PathShape, _ shown: [PathTransport: PathResult]) throws {
        guard let folder = word("plot") else { return }
        let names = PathTransport.all.filter { shown[$0] != nil }
        func lines(_ points: (PathResult) -> [(Double, Double)]) -> [TimePlot.Line] {
            names.map { TimePlot.Line(name: $0.name, points: points(shown[$0] ?? PathResult())) }
        }
        let plot = TimePlot(
            title: shape.name,
            panels: [
                .init(title: "goodput, Mbit/s", lines: lines(\.goodput)),
                .init(
                    title: "window, KiB",
                    lines: lines {
                        $0.states.compactMap { state in point(state.at, state.window.map { Double($0) / 1024 }) }
                    }),
                .init(
                    title: "round trip, ms",
                    lines: lines { $0.states.compactMap { state in point(state.at, state.roundTripMilliseconds) } }),
            ])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(plot.svg.utf8).write(to: URL(filePath: "\(folder)/path-\(shape.shortName).svg"))
    }

    private static func point(_ time: Double?, _ value: Double?) -> (Double, Double)? {
        if let time, let value { (time, value) } else { nil }
    }
}

extension PathTransport {
    static let all: [PathTransport] = [
        .tcp(congestion: "cubic"), .tcp(congestion: "bbr"), .ours, .libdatachannel,
    ]
}

extension PathShape {
    static let all: [PathShape] =
        [10, 20, 100].map { PathShape(roundTripMilliseconds: $0, megabits: 100) }
        + [20, 100].flatMap { trip in
            [0.001, 0.01].map { PathShape(roundTripMilliseconds: trip, megabits: 100, loss: $0) }
        }
        + [10, 20, 100].map { PathShape(roundTripMilliseconds: $0, megabits: 100, late: 0.01) }
        + [PathShape(roundTripMilliseconds: 20, megabits: 500)]

    /// What our data channels should carry.
    var aim: Double {
        if megabits > 100 { return 400 }
        if loss == 0 { return 85 }
        return roundTripMilliseconds > 20 ? 70 : 75
    }
}
