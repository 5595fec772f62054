import AppCore
import Foundation

/// Writes every input of the core to a file, one JSON object a line, so that the run can be replayed.
///
/// A recording holds what people said: it is made only when asked for, and readable only by its owner.
final class Recorder: Sendable {
    private let handle: FileHandle

    init(path: String) throws {
        let made = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard made, let handle = FileHandle(forWritingAtPath: path) else {
            throw ProfileError.cannotCreate(path: path, reason: "the recording cannot be written")
        }
        self.handle = handle
    }

    func record(_ input: Input) {
        guard let line = try? JSON.encode(input) else { return }
        // A recording that cannot go on is shorter than the run; the run itself goes on.
        try? handle.write(contentsOf: Data(line + [10]))
    }
}
