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
        let (bytes, sha256) = try Self.read(path)
        let offer = OfferedFile(name: FileName.safe(name), bytes: bytes, sha256: sha256, voice: voice)
        try store.save(
            StoredFile(id: message.id, direction: .outgoing, offer: offer, path: path, isAccepted: false), room: room)
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

    func answered(_ id: MessageID, _ offset: UInt64?) {
        guard let file = try? store.file(id, room: room), file.direction == .outgoing else {
            // It was called off while the other side was away.
            if offset != nil { say(.fileCancelled(id)) }
            return
        }
        guard let offset else {
            end(id)
            report.yield(.fileFailed(room: room, message: id, RoomsFailure(.fileDeclined)))
            return
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

    func checked(_ id: MessageID, intact: Bool) {
        guard let file = try? store.file(id, room: room), file.direction == .outgoing else { return }
        end(id)
        report.yield(
            intact
                ? .fileFinished(room: room, message: id, path: nil)
                : .fileFailed(room: room, message: id, RoomsFailure(.fileCorrupt)))
    }

    // Receiving.

    func keep(_ offer: OfferedFile, of id: MessageID) {
        guard (try? store.file(id, room: room)) == nil else { return }
        let path = filesFolder + "/.\(id).partial"
        try? store.save(
            StoredFile(id: id, direction: .incoming, offer: offer, path: path, isAccepted: false), room: room)
    }

    func acceptFile(_ id: MessageID) throws {
        guard var file = try store.file(id, room: room), file.direction == .incoming else {
            throw RoomsFailure(.fileUnreadable, "the offer is not known any more")
        }
        guard file.offer.bytes <= Self.largestFile else { throw RoomsFailure(.fileTooLarge) }
        file.isAccepted = true
        try store.save(file, room: room)
        try receive(file)
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
            say(.fileChecked(id, intact: path != nil))
            end(id)
            report.yield(
                path.map { .fileFinished(room: room, message: id, path: $0) }
                    ?? .fileFailed(room: room, message: id, RoomsFailure(.fileCorrupt)))
        } catch {
            fail(id, RoomsFailure(.storageFailed, "the file cannot be put in its place"))
        }
    }

    // Both ways.

    func declineFile(_ id: MessageID) {
        say(.fileAnswer(id, offset: nil))
        end(id)
    }

    func cancelFile(_ id: MessageID) {
        say(.fileCancelled(id))
        end(id)
    }

    func cancelled(_ id: MessageID) {
        guard (try? store.file(id, room: room)) != nil else { return }
        end(id)
        report.yield(.fileFailed(room: room, message: id, RoomsFailure(.fileCancelled)))
    }

    /// A new connection: what this side wants is asked for again; the other side asks for the rest.
    func resumeFiles() {
        for file in (try? store.files(room: room)) ?? [] where file.direction == .incoming && file.isAccepted {
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

    private func fail(_ id: MessageID, _ failure: RoomsFailure) {
        say(.fileCancelled(id))
        end(id)
        report.yield(.fileFailed(room: room, message: id, failure))
    }

    private func end(_ id: MessageID) {
        incoming[id] = nil
        outgoing[id] = nil
        if let file = try? store.file(id, room: room) { Self.removePart(file) }
        // A record that stays is asked for once more and then found to be of no use.
        try? store.forgetFile(id, room: room)
    }

    /// Removes what has come of a file, if it is not at its place yet.
    static func removePart(_ file: StoredFile) {
        if file.direction == .incoming { try? FileManager.default.removeItem(atPath: file.path) }
    }

    func forgetFile(_ id: MessageID) throws {
        outgoing[id] = nil
        incoming[id] = nil
        try store.forgetFile(id, room: room)
    }
}
