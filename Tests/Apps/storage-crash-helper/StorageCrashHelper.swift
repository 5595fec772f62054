import ComponentStorage
import Components
import Foundation
import StorageClient

/// Changes a storage in every way until it is killed: `storage-crash-helper STORAGE ACKNOWLEDGED FIRST-NUMBER`.
///
/// What has been acknowledged is one line each in the second file, as it is what the test looks for afterwards.
@main struct StorageCrashHelper {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let (host, app) = ConnectedEnds.make()
        let root = try StorageRoot(arguments[1])
        let folder = try FolderClient(root.serve(writable: true, on: host), on: app)
        let acknowledged = try FileHandle(forWritingTo: URL(fileURLWithPath: arguments[2]))
        try acknowledged.seekToEnd()
        var number = Int(arguments[3]) ?? 0
        for name in ["one", "two", "in/three"] where try await !folder.isPresent("File", "tree/" + name) {
            try await folder.write(name, "tree/" + name)
        }
        // Whoever waits for this one may kill it from now on.
        FileHandle.standardOutput.write(Data([1]))
        while true {
            for line in try await step(number, in: folder) { acknowledged.write(Data((line + "\n").utf8)) }
            number += 1
        }
    }

    /// A file's content of a number, which tells a part of it from the whole.
    private static func content(_ number: Int) -> String { String(repeating: "\(number) ", count: 1 + number % 3000) }

    private static func step(_ number: Int, in folder: FolderClient) async throws -> [String] {
        let text = content(number)
        switch number % 5 {
        case 0:
            try await folder.write(text, "files/text")
            return ["text \(number)"]
        case 1:
            let sink = try await folder.sink("files/sink")
            // Backwards, so that it has to be put together in the end.
            let (front, back) = (Array(text.utf8.prefix(5)), Array(text.utf8.dropFirst(5)))
            try await sink.splice(0, 0, back)
            try await sink.splice(0, 0, front)
            try await sink.done()
            return ["sink \(number)"]
        case 2:
            try await folder.copyFolder("tree", "copies/\(number)")
            return ["copied \(number)"]
        case 3:
            try await folder.move("copies/\(number - 1)", "moved/\(number)")
            return ["moved \(number)"]
        default:
            try await folder.deleteFolder("moved/\(number - 1)", withContent: true)
            return ["deleted \(number)"]
        }
    }
}
