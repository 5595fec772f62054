import Foundation
import NoteFiles
import Storage

extension Suite {
    static let noteFiles = Suite(
        name: "note-files", about: "logs of notes: appending, reading, and watching a folder of 10 000 notes"
    ) { recorder in
        let place = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let directory = try StorageDirectory(creating: place + "/notes")
        let writer = DirectoryWriter(directory, lock: try WriterID.acquire(in: place))
        let note = DocumentID.note(try NoteID("note"))
        let update = [UInt8](repeating: 7, count: 60)
        try await recordAppends(update, to: note, writer, recorder)

        let count = 10_000
        let log = directory.path + "/notes/note/logs/long.long.1.crdtlog"
        let records = (1...count).flatMap { number in
            UpdateLog.encode(timestamp: 1_700_000_000_000, sequence: UInt64(number), payload: update)
        }
        try Data([0x4e, 0x43, 0x4c, 0x47, 1] + records).write(to: URL(fileURLWithPath: log))
        try await recorder.time("read \(count) records of 60 bytes", aim: 20) {
            guard try directory.read(note).records.count >= count else { throw Lost() }
        }
        let progress = try directory.read(note).progress
        try await recorder.time("look again when nothing changed", aim: 1) {
            guard try directory.read(note, from: progress).records.isEmpty else { throw Lost() }
        }
        try await recordWatching(directory, recorder)
    }
}

private struct Lost: Error {}

/// Most of it is the disk, so the disk alone is measured beside it.
private func recordAppends(
    _ update: [UInt8], to note: DocumentID, _ writer: DirectoryWriter, _ recorder: Recorder
) async throws {
    let file = open(writer.directory.path + "/plain", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(file) }
    var (ours, disk): ([Double], [Double]) = ([], [])
    for _ in 0..<300 {
        ours.append(seconds(try ContinuousClock().measure { try writer.append(update, to: note) }) * 1000)
        disk.append(
            seconds(
                ContinuousClock().measure {
                    _ = write(file, update, update.count)
                    fsync(file)
                }) * 1000)
    }
    await recorder.record("append a record and announce it", ours, unit: "ms", better: .lower)
    await recorder.record(
        "append as many bytes to a plain file, and wait for the disk", disk, unit: "ms", better: .lower)
}

private func recordWatching(_ directory: StorageDirectory, _ recorder: Recorder) async throws {
    for number in 0..<10_000 {
        let folder = "\(directory.path)/notes/n\(number)/logs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: folder + "/a.a.1.crdtlog"))
    }
    try await recorder.time("begin to watch 10 000 notes", aim: 500) {
        _ = try FolderWatch([WatchedFolder(directory.path + "/notes", depth: 2)])
    }
    try await recorder.time("list 10 000 notes", aim: 50) {
        guard try directory.notes().count > 10_000 else { throw Lost() }
    }
}
