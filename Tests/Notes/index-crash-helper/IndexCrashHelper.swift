import Foundation
import NoteIndex

/// Writes notes into an index until it is killed, or until there are `COUNT` of them: `index-crash-helper FILE NAME [COUNT]`.
///
/// The notes are `NAME-0`, `NAME-1`…; the progress of the file `NAME` says how many were written, in the same transaction. When the
/// index begins anew, it goes on, says so, and says at the end how many notes are there.
@main struct IndexCrashHelper {
    static func main() throws {
        let arguments = CommandLine.arguments
        let name = arguments[2]
        let limit = arguments.count > 3 ? Int64(arguments[3]) ?? 0 : .max
        let directory = IndexedDirectory(id: "directory", name: "Notes", path: "/notes")
        let index = try NoteIndex(path: arguments[1], directory: directory)
        // Whoever waits for this one may kill it from now on.
        FileHandle.standardOutput.write(Data([1]))
        var number = try index.read { try $0.progress(of: name)?.offset } ?? 0
        while number < limit {
            do {
                try write(number, name, to: index)
                number += 1
            } catch NoteIndexError.startedAnew {
                print(" anew after \(number)")
            }
        }
        print(" has \(try index.read { try $0.noteCount() })")
    }

    private static func write(_ number: Int64, _ name: String, to index: NoteIndex) throws {
        try index.write { writer in
            let id = "\(name)-\(number)"
            let words = (0..<60).map { "word\((Int64($0) + number) % 500)" }.joined(separator: " ")
            try writer.upsert(
                IndexedNote(
                    id: id, title: id, created: number, modified: number * 1000, text: "\(id)\n\(words)",
                    tags: ["tag\(number % 7)"], links: ["\(name)-\(number + 1)"]))
            try writer.setState(SyncState(document: Array(words.utf8), updated: number), of: id)
            try writer.setProgress(IndexedProgress(path: name, document: id, size: number + 1, offset: number + 1))
        }
    }
}
