import AppCore

/// What a person does about a message that was said.
enum ChatChange: Equatable {
    case reply(String)
    /// Nil takes the reaction back.
    case react(String?)
    case edit(String)
    case delete
    case open
    /// A path from the root.
    case save(String)

    /// Nil if something is missing.
    init?(_ command: String, _ text: String) {
        switch command {
        case "/reply" where !text.isEmpty: self = .reply(text)
        case "/react" where text == "none": self = .react(nil)
        case "/react" where text.count == 1: self = .react(text)
        case "/edit" where !text.isEmpty: self = .edit(text)
        case "/delete" where text.isEmpty: self = .delete
        case "/open" where text.isEmpty: self = .open
        case "/save" where !text.isEmpty: self = .save(TypedPaths.place(text))
        default: return nil
        }
    }

    /// What is written behind the command.
    static func usage(_ command: String) -> String {
        switch command {
        case "/reply", "/edit": "TEXT"
        case "/save": "FOLDER or FILE"
        case "/react": "EMOJI (one character), or none"
        default: ""
        }
    }

    /// Whether it is about the messages of this person; otherwise it is about the other one's.
    var isAboutOwn: Bool {
        switch self {
        case .edit, .delete: true
        case .reply, .react, .open, .save: false
        }
    }

    /// Whether it can be done to a message.
    func fits(_ message: Message) -> Bool {
        switch self {
        case .reply, .react: message.direction == .received && message.isAnswerable
        case .edit: message.isEditable
        case .open, .save: message.direction == .received && message.transfer?.state == .finished
        case .delete: message.direction == .sent && message.isDeletable
        }
    }

    func action(_ message: MessageID, in room: RoomID) -> ChatAction {
        switch self {
        case .reply(let text): .reply(room: room, message: message, text: text)
        case .react(let emoji): .react(room: room, message: message, emoji: emoji)
        case .edit(let text): .editMessage(room: room, message: message, text: text)
        case .open: .openFile(room: room, message: message)
        case .save(let path): .saveFile(room: room, message: message, to: path)
        case .delete: .deleteMessage(room: room, message: message)
        }
    }
}
