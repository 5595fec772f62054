import Foundation

/// Two people in a room whose sockets another process holds, so that this one may open fewer.
struct HeldPair {
    let room: LoadRoom
    let ports: (Int, Int)

    /// Connects all of them in a process of its own, which keeps them until it is stopped.
    static func hold(_ pairs: [HeldPair]) throws -> ServerProcess {
        let path = NSTemporaryDirectory() + "alcove-benchmark-\(UUID().uuidString).txt"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lines = pairs.map { pair in
            "\(pair.room.id) \(pair.room.number) \(pair.room.tickets.0) \(pair.room.tickets.1) \(pair.ports.0) \(pair.ports.1)"
        }
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return try ServerProcess("--hold-pairs", path)
    }

    private init?(_ line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 6, let number = Int(words[1]), let first = Int(words[4]), let second = Int(words[5]) else {
            return nil
        }
        room = LoadRoom(id: words[0], number: number, tickets: (words[2], words[3]))
        ports = (first, second)
    }

    init(room: LoadRoom, ports: (Int, Int)) {
        self.room = room
        self.ports = ports
    }

    /// What the other process does; returns the number of pairs.
    @Sendable static func connect() async throws -> Int {
        _ = ServerProcess.socketAllowance
        let text = try String(contentsOfFile: CommandLine.arguments[2], encoding: .utf8)
        let places = text.split(separator: "\n").compactMap { HeldPair($0) }
        let (ready, isReady) = AsyncThrowingStream<Int, any Error>.makeStream()
        Thread.detachNewThread {
            do {
                var pairs: [LoadPair] = []
                for place in places {
                    pairs.append(try LoadPair(place.room, ports: place.ports, source: 3 + pairs.count / 5000))
                    // On a slow machine the first would be taken for gone before the last is there.
                    if pairs.count.isMultiple(of: 1000) { for pair in pairs { try pair.staysAlive() } }
                }
                isReady.yield(pairs.count)
                // Until the process ends.
                while true {
                    sleep(20)
                    for pair in pairs { try pair.staysAlive() }
                }
            } catch {
                isReady.finish(throwing: error)
            }
        }
        for try await count in ready { return count }
        return 0
    }
}
