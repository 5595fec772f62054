import Foundation
import Sealing
import SealingSupport
import Storage

/// Seals, opens, stores, marks and erases as fast as it can until it is killed: `sealing-crash-helper FOLDER`.
///
/// Both sides of a pairing live in this process, each in its own folder. Every sealed message goes to the file `wire` before
/// anything else is done with it, as it would go to a network.
@main struct SealingCrashHelper {
    static func main() throws {
        let folder = CommandLine.arguments[1]
        var pair = try Pair(folder)
        try pair.connect()
        var next = try pair.firstUnstored()
        // Whoever waits for this one may kill it from now on.
        FileHandle.standardOutput.write(Data([1]))
        while true {
            try pair.carry(next)
            next += 1
            if next.isMultiple(of: 23) { try pair.renew() }
            if next.isMultiple(of: 37) { try pair.connect() }
        }
    }
}

private struct Pair {
    let left: SealingSession
    let right: SealingSession
    let reader: FolderStore
    let wire: FileHandle

    init(_ folder: String) throws {
        reader = try FolderStore(folder + "/right")
        left = try SealingSession(pairing: "pair", store: try FolderStore(folder + "/left"), target: 64)
        right = try SealingSession(pairing: "pair", store: reader, target: 64)
        let file = folder + "/wire"
        if !FileManager.default.fileExists(atPath: file) { try Data().write(to: URL(fileURLWithPath: file)) }
        wire = try FileHandle(forUpdating: URL(fileURLWithPath: file))
        try wire.seekToEnd()
    }

    /// The messages before it are stored: they have left the outbox.
    func firstUnstored() throws -> UInt64 {
        UInt64(try reader.messages().count)
    }

    func carry(_ sequence: UInt64) throws {
        let content = Array("message \(sequence)".utf8)
        let sealed = try left.seal(content, sequence: sequence)
        // One write of a few hundred bytes: it is there as a whole or not at all.
        try wire.write(contentsOf: Data([UInt8(sealed.count)] + sealed))
        let opened = try right.open(sealed)
        try reader.keep(opened)
        try right.erase([opened.use])
    }

    mutating func connect() throws {
        let (one, two) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        left.disconnected()
        right.disconnected()
        try exchange(
            left.connected(to: ChannelBinding(localFingerprint: one, remoteFingerprint: two, room: "", role: .creator)),
            right.connected(to: ChannelBinding(localFingerprint: two, remoteFingerprint: one, room: "", role: .joiner)))
    }

    mutating func renew() throws {
        try exchange([], right.renew())
    }

    private func exchange(_ fromLeft: [[UInt8]], _ fromRight: [[UInt8]]) throws {
        var (toRight, toLeft) = (fromLeft, fromRight)
        while !toRight.isEmpty || !toLeft.isEmpty {
            let answers = try toRight.flatMap { try right.receive(control: $0) }
            let replies = try toLeft.flatMap { try left.receive(control: $0) }
            toLeft = Self.sent(answers) + [try right.nextAnnouncement()].compactMap(\.self)
            toRight = Self.sent(replies) + [try left.nextAnnouncement()].compactMap(\.self)
        }
    }

    private static func sent(_ outputs: [SealingOutput]) -> [[UInt8]] {
        outputs.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
    }
}
