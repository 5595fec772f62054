import Foundation
import Peers

/// A foreign peer in a process of its own that takes and gives lines of JSON. Those of WebRTC echo every message.
final class ForeignPeer: Sendable {
    struct Line: Codable, Sendable {
        var command: String?
        var type: String?
        var sdp: String?
        var line: String?
        var label: String?
        var message: String?
        var kind: String?
        var size: Int?
        var restart: Bool?
        // Of documents:
        var updates: [Data]?
        var seed: Int?
        var steps: Int?
        var tree: String?
        var modified: Double?
    }

    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    let lines: AsyncStream<Line>
    private let process: ChildProcess
    private let input: FileHandle

    init(program: URL, arguments: [String]) throws {
        let (toPeer, fromPeer) = (Pipe(), Pipe())
        let (lines, sink) = AsyncStream<Line>.makeStream()
        self.lines = lines
        input = toPeer.fileHandleForWriting
        process = try ChildProcess(
            program: program, arguments: arguments, input: toPeer.fileHandleForReading,
            output: fromPeer.fileHandleForWriting)
        // Its ends of the pipes: the last one that is closed says that it has ended.
        try toPeer.fileHandleForReading.close()
        try fromPeer.fileHandleForWriting.close()
        let output = fromPeer.fileHandleForReading
        Thread.detachNewThread {
            var pending = Data()
            while case let data = output.availableData, !data.isEmpty {
                pending += data
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    if let line = try? JSONDecoder().decode(Line.self, from: pending[..<end]) { sink.yield(line) }
                    pending = Data(pending[(end + 1)...])
                }
            }
            sink.finish()
        }
    }

    static func aiortc() throws -> ForeignPeer {
        try ForeignPeer(program: Programs.python(), arguments: [Programs.script("aiortc_peer.py")])
    }

    static func libdatachannel() throws -> ForeignPeer {
        try ForeignPeer(program: Programs.python(), arguments: [Programs.script("libdatachannel_peer.py")])
    }

    static func chromium() throws -> ForeignPeer {
        try ForeignPeer(
            program: Programs.python(),
            arguments: [Programs.script("browser_peer.py"), Programs.chromium().path])
    }

    static func firefox() throws -> ForeignPeer {
        try ForeignPeer(
            program: Programs.python(),
            arguments: [Programs.script("browser_peer.py"), Programs.firefox().path])
    }

    static func pycrdt() throws -> ForeignPeer {
        try ForeignPeer(program: Programs.python(), arguments: [Programs.script("pycrdt_peer.py")])
    }

    func send(_ line: Line) throws {
        try input.write(contentsOf: JSONEncoder().encode(line) + [UInt8(ascii: "\n")])
    }

    /// Ends the peer: it goes when its input does.
    func end() {
        try? input.close()
        process.end(grace: .seconds(10))
    }
}
