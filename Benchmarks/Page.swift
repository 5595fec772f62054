import AppCore
import Foundation
import Host
import Peers

extension Suite {
    /// Needs the browser and the driver that `make page-tests` brings, and `alcove` in a release build.
    static let page = Suite(name: "page", about: "the page in Chromium, over a real host, with real messages") {
        recorder in
        let profile = try FilledProfile(rooms: 1, messages: 100_000)
        defer { profile.remove() }
        try await profile.run { _ in }
        let scripts = [("page_peer.py", [profile.folder]), ("note_page_peer.py", []), ("agent_page_peer.py", [])]
        for figure in try scripts.flatMap({ try figures($0.0, $0.1) }) {
            await recorder.record(
                figure.name, figure.samples, unit: figure.unit, better: .lower, aim: figure.aim)
        }
    }

    private struct PageFigure: Decodable {
        var name: String
        var samples: [Double]
        var unit: String
        var aim: Double?
    }

    private static func figures(_ script: String, _ arguments: [String]) throws -> [PageFigure] {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let python = repository.appending(path: ".build/page-tests/bin/python")
        let path = repository.appending(path: "Benchmarks/peers/\(script)").path
        let output = Pipe()
        let end = output.fileHandleForWriting
        let peer = try ChildProcess(program: python, arguments: [path] + arguments, output: end)
        try end.close()
        defer { peer.end(grace: .seconds(1)) }
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return try JSONDecoder().decode([PageFigure].self, from: data)
    }
}
