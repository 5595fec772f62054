import AppCore
import Foundation
import Platform
import ProgramRunner
import Sealing
import SealingSupport
import Storage
import Testing

/// A process that seals, opens and erases is killed at random instants, again and again in the same folders.
@Suite("Killed processes", .timeLimit(.minutes(30)))
struct CrashTests {
    private static let kills = 200

    @Test("No key is used twice, nothing is lost, and opened messages stay closed, whenever the process is killed")
    func killing() throws {
        try Program.inFolder { folder in
            var random = SplitMix64(seed: 20_261_121)
            var stored = 0
            for round in 0..<Self.kills {
                try runAndKill(in: folder.path, afterMicroseconds: UInt32.random(in: 0...25_000, using: &random))
                // Looking at what a kill left is slow, and recovery is the next process's work as well.
                if round.isMultiple(of: 6) { try inspect(folder, isLast: false) }
                stored = try FolderStore(folder.path + "/right").messages().count
            }
            try inspect(folder, isLast: true)
            #expect(stored > Self.kills, "the process was killed before it did anything worth killing")
        }
    }

    private func runAndKill(in folder: String, afterMicroseconds microseconds: UInt32) throws {
        let process = Process()
        process.executableURL = Program.products.appending(path: "sealing-crash-helper")
        process.arguments = [folder]
        let output = Pipe()
        let complaints = Pipe()
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        let ready = output.fileHandleForReading.readData(ofLength: 1)
        if ready.isEmpty {
            Issue.record(
                "it did not open: \(String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))"
            )
        }
        usleep(microseconds)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "it ended by itself")
    }

    /// Checks the state after the kill in a copy, so that the real folder is not repaired by the check.
    private func inspect(_ folder: URL, isLast: Bool) throws {
        let copy = folder.deletingLastPathComponent().appending(path: "copy-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: folder, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let sealed = try Self.sealed(Array(try Data(contentsOf: copy.appending(path: "wire"))))

        var keys: Set<KeyUse> = []
        for message in sealed {
            let header = try SealingSession.peek(message)
            guard let index = header.index else { continue }
            let isFirst = keys.insert(KeyUse(pairing: "", epoch: header.epoch, index: index)).inserted
            #expect(isFirst, "key \(index) of epoch \(header.epoch) sealed two messages")
        }

        let reader = try FolderStore(copy.path + "/right")
        let stored = try reader.messages()
        #expect(Set(stored.keys) == Set((0..<UInt64(stored.count))))
        #expect(stored.allSatisfy { $0.value == Array("message \($0.key)".utf8) })
        let marked = try UsedSlots(reader)
        // Before anything is mended: each slot of a key whose message is stored is erased, or noted to be.
        #expect(try marked.unerased(in: reader).subtracting(marked.pending).isEmpty)

        let session = try SealingSession(pairing: "pair", store: reader, target: 64)
        #expect(try marked.unerased(in: reader).isEmpty)
        for message in sealed {
            let sequence = try SealingSession.peek(message).sequence
            guard stored[sequence] != nil else { continue }
            guard let opened = try? session.open(message) else { continue }
            // A second copy, sealed because the first was not stored when its process died. Marking it closes it too.
            #expect(opened.content == stored[sequence])
            #expect(sealed.filter { (try? SealingSession.peek($0).sequence) == sequence }.count > 1)
        }
    }

    /// The messages on the wire; one whose writing was cut off never left.
    private static func sealed(_ bytes: [UInt8]) throws -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = bytes[...]
        while let count = rest.popFirst(), rest.count >= Int(count) {
            messages.append(Array(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        return messages
    }
}

/// The used keys in the database, read without the session.
private struct UsedSlots {
    struct Slot: Hashable {
        let epoch: Int
        let index: Int
    }

    let used: Set<Slot>
    let pending: Set<Slot>
    private let files: [Int: String]

    init(_ store: FolderStore) throws {
        let rows = try store.read { database in
            try database.query("SELECT epoch, chunk, bits FROM sealing_used") { row in
                (epoch: try row[0] as Int, chunk: try row[1] as Int, bits: try row[2] as [UInt8])
            }
        }
        var used: Set<Slot> = []
        for row in rows {
            for bit in 0..<row.bits.count * 8 where row.bits[bit / 8] & (1 << UInt8(bit % 8)) != 0 {
                used.insert(Slot(epoch: row.epoch, index: row.chunk * row.bits.count * 8 + bit))
            }
        }
        self.used = used
        pending = Set(
            try store.read { database in
                try database.query("SELECT epoch, slot FROM sealing_erasures") { row in
                    Slot(epoch: try row[0] as Int, index: try row[1] as Int)
                }
            })
        files = Dictionary(
            uniqueKeysWithValues: try store.read { database in
                try database.query("SELECT epoch, file FROM sealing_pools") { (try $0[0] as Int, try $0[1] as String) }
            })
    }

    /// Used keys whose slots still hold something.
    func unerased(in store: FolderStore) throws -> Set<Slot> {
        let pools = try files.compactMapValues { file -> [UInt8]? in
            let path = store.poolsFolder + "/" + file
            return FileManager.default.fileExists(atPath: path)
                ? Array(try Data(contentsOf: URL(fileURLWithPath: path))) : nil
        }
        return used.filter { slot in
            guard let bytes = pools[slot.epoch] else { return false }
            return bytes[(slot.index + 1) * 64..<(slot.index + 2) * 64].contains { $0 != 0 }
        }
    }
}
