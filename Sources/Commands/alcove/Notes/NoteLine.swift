import AppCore
import Foundation
import Notes

/// A note as a list shows it, or as a script reads it.
struct NoteLine: Encodable {
    var id: String
    var title: String
    var preview: String
    var folder: String?
    var created: ISOTime
    var modified: ISOTime
    var deleted: Bool
    var pinned: Bool
    /// Why it cannot be read whole.
    var problem: String?

    init(_ note: NoteSummary) {
        id = note.id
        title = note.title
        preview = note.preview
        folder = note.folder
        created = ISOTime(note.created)
        modified = ISOTime(note.modified)
        deleted = note.isDeleted
        pinned = note.isPinned
        problem = note.problem
    }

    /// For a person.
    var plain: String {
        let marks = (pinned ? " *" : "") + (problem.map { "  ! \($0)" } ?? "")
        return "\(id)  \(WrittenTime.text(modified.milliseconds))  \(title)\(marks)"
    }
}
