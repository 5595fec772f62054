import CRDTBridge
import Foundation
import RichText

/// Checks that a directory is valid for the desktop app, by its own rules of reading.
struct Judge {
    let reader: DesktopReader

    init(_ root: URL) { reader = DesktopReader(root: root) }

    /// Throws at what that app would refuse or spoil. Only what we wrote is held against its schema.
    func check() throws {
        for note in try reader.notes() { _ = try reader.records(of: "notes/\(note)") }
        _ = try reader.records(of: "folders")
        let activity = reader.root.appending(path: "activity")
        for name in try FileManager.default.contentsOfDirectory(atPath: activity.path) {
            let parts = name.split(separator: ".")
            if parts.count == 3, parts[0] == parts[1] { try reader.checkActivity(of: String(parts[0])) }
        }
    }

    /// The note as that app shows it; throws if it has something that the app would delete.
    func content(of note: String) async throws -> RichText {
        let bridge = try await CRDTBridge()
        let refused = try await bridge.load(note, reader.records(of: "notes/\(note)").map(\.update))
        guard refused.isEmpty else { throw DesktopReader.Refusal(description: "\(note): it cannot apply an update") }
        let content = try await bridge.tree(of: note)
        let problems = Schema.problems(in: content)
        guard problems.isEmpty else { throw DesktopReader.Refusal(description: "\(note): \(problems)") }
        let metadata = try await bridge.metadata(of: note)
        guard metadata.id == note, metadata.directory != nil, metadata.created != nil, metadata.modified != nil else {
            throw DesktopReader.Refusal(description: "\(note): it is not initialised")
        }
        return content
    }
}
