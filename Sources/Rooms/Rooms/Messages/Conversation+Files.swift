import Cryptography
import DataChannels
import Foundation

/// Files: offered as messages, their bytes sent on their own channel, resumed where they stopped.
extension Conversation {
    /// The largest file that is offered or accepted, in bytes.
    static let largestFile: UInt64 = 4 << 30
    /// Progress is reported each time this many bytes have moved.
    private static let reportStep: UInt64 = 1 << 20

    // Sending.

    func content(of message: OutgoingMessage) async throws -> MessageContent {
        guard case .file(let path, let name, let voice, let picture) = message.content else {
            if case .ready(let content) = message.content { return content }
            return .unknown
        }
        // After a restart: it was cancelled meanwhile, or is still the file that was read.
        if let known = try store.file(message.id, room: room) {
            if let content = known.contentAfterEnd { return content }
            if known.stamp != nil, known.stamp == FileStamp(of: path) { return .file(known.offer) }
        }
        let digest = try await fileQueue.run { [report, room] cancellation in
            try FileDigest(of: path, atMost: Self.largestFile, cancellation) { bytes in
                report.yield(.fileRead(room: room, message: message.id, bytes: bytes))
            }
        }
        // Much may have happened while it was read.
        try Task.checkCancellation()
        guard !isOver else { throw RoomsFailure(.storageFailed, "the room was closed meanwhile") }
        if let content = try store.file(message.id, room: room)?.contentAfterEnd { return content }
        let offer = OfferedFile(
            name: FileName.safe(name), bytes: digest.bytes, sha256: digest.sha256, voice: voice,
            picture: picture)
        var file = StoredFile(id: message.id, direction: .outgoing, offer: offer, path: path, isAccepted: false)
        file.stamp = digest.stamp
        try remember(file)
        return .file(offer)
    }

    /// The other side wants the bytes from `offset` on.
    func wanted(_ id: MessageID, from offset: UInt64) {
        guard let file = try? store.file(id, room: room), file.direction == .outgoing, file.end == nil else {
            // It was cancelled while the other side was away.
            return say(.fileCancelled(id))
        }
        guard file.isPaused != true else { return wantedLater[id] = offset }
        do {
            outgoing[id] = try OutgoingFile(file, from: offset)
            sendChunks()
        } catch {
            fail(id, error)
        }
    }

