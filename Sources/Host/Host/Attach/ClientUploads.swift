import Foundation
import Synchronization

/// Files that pages gave: first they wait, each for the view of the page that gave it, and then a message uses them.
///
/// `Waiting` holds those of this process alone. What a message uses lies in the folder of its room under the message's id, so that it
/// can be told without opening anything whose file it is.
package final class ClientUploads: Sendable {
    /// Bytes of files that wait together, of all pages.
    package static let limit: Int64 = 8 << 30
    /// Files of one page that wait.
    package static let waitingLimit = 1000

    /// Why a file is not taken.
    package enum Refusal: Error {
        /// The page has no view, or none any more.
        case unknownClient
        /// Too many files, or too much of them, wait to be sent.
        case full
    }

    private struct Upload {
        let session: String
        var bytes: Int64 = 0
        var isWhole = false
    }

    private struct State {
        var sessions: Set<String> = []
        var uploads: [String: Upload] = [:]
        /// Places of files that are on their way to a message.
        var claimed: Set<String> = []
    }

    /// `Sent` in the folder of files.
    private let folder: String
    private let state = Mutex(State())

    /// Takes away what a process before left waiting.
    /// - Parameter files: the folder of files in the profile.
    init(files: String) {
        folder = files + "/Sent"
        try? FileManager.default.removeItem(atPath: waiting)
    }

    private var waiting: String { folder + "/Waiting" }

    /// How the path of a message's file ends.
    static func place(of message: String, in room: String) -> String { "/Sent/\(room)/\(message)" }

    // MARK: - Clients

    /// From now on a client may give files.
    func open(_ session: String) { state.withLock { _ = $0.sessions.insert(session) } }

    /// The client has gone, and with it its files that no message uses.
    func close(_ session: String) {
        let ids = state.withLock { state in
            state.sessions.remove(session)
            let ids = state.uploads.filter { $0.value.session == session }.map(\.key)
            for id in ids { state.uploads[id] = nil }
            return ids
        }
        for id in ids { try? FileManager.default.removeItem(atPath: file(id)) }
    }

    // MARK: - Coming in

    /// A client begins to give a file.
    /// - Returns: an id that means nothing to anybody else, and where the bytes are to be written.
    /// - Throws: ``Refusal``, or an error of the file system.
    package func begin(for session: String) throws -> (id: String, path: String) {
        let id = UUID().uuidString
        try state.withLock { state throws(Refusal) in
            guard state.sessions.contains(session) else { throw .unknownClient }
            guard state.uploads.values.count(where: { $0.session == session }) < Self.waitingLimit else { throw .full }
            state.uploads[id] = Upload(session: session)
        }
        do {
            try FileManager.default.createDirectory(
                atPath: waiting, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            drop(id)
            throw error
        }
        return (id, file(id))
    }

    /// More of a file is about to be written.
    /// - Throws: ``Refusal`` if that would be too much, or nobody wants it any more.
    package func grow(_ id: String, by count: Int) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            guard let upload = state.uploads[id] else { throw .unknownClient }
            let all = state.uploads.values.reduce(0) { $0 + $1.bytes }
            guard all + Int64(count) <= Self.limit else { throw .full }
            state.uploads[id]?.bytes = upload.bytes + Int64(count)
        }
    }

    /// The file is there as a whole.
    /// - Throws: ``Refusal`` if nobody wants it any more.
    package func finish(_ id: String) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            guard state.uploads[id] != nil else { throw .unknownClient }
            state.uploads[id]?.isWhole = true
        }
    }

    /// Forgets a file that waits, and removes it.
    package func drop(_ id: String) {
        state.withLock { $0.uploads[id] = nil }
        try? FileManager.default.removeItem(atPath: file(id))
    }

    private func file(_ id: String) -> String { waiting + "/" + id }

    // MARK: - Being used

    /// Where a whole file of this client waits; `nil` if it gave none of this id.
    func path(_ id: String, of session: String) -> String? {
        state.withLock { state in
            guard let upload = state.uploads[id], upload.session == session, upload.isWhole else { return nil }
            return file(id)
        }
    }

    /// Moves a whole file of this client to where the file of a message is. Until ``settle(_:isUsed:)`` it counts as used.
    /// - Returns: its path and length; `nil` if the client gave none of this id.
    func claim(_ id: String, of session: String, for message: String, in room: String) -> (path: String, bytes: Int64)?
    {
        let target = "\(folder)/\(room)/\(message)"
        let upload: Upload? = state.withLock { state in
            guard let upload = state.uploads[id], upload.session == session, upload.isWhole else { return nil }
            // Ids are the client's: one that was used before must not touch the file of that message.
            guard !state.claimed.contains(target), !FileManager.default.fileExists(atPath: target) else { return nil }
            state.uploads[id] = nil
            state.claimed.insert(target)
            return upload
        }
        guard let upload else { return nil }
        do {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(room)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try FileManager.default.moveItem(atPath: file(id), toPath: target)
        } catch {
            settle(target, isUsed: true)
            try? FileManager.default.removeItem(atPath: file(id))
            return nil
        }
        return (target, upload.bytes)
    }

    /// What became of a file that was claimed. One that no message uses goes.
    func settle(_ path: String, isUsed: Bool) {
        if !isUsed { try? FileManager.default.removeItem(atPath: path) }
        state.withLock { _ = $0.claimed.remove(path) }
    }

    // MARK: - Tidying

    /// Removes the files of messages that do not use them, or not any more.
    /// - Parameter isUsed: whether a message uses the file that was given for it.
    func tidy(_ isUsed: (_ message: String, _ room: String) async -> Bool) async {
        let manager = FileManager.default
        for room in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] where room != "Waiting" {
            for message in (try? manager.contentsOfDirectory(atPath: folder + "/" + room)) ?? [] {
                let path = "\(folder)/\(room)/\(message)"
                guard !state.withLock({ $0.claimed.contains(path) }), await !isUsed(message, room) else { continue }
                try? manager.removeItem(atPath: path)
            }
            // Only an empty folder goes.
            rmdir(folder + "/" + room)
        }
    }
}
