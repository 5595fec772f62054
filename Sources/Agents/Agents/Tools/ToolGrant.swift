/// Something that a person allows a program to do with Alcove. Nothing is allowed before that.
package enum ToolGrant: String, Sendable, Hashable, Codable, CaseIterable {
    case readNotes = "read-notes"
    case writeNotes = "write-notes"
    case readRooms = "read-rooms"
    case draftMessages = "draft-messages"
    case runApps = "run-apps"

    /// What it means, for the person.
    package var words: String {
        switch self {
        case .readNotes: "find and read notes"
        case .writeNotes: "make notes, and add to them"
        case .readRooms: "read rooms and what is kept of them"
        case .draftMessages: "write drafts into rooms, which you send or not"
        case .runApps: "run commands of installed apps, with the permissions of the apps"
        }
    }
}
