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
        let bytes: Int64
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
    private static let arriving = "Arriving"

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

    /// Where files are while they come in, piece by piece. They survive the end of the process, so that a page can go on with them.
    package var arriving: String { folder + "/" + Self.arriving }

    /// Whether a client may give files.
    package func admits(_ session: String) -> Bool { state.withLock { $0.sessions.contains(session) } }

    /// Whether one more file of a client may wait.
    package func hasRoom(for session: String) -> Bool {
        state.withLock { state in
            state.uploads.values.count { $0.session == session } < Self.waitingLimit
                && state.uploads.values.reduce(0) { $0 + $1.bytes } < Self.limit
        }
    }

    /// Takes a whole file of a client.
    /// - Parameters:
    ///   - id: what the client calls it: nobody can guess it, and no other file has it.
    ///   - bytes: how long it is.
    ///   - move: brings it into a folder under a name.
    /// - Throws: ``Refusal``, or an error of the file system.
    package func take(
        _ id: String, bytes: Int64, of session: String, move: (_ folder: String, _ name: String) throws -> Void
    ) throws {
        try state.withLock { state throws(Refusal) in
            guard state.sessions.contains(session) else { throw .unknownClient }
            guard state.uploads.values.count(where: { $0.session == session }) < Self.waitingLimit,
                state.uploads.values.reduce(bytes, { $0 + $1.bytes }) <= Self.limit
            else { throw .full }
            state.uploads[id] = Upload(session: session, bytes: bytes)
        }
        do {
            try FileManager.default.createDirectory(
                atPath: waiting, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try move(waiting, id)
        } catch {
            drop(id)
            throw error
        }
        // The client may have gone meanwhile, and what it gave with it.
        guard state.withLock({ $0.uploads[id] != nil }) else {
            drop(id)
            throw Refusal.unknownClient
        }
    }

    /// Forgets a file that waits, and removes it.
    func drop(_ id: String) {
        state.withLock { $0.uploads[id] = nil }
        try? FileManager.default.removeItem(atPath: file(id))
    }

    private func file(_ id: String) -> String { waiting + "/" + id }

    // MARK: - Being used

    /// Where a whole file of this client waits; `nil` if it gave none of this id.
    func path(_ id: String, of session: String) -> String? {
        state.withLock { state in
            guard let upload = state.uploads[id], upload.session == session else { return nil }
            return file(id)
        }
    }

    /// Moves a whole file of this client to where the file of a message is. Until ``settle(_:isUsed:)`` it counts as used.
    /// - Returns: its path and length; `nil` if the client gave none of this id.
    func claim(_ id: String, of session: String, for message: String, in room: String) -> (path: String, bytes: Int64)?
    {
        let target = "\(folder)/\(room)/\(message)"
        let upload: Upload? = state.withLock { state in
            guard let upload = state.uploads[id], upload.session == session else { return nil }
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
        for room in (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        where room != "Waiting" && room != Self.arriving {
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
