/// Everything that can happen to the core: what a person does, and what the world answers.
///
/// JSON is one flat object whose `type` is the name of the innermost case in snake_case:
/// `{"type":"send_text","room":"…","text":"…"}`. A new slice is a new case here and two lines below.
package enum Action: Sendable, Hashable {
    /// Screens, settings, the lock.
    case app(AppAction)
    /// The list of rooms.
    case rooms(RoomAction)
    /// Inside a room.
    case chat(ChatAction)
    /// The people who are trusted.
    case circle(CircleAction)
    /// Notes and their folders.
    case notes(NoteAction)
    /// Apps that other people wrote.
    case apps(AppsAction)
    /// Agents and language models.
    case agents(AgentAction)
    /// What the host reports.
    case event(Event)
}

extension Action: Codable {
    package init(from decoder: any Decoder) throws {
        let tagged = try TaggedDecoder(decoder)
        if let action = try tagged.decodeIfKnown(ChatAction.self) {
            self = .chat(action)
        } else if let action = try tagged.decodeIfKnown(Event.self) {
            self = .event(action)
        } else if let action = try tagged.decodeIfKnown(RoomAction.self) {
            self = .rooms(action)
        } else if let action = try tagged.decodeIfKnown(CircleAction.self) {
            self = .circle(action)
        } else if let action = try tagged.decodeIfKnown(NoteAction.self) {
            self = .notes(action)
        } else if let action = try tagged.decodeIfKnown(AppsAction.self) {
            self = .apps(action)
        } else if let action = try tagged.decodeIfKnown(AgentAction.self) {
            self = .agents(action)
        } else if let action = try tagged.decodeIfKnown(AppAction.self) {
            self = .app(action)
        } else {
            throw tagged.unknown()
        }
    }

    package func encode(to encoder: any Encoder) throws {
        let tagged = TaggedEncoder(encoder)
        switch self {
        case .app(let action): try action.encode(to: tagged)
        case .rooms(let action): try action.encode(to: tagged)
        case .chat(let action): try action.encode(to: tagged)
        case .circle(let action): try action.encode(to: tagged)
        case .notes(let action): try action.encode(to: tagged)
        case .apps(let action): try action.encode(to: tagged)
        case .agents(let action): try action.encode(to: tagged)
        case .event(let action): try action.encode(to: tagged)
        }
    }
}
