import Cryptography
import DataChannels
import Foundation

/// Files: offered as messages, their bytes on a channel of their own, resumed where they were.
extension Conversation {
    /// The largest file that is offered or accepted, in bytes.
    static let largestFile: UInt64 = 4 << 30
    /// Progress is reported each time this many bytes have moved.
    private static let reportStep: UInt64 = 1 << 20

    // Sending.

    func content(of message: OutgoingMessage) throws -> MessageContent {
        guard case .file(let path, let name, let voice) = message.content else {
            if case .ready(let content) = message.content { return content }
            return .unknown
        }
        // After a restart: it was called off meanwhile.
        if let known = try store.file(message.id, room: room), known.end != nil { return .file(known.offer) }
        let (bytes, sha256) = try Self.read(path)
        let offer = OfferedFile(name: FileName.safe(name), bytes: bytes, sha256: sha256, voice: voice)
        try remember(
            StoredFile(id: message.id, direction: .outgoing, offer: offer, path: path, isAccepted: false))
        return .file(offer)
    }

    private static func read(_ path: String) throws -> (bytes: UInt64, sha256: [UInt8]) {
        // Anything but a file could keep us waiting for ever, or never end.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let type = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        guard type == .typeRegular else { throw RoomsFailure(.fileUnreadable, "it is no file") }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw RoomsFailure(.fileUnreadable) }
        var hash = IncrementalHash(.sha256)
        var bytes: UInt64 = 0
        while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
            hash.update(data)
            bytes += UInt64(data.count)
            guard bytes <= largestFile else { throw RoomsFailure(.fileTooLarge) }
        }
        return (bytes, hash.finalize())
    }

    /// The other side wants the bytes from `offset` on.
    func wanted(_ id: MessageID, from offset: UInt64) {
        guard let file = try? store.file(id, room: room), file.direction == .outgoing, file.end == nil else {
            // It was called off while the other side was away.
            return say(.fileCancelled(id))
        }
        do {
            outgoing[id] = try OutgoingFile(file, from: offset)
            sendChunks()
        } catch {
            fail(id, error)
        }
    }

    /// Fills the channel up to its high-water mark; goes on when it has drained.
    func sendChunks() {
        guard let channel = channels[.files] else { return }
        for id in outgoing.keys.sorted(by: { $0.description < $1.description }) {
            while channel.bufferedAmount < OutgoingFile.highWater, outgoing[id]?.isDone == false {
                do throws(RoomsFailure) {
                    guard let chunk = try outgoing[id]?.next() else { break }
                    send(chunk, on: .files)
                } catch {
                    fail(id, error)
                }
            }
            if let file = outgoing[id] {
                report.yield(.fileProgress(room: room, message: id, bytes: file.offset))
            }
        }
    }

    // Receiving.

    func keep(_ offer: OfferedFile, of id: MessageID) {
        guard (try? store.file(id, room: room)) == nil else { return }
        let path = filesFolder + "/.\(id).partial"
        try? remember(StoredFile(id: id, direction: .incoming, offer: offer, path: path, isAccepted: false))
    }

    func acceptFile(_ id: MessageID) throws {
        guard var file = try store.file(id, room: room), file.direction == .incoming else {
            say(.fileCancelled(id))
            throw RoomsFailure(.fileUnreadable, "the offer is not known any more")
        }
        guard file.offer.bytes <= Self.largestFile else { throw RoomsFailure(.fileTooLarge) }
        if let end = file.end {
            // Only what this side did not want can be wanted after all; of anything else the owner has not heard yet.
            guard end.isOurs, end.outcome == .declined || end.outcome == .cancelled else {
                return report.yield(end.outcome.report(id, room: room))
            }
        }
        file.end = nil
        file.isAccepted = true
        try store.save(file, room: room)
        // Otherwise the next hello brings it up.
        if isFlowing { try receive(file) }
    }

    private func receive(_ file: StoredFile) throws {
        try FileManager.default.createDirectory(
            atPath: filesFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let incoming = try IncomingFile(file)
        self.incoming[file.id] = incoming
        if incoming.isWhole { return finish(file.id) }
        say(.fileAnswer(file.id, offset: incoming.offset))
    }

    func received(_ id: MessageID, _ offset: UInt64, _ bytes: [UInt8]) {
        guard incoming[id] != nil else { return }
        do {
            let before = incoming[id]?.offset ?? 0
            guard try incoming[id]?.write(bytes, at: offset) == true, let file = incoming[id] else { return }
            if before / Self.reportStep != file.offset / Self.reportStep {
                report.yield(.fileProgress(room: room, message: id, bytes: file.offset))
            }
            if file.isWhole { finish(id) }
        } catch {
            fail(id, RoomsFailure(.storageFailed, "the disk does not take the file"))
        }
    }

    private func finish(_ id: MessageID) {
        do {
            let path = try incoming[id]?.finish(in: filesFolder)
            let outcome = path.map { FileEnd.Outcome.arrived(path: $0) } ?? .damaged
            try end(id, outcome)
            report.yield(outcome.report(id, room: room))
        } catch {
            fail(id, RoomsFailure(.storageFailed, "the file cannot be put in its place"))
        }
    }

    func declineFile(_ id: MessageID) throws { try end(id, .declined) }

    // Both ways.

    func cancelFile(_ id: MessageID) throws { try end(id, .cancelled) }

    /// A new connection: what this side wants is asked for again; the other side asks for the rest.
    func resumeFiles() {
        let files = (try? store.files(room: room)) ?? []
        repeatEnds(files)
        for file in files
        where file.direction == .incoming && file.isAccepted && file.end == nil && incoming[file.id] == nil {
            do {
                try receive(file)
            } catch {
                fail(file.id, RoomsFailure(.storageFailed))
            }
        }
    }

    func pauseFiles() {
        outgoing = [:]
        incoming = [:]
    }

    /// A file whose message was withdrawn: nobody was ever told of it.
    func forgetFile(_ id: MessageID) throws {
        outgoing[id] = nil
        try store.forgetFile(id, room: room)
    }
}