    /// Fills the channel up to its high-water mark, and continues when it has drained.
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
        let path = filesFolder + "/.\(id).partial"
        do {
            guard try store.file(id, room: room) == nil else { return }
            try remember(StoredFile(id: id, direction: .incoming, offer: offer, path: path, isAccepted: false))
        } catch {
            // A record that the store may have is not overwritten; accepting the offer reports the error.
        }
    }

    func acceptFile(_ id: MessageID) throws {
        guard var file = try store.file(id, room: room), file.direction == .incoming else {
            say(.fileCancelled(id))
            throw RoomsFailure(.fileUnreadable, "the offer is not known any more")
        }
        guard file.offer.bytes <= Self.largestFile else { throw RoomsFailure(.fileTooLarge) }
        if let end = file.end {
            // Only a file that this side declined can still be accepted. For any other end, the owner has not been told
            // yet.
            guard end.isOurs, end.outcome == .declined || end.outcome == .cancelled else {
                return report.yield(end.outcome.report(id, room: room))
            }
        }
        file.end = nil
        file.isAccepted = true
        file.isPaused = nil
        try store.save(file, room: room)
        unsavedEnds[id] = nil
        unsettled.insert(id)
        // Otherwise the next hello requests it.
        if isFlowing { receive(file) }
    }

    /// Requests the missing bytes of a file.
    func receive(_ file: StoredFile) {
        guard file.isPaused != true else { return }
        if let open = incoming[file.id] { return say(.fileAnswer(file.id, offset: open.offset)) }
        guard fileWork[file.id] == nil, !isOver else { return }
        guard FreeSpace.isEnough(for: file, in: filesFolder) else {
            return fail(file.id, RoomsFailure(.storageFailed, "the disk has no room for the file"))
        }
        do {
            try FileManager.default.createDirectory(
                atPath: filesFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard try IncomingFile.isBegun(file) else { return try opened(IncomingFile(file)) }
        } catch {
            return fail(file.id, RoomsFailure(.storageFailed, "the folder of received files cannot be written"))
        }
        // The bytes that are there already are read in the background, because the hash has to cover them.
        fileWork[file.id] = Task { [fileQueue] in
            do {
                try opened(await fileQueue.run { try IncomingFile(file, $0) })
            } catch is CancellationError {
                resume(file.id)
            } catch {
                fileWork[file.id] = nil
                fail(file.id, RoomsFailure(.storageFailed, "what has come of the file cannot be read"))
            }
        }
    }

    /// Work on a file was cancelled. It may have been requested again since.
    private func resume(_ id: MessageID) {
        fileWork[id] = nil
        guard isFlowing, let file = try? store.file(id, room: room), file.isAccepted, file.end == nil else { return }
        receive(file)
    }

    private func opened(_ file: IncomingFile) throws {
        let id = file.stored.id
        fileWork[id] = nil
        guard let stored = try store.file(id, room: room), stored.isAccepted, stored.end == nil, !isOver else { return }
        incoming[id] = file
        if file.isWhole { return finish(id) }
        guard stored.isPaused != true else { return }
        say(.fileAnswer(id, offset: file.offset))
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

    /// Puts a complete file in its place, in the background, because flushing it may take long.
    private func finish(_ id: MessageID) {
        guard let file = incoming.removeValue(forKey: id), fileWork[id] == nil else { return }
        fileWork[id] = Task { [fileQueue, filesFolder] in
            do {
                finished(id, at: try await fileQueue.run { _ in try file.finish(in: filesFolder) })
            } catch is CancellationError {
                resume(id)
            } catch {
                fileWork[id] = nil
                fail(id, RoomsFailure(.storageFailed, "the file cannot be put in its place"))
            }
        }
    }

    /// All bytes are there.
    /// - Parameter path: the path of the file; nil if it is not the one that was offered.
    private func finished(_ id: MessageID, at path: String?) {
        fileWork[id] = nil
        if let path, let file = try? store.file(id, room: room), file.end != nil {
            // It was cancelled at the last moment.
            try? FileManager.default.removeItem(atPath: path)
            return
        }
        let outcome = path.map { FileEnd.Outcome.arrived(path: $0) } ?? .damaged
        endSurely(id, outcome)
        // The owner is told once the store has it.
        if unsavedEnds[id] == nil || outcome.hasFailed { report.yield(outcome.report(id, room: room)) }
    }

    func declineFile(_ id: MessageID) throws { try end(id, .declined) }

    // Both ways.

    /// - Parameter beforeOffer: whether the file may still be being read here, before the other side got the offer.
    func cancelFile(_ id: MessageID, beforeOffer: Bool = false) throws {
        guard beforeOffer, try store.file(id, room: room) == nil else { return try end(id, .cancelled) }
        try remember(.neverOffered(id))
        neverOffered.insert(id)
    }

    /// After each hello: this side requests its files again, from where they stopped, and the other side does the same.
    /// Duplicate bytes are dropped.
    func resumeFiles() {
        saveEnds()
        for id in unsettled {
            guard let file = try? store.file(id, room: room) else { continue }
            if file.end != nil { repeatEnd(file) } else { receive(file) }
        }
    }

    /// The connection is interrupted.
    func stopFiles() { (outgoing, wantedLater) = ([:], [:]) }

    /// A file whose message was withdrawn, so the other side never got it.
    func forgetFile(_ id: MessageID) throws {
        (outgoing[id], wantedLater[id]) = (nil, nil)
        unsettled.remove(id)
        neverOffered.remove(id)
        try store.forgetFile(id, room: room)
    }
}
