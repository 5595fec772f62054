import Foundation
import NoteFiles
import ProgramRunner
import Testing

/// The first block of docs/protocols/notes-storage.md.
@Suite struct NoteFilesSnippet {
    // swift-format-ignore
    @Test func `an update is written and read`() throws {
        try Program.inFolder { folder in
            let (path, profile) = (folder.path + "/notes", folder.path + "/profile")
            try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
            let (id, update): (NoteID, [UInt8]) = (NoteID.random(), [0, 0])

            let directory = try StorageDirectory(creating: path)
            let lock = try WriterLock.acquire(in: profile)            // who we write as, on this machine
            let writer = DirectoryWriter(directory, lock: lock)
            try writer.append(update, to: .note(id))                  // returns when it is on the disk
            var reading = try directory.read(.note(id))               // everything
            reading = try directory.read(.note(id), from: reading.progress)   // what is new

            #expect(reading.records.isEmpty)
        }
    }
}
