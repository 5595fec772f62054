import CRDTBridge
import Foundation
import Peers
import RichText
import ScriptEngine

extension Suite {
    /// The workload is like the "B4" of crdt-benchmarks in its counts: 259 778 edits, one update each, 104 852 characters left.
    static let crdt = Suite(name: "crdt", about: "notes in the script engine, beside Node.js and pycrdt") { recorder in
        await recorder.record(
            "bundle", Double(CRDTBridge.script.utf8.count) / 1024, unit: "KB", better: .lower, aim: 120)
        var starts: [Double] = []
        for _ in 0..<10 {
            let clock = ContinuousClock()
            let start = clock.now
            _ = try await CRDTBridge()
            starts.append(seconds(clock.now - start) * 1000)
        }
        await recorder.record("engine ready", starts, unit: "ms", better: .lower, aim: 30)
        try await recordEdits(recorder)
        try await recordWorkload(recorder)
        try await recordOpenNotes(recorder)
    }

    /// Microseconds for one edit of one character: from another actor, on the engine's thread, and by a script.
    private static func recordEdits(_ recorder: Recorder) async throws {
        let count = 20_000
        let inside = try await insideTheEngine { context in
            let loop = try context.evaluate(
                """
                (count => {
                  const [handle] = crdt.createNote('{"id":"n"}')
                  crdt.edit(handle, '[["i",[0,0],[[]]]]')
                  for (let i = 0; i < count; i++) crdt.edit(handle, '[["t",[0,0],[' + i + ',["a",{}]]]]')
                })
                """)
            _ = try loop.call(count)
            return try (0..<5).map { _ in seconds(try ContinuousClock().measure { _ = try loop.call(count) }) }
        }
        let bridge = try await CRDTBridge()
        let outside = try await bridge.together { bridge in
            try (0...5).map { _ in
                _ = try bridge.createNote("n", in: "sd", created: 1)
                _ = try bridge.edit("n", [.insert([.text([])], at: [0, 0])])
                return seconds(
                    try ContinuousClock().measure {
                        for place in 0..<count { _ = try bridge.edit("n", insertion(at: place)) }
                    })
            }.dropFirst()
        }
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        _ = try await bridge.edit("n", [.insert([.text([])], at: [0, 0])])
        let start = ContinuousClock().now
        for place in 0..<count { _ = try await bridge.edit("n", insertion(at: place)) }
        let hopping = seconds(ContinuousClock().now - start) / Double(count) * 1e6
        let microseconds = 1e6 / Double(count)
        await recorder.record("edit, from another actor", hopping, unit: "µs", better: .lower, aim: 300)
        await recorder.record(
            "edit, on the engine's thread", outside.map { $0 * microseconds }, unit: "µs", better: .lower, aim: 300)
        await recorder.record("edit, by a script", inside.map { $0 * microseconds }, unit: "µs", better: .lower)
        await recorder.record(
            "edit through the bridge, as a multiple of a script's", median(Array(outside)) / median(inside), unit: "",
            better: .lower, aim: 1.1)
    }

    private static func insertion(at place: Int) -> [RichText.Edit] {
        [.changeText([.retain(place, marks: [:]), .insert(.init("a"))], at: [0, 0])]
    }

    private static func recordWorkload(_ recorder: Recorder) async throws {
        let peer = peers.appending(path: "crdt_peer.js")
        let source = try String(contentsOf: peer, encoding: .utf8)
        let (edits, encode, state) = try await insideTheEngine { context in
            try context.evaluate(source)
            let clock = ContinuousClock()
            let start = clock.now
            let handle = try context.evaluate("workload(crdt)[0]").number
            let end = clock.now
            let state = try context.evaluate("crdt.state").call(handle).bytes
            return (seconds(end - start) * 1000, seconds(clock.now - end) * 1000, state)
        }
        await recorder.record("259 778 edits in JavaScriptCore", edits, unit: "ms", better: .lower)
        await recorder.record("encode the note they made", encode, unit: "ms", better: .lower)
        await recorder.record("size of the note", Double(state.count), unit: "bytes", better: .lower)
        let bridge = try await CRDTBridge()
        var parses: [Double] = []
        for _ in 0..<5 {
            let start = ContinuousClock().now
            _ = try await bridge.load("n", [state])
            parses.append(seconds(ContinuousClock().now - start) * 1000)
        }
        await recorder.record("load that note", parses, unit: "ms", better: .lower, aim: 20)
        let bundle = FileManager.default.temporaryDirectory.appending(path: "crdt-\(UUID().uuidString).js")
        try Data(CRDTBridge.script.utf8).write(to: bundle)
        defer { try? FileManager.default.removeItem(at: bundle) }
        await measureForeign("Node.js", URL(filePath: "/usr/bin/env"), ["node", peer.path, bundle.path], recorder)
        guard let python = try? Programs.python() else { return }
        await measureForeign("pycrdt", python, [peers.appending(path: "crdt_peer.py").path], recorder)
    }

    private static func measureForeign(_ name: String, _ program: URL, _ arguments: [String], _ recorder: Recorder)
        async
    {
        let output = Pipe()
        let end = output.fileHandleForWriting
        guard let peer = try? ChildProcess(program: program, arguments: arguments, output: end),
            (try? end.close()) != nil,
            let data = try? output.fileHandleForReading.readToEnd(),
            let figures = try? JSONDecoder().decode([String: Double].self, from: data)
        else { return }
        peer.end(grace: .seconds(1))
        await recorder.record("\(name): the same edits", figures["edits"] ?? 0, unit: "ms", better: .lower)
        await recorder.record("\(name): encode", figures["encode"] ?? 0, unit: "ms", better: .lower)
        await recorder.record("\(name): load", figures["parse"] ?? 0, unit: "ms", better: .lower)
        await recorder.record("\(name): size", figures["size"] ?? 0, unit: "bytes", better: .lower)
    }

    /// Notes of 10 000 characters in 200 edits each: as many as may be open, and five times as many one after the other.
    private static func recordOpenNotes(_ recorder: Recorder) async throws {
        let bridge = try await CRDTBridge()
        var note = [try await bridge.createNote("n", in: "sd", created: 1)]
        for _ in 0..<200 {
            let block = RichText.Node.element(
                .init("paragraph", [:], [.text([.init(String(repeating: "word ", count: 10))])]))
            note.append(try await bridge.edit("n", [.insert([block], at: [0])]) ?? [])
        }
        let before = Machine.residentBytes()
        for (notes, name) in [(200, "memory of 200 open notes"), (1000, "memory after 1 000 notes, 200 of them open")] {
            for number in 0..<notes { _ = try await bridge.load("\(number)", note) }
            let megabytes = Double(Machine.residentBytes() - before) / 1_048_576
            await recorder.record(name, megabytes, unit: "MB", better: .lower, aim: 300)
        }
    }

    private static var peers: URL { URL(filePath: #filePath).deletingLastPathComponent().appending(path: "peers") }

    private static func insideTheEngine<Value: Sendable>(
        _ body: @escaping @Sendable (ScriptContext) throws -> Value
    ) async throws -> Value {
        let thread = try ScriptThread()
        return try await thread.run {
            var configuration = ScriptConfiguration()
            configuration.features = .crypto
            configuration.limits.executionTime = nil
            let context = try ScriptContext(on: thread, configuration)
            try context.evaluate(CRDTBridge.script)
            return try body(context)
        }
    }
}

extension CRDTBridge {
    /// Several calls without a hop between them.
    fileprivate func together<Value: Sendable>(
        _ body: @Sendable (isolated CRDTBridge) throws -> Value
    ) throws -> Value {
        try body(self)
    }
}
