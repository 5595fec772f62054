import Foundation
import Wire

/// Makes a storage directory byte by byte, as the desktop app does: every key press a record, the new `modified` a record of its
/// own, an activity line each, and a log that is ended when the app quits.
struct DesktopWriter {
    enum NameForm: CaseIterable, Sendable {
        case dots, underscores, instanceOnly
    }

    let root: URL
    let profile: String
    let instance: String
    var nameForm = NameForm.dots
    private(set) var clock: Int64 = 1_767_000_000_000
    private var logs: [String: URL] = [:]
    private var sequences: [String: UInt64] = [:]

    init(_ root: URL, profile: String = "AAAAAAAAQACAAAAAAAAAAA", instance: String = "_nstance-AAAAAAAAAAAAA") throws {
        self.root = root
        self.profile = profile
        self.instance = instance
        for folder in [
            "notes", "activity", "profiles", "media", "deleted", "folders/logs", "folders/updates", "folders/meta",
        ] {
            try make(folder)
        }
        if !FileManager.default.fileExists(atPath: root.appending(path: "SD_ID").path) {
            try Data("VQ6EAOKbQdSnFkRmVUQAAA".utf8).write(to: root.appending(path: "SD_ID"))
            try Data("prod".utf8).write(to: root.appending(path: "SD-TYPE"))
        }
        let presence = """
            {
              "profileId": "\(profile)",
              "instanceId": "\(instance)",
              "profileName": "Work",
              "user": "@grace",
              "username": "Grace",
              "hostname": "desk",
              "platform": "darwin",
              "appVersion": "0.2.1",
              "lastUpdated": \(clock)
            }
            """
        try Data(presence.utf8).write(to: root.appending(path: "profiles/\(profile).json"))
    }

    /// Adds records to the log of a note.
    mutating func append(_ updates: [[UInt8]], to note: String) throws {
        try append(updates, document: note, folder: "notes/\(note)/logs")
        var lines = ""
        let last = sequences[note, default: 0]
        for sequence in (last - UInt64(updates.count) + 1)...last { lines += "\(note)|\(profile)|\(sequence)\n" }
        try extend(root.appending(path: "activity/\(profile).\(instance).log"), Data(lines.utf8))
    }

    mutating func appendFolders(_ updates: [[UInt8]]) throws {
        try append(updates, document: "folder tree", folder: "folders/logs")
    }

    /// Ends every open log, as on quitting.
    mutating func quit() throws {
        for log in logs.values { try extend(log, Data([0])) }
        logs = [:]
        clock += 3_600_000
    }

    /// Removes a note for good.
    mutating func purge(_ note: String) throws {
        clock += 1
        try extend(root.appending(path: "deleted/\(profile).\(instance).log"), Data("\(note)|\(clock)\n".utf8))
        try? FileManager.default.removeItem(at: root.appending(path: "notes/\(note)"))
    }

    /// A snapshot file of the second generation.
    mutating func snapshot(_ state: [UInt8], of note: String, isComplete: Bool = true) throws {
        clock += 1
        var writer = ByteWriter()
        writer.writeBytes([0x4e, 0x43, 0x53, 0x53, 1, isComplete ? 1 : 0, 0])
        writer.writeBytes(state)
        try make("notes/\(note)/snapshots")
        try Data(writer.bytes).write(to: root.appending(path: "notes/\(note)/snapshots/\(instance)_\(clock).snapshot"))
    }

    private mutating func append(_ updates: [[UInt8]], document: String, folder: String) throws {
        let log = try logs[document] ?? begin(document, folder)
        var bytes = Data()
        for update in updates {
            clock += 7
            let sequence = sequences[document, default: 0] + 1
            sequences[document] = sequence
            var body = ByteWriter()
            body.writeInteger(UInt64(clock))
            body.writeVarint(sequence)
            body.writeBytes(update)
            var record = ByteWriter()
            record.writeVarint(UInt64(body.bytes.count))
            record.writeBytes(body.bytes)
            bytes += record.bytes
        }
        try extend(log, bytes)
    }

    private mutating func begin(_ document: String, _ folder: String) throws -> URL {
        clock += 1
        try make(folder)
        let name =
            switch nameForm {
            case .dots: "\(profile).\(instance).\(clock)"
            case .underscores: "\(profile)_\(instance)_\(clock)"
            case .instanceOnly: "\(instance)_\(clock)"
            }
        let log = root.appending(path: "\(folder)/\(name).crdtlog")
        try Data([0x4e, 0x43, 0x4c, 0x47, 1]).write(to: log)
        logs[document] = log
        return log
    }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
    }

    private func extend(_ file: URL, _ bytes: Data) throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return try bytes.write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
