import Foundation
import Storage

/// The note that a profile was moved: it opens no more where it was, so that it is used in one place.
package struct ProfileEnd: Codable, Hashable, Sendable {
    /// The file that it was moved into.
    package var file: String
    /// Milliseconds since 1970.
    package var time: Int64

    private static let byteLimit = 1 << 16

    init(file: String, time: Int64) { (self.file, self.time) = (file, time) }

    /// Nil if the profile was not moved. A note that cannot be read is one all the same.
    init?(of profile: String) {
        let note = Self.note(in: profile)
        guard FileManager.default.fileExists(atPath: note) else { return nil }
        let bytes = (try? AtomicFile.read(note, atMost: Self.byteLimit)) ?? []
        self = (try? JSONDecoder().decode(Self.self, from: Data(bytes))) ?? Self(file: "another file", time: 0)
    }

    func write(to profile: String) throws {
        try AtomicFile.write(Array(try JSONEncoder().encode(self)), to: Self.note(in: profile))
    }

    /// Where the note lies.
    package static func note(in profile: String) -> String { profile + "/moved" }
}
