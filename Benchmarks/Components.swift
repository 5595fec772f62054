import Components
import Synchronization
import Wire

extension Suite {
    static let components = Suite(name: "components", about: "calls between components and their host") { recorder in
        let request = [UInt8](repeating: 7, count: 100)
        let ends = ConnectedEnds()
        await recorder.rate("object IPC: calls answered at once", unit: "calls/s", aim: 500_000, count: 100_000) {
            for _ in 0..<100_000 {
                ends.client.observe(["w3n", "storage", "echo"], request) { _ in
                } end: { _ in
                }
            }
        }
        let later = try await rates(of: 20_000) {
            for _ in 0..<20_000 {
                blackHole(try await ends.client.call(["w3n", "storage", "later"], request)?.count ?? 0)
            }
        }
        await recorder.record("object IPC: calls answered later", later, unit: "calls/s", better: .higher)
        let values = try await rates(of: 100_000) {
            for try await value in ends.client.observe(["w3n", "storage", "count"]) { blackHole(value.count) }
        }
        await recorder.record("object IPC: values of an observable", values, unit: "values/s", better: .higher)
        let arguments: [IPCValue] = [
            .string("info"),
            .json(["path": "a/b", "flags": [true, false], "data": nil], [.init(["data"], .bytes(request))]),
            .undefined,
        ]
        try await recorder.rate("packed arguments written and read", unit: "sequences/s", count: 20_000) {
            for _ in 0..<20_000 { blackHole(try [IPCValue](body: arguments.body[...]).count) }
        }
    }

    /// How many things a second `work` does, which does `count` of them, five times.
    private static func rates(of count: Int, _ work: () async throws -> Void) async throws -> [Double] {
        var rates: [Double] = []
        for _ in 0..<5 {
            let duration = try await ContinuousClock().measure { try await work() }
            rates.append(Double(count) / seconds(duration))
        }
        return rates
    }
}

/// A service and its client in memory.
private final class ConnectedEnds: Sendable {
    private final class End: Sendable {
        let connection = Mutex<ObjectConnection?>(nil)

        func receive(_ bytes: [UInt8]) { connection.withLock { $0 }?.receive(bytes) }
    }

    let client: ObjectConnection
    private let service: ObjectConnection

    init() {
        let ends = (service: End(), client: End())
        let storage = ServiceObject(functions: [
            "echo": .immediate { call in call.body.map(Array.init) },
            "later": .promise { call in
                await Task.yield()
                return call.body.map(Array.init)
            },
            "count": .observable { _, emitter throws(RuntimeException) in
                for _ in 0..<100_000 { try await emitter.emit([1, 2, 3, 4]) }
            },
        ])
        service = ObjectConnection(root: ServiceObject(members: ["storage": storage])) { ends.client.receive($0) }
        client = ObjectConnection(root: nil) { ends.service.receive($0) }
        ends.service.connection.withLock { $0 = service }
        ends.client.connection.withLock { $0 = client }
    }
}

/// What is given to it counts as used.
@inline(never) private func blackHole(_ value: Int) {}
