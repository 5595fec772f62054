import AppCore

/// A value that `alcove_core_platform_event` accepts: an input or a bare action, with the names that platforms use.
struct PlatformEvent: Decodable {
    /// When it happened and the ids it may use; `nil` for a bare action.
    let input: Input?
    let action: Action

    private enum Key: CodingKey { case at, fresh, action }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.contains(.action) else {
            input = nil
            action = try Named(from: decoder).action
            return
        }
        action = try container.decode(Named.self, forKey: .action).action
        input = Input(
            at: try container.decode(Timestamp.self, forKey: .at),
            fresh: try container.decode(Fresh.self, forKey: .fresh), action: action)
    }

    /// Whether it is something that the world or the platform says, not a person.
    var isEvent: Bool {
        switch action {
        case .event, .app(.becameActive), .app(.becameInactive): true
        case .app, .rooms, .chat, .circle, .notes, .apps, .agents: false
        }
    }

    private struct Named: Decodable {
        let action: Action

        private enum Key: CodingKey { case type, online }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            switch try container.decode(String.self, forKey: .type) {
            case "foreground": action = .app(.becameActive)
            case "background": action = .app(.becameInactive)
            case "reachability":
                action = .event(.reachabilityChanged(online: try container.decode(Bool.self, forKey: .online)))
            default: action = try Action(from: decoder)
            }
        }
    }
}
