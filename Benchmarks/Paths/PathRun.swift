import Foundation
import Peers

/// What carries the bytes.
enum PathTransport: Hashable, Sendable {
    case tcp(congestion: String)
    /// Our data channels.
    case ours
    case libdatachannel

    var name: String {
        switch self {
        case .tcp(let congestion): "TCP \(congestion)"
        case .ours: "Alcove"
        case .libdatachannel: "libdatachannel"
        }
    }

    /// The programs of both ends: the sender at the first.
    fileprivate func programs(seconds: Double, shape: PathShape) throws -> [(program: String, words: [String])] {
        let (this, addresses) = (CommandLine.arguments[0], PathNetwork.addresses)
        switch self {
        case .tcp(let congestion):
            return [
                (this, ["--path-peer", "tcp-send", addresses[1], congestion]),
                (this, ["--path-peer", "tcp-receive", addresses[1], String(seconds)]),
            ]
        case .ours:
            return zip(["send", "receive"], addresses).map { (this, ["--path-peer", $0, $1, String(seconds)]) }
        case .libdatachannel:
            let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "peers/libdatachannel_path_peer.py").path
            // It cannot be asked how much waits, so it is given what the path can carry.
            let bytes = Int(shape.megabits * 125_000 * (seconds + 1))
            return try ["send", "receive"].map {
                (try Programs.python().path, [script, $0, String(seconds), String(bytes)])
            }
        }
    }
}

extension PathNetwork {
    /// Carries bytes for some seconds.
    func run(_ transport: PathTransport, seconds: Double, shape: PathShape) async throws -> PathResult {
        let programs = try transport.programs(seconds: seconds, shape: shape)
        let ends = try programs.enumerated().map { try start(at: $0.offset, $0.element.program, $0.element.words) }
        defer { for end in ends { end.end() } }
        let watch = Task {
            try await Task.sleep(for: .seconds(seconds * 2 + 20))
            for end in ends { end.end() }
        }
        defer { watch.cancel() }
        return try await withThrowingTaskGroup(of: PathResult.self) { group in
            for (index, end) in ends.enumerated() {
                let other = ends[1 - index]
                group.addTask { try await Self.follow(end, other) }
            }
            // The one that receives is done first; the other is then ended.
            var result = try await group.next() ?? PathResult()
            for end in ends { end.end() }
            while let more = try await group.next() {
                if result.arrivals.isEmpty { result.arrivals = more.arrivals }
                if result.delays.isEmpty { result.delays = more.delays }
                result.states += more.states
            }
            return result
        }
    }

    private static func follow(_ end: PathProcess, _ other: PathProcess) async throws -> PathResult {
        var result = PathResult()
        for await text in end.lines {
            guard let line = try? JSONDecoder().decode(PathLine.self, from: Data(text.utf8)) else { continue }
            switch line.kind {
            case .signal: other.say(text)
            case .sample: if let at = line.at, let bytes = line.bytes { result.arrivals.append((at, bytes)) }
            case .state: result.states.append(line)
            case .done:
                result.delays = line.delays ?? []
                if let why = line.line { throw Failure(description: why) }
                return result
            }
        }
        return result
    }
}
