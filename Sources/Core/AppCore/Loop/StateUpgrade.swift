// States that traces of earlier versions hold, in today's form.

extension AppState {
    /// Reads a state as ``JSON`` writes it, of this version or of 0.2.0, which had one view.
    /// - Throws: `DecodingError` if it is no state.
    package init(json: JSONValue) throws {
        self = try JSON.decode(AppState.self, from: JSON.encode(Self.upgraded(json)))
    }

    /// A state of version 0.2.0 in today's form; any other JSON as it is.
    package static func upgraded(_ json: JSONValue) -> JSONValue { json.withViews.withAgents }
}

extension JSONValue {
    /// Version 0.2.0 knew of no agents and of no sessions with them.
    fileprivate var withAgents: JSONValue {
        guard case .object(var state) = self, state["views"] != nil else { return self }
        state["agents"] = state["agents"] ?? .array([])
        let none: JSONValue = .object(["log": .object(["entries": .array([])]), "sessions": .array([])])
        state["talks"] = state["talks"] ?? none
        return .object(state)
    }

    /// What the only view of version 0.2.0 showed, as the main view, and what was typed in its rooms, as composers.
    fileprivate var withViews: JSONValue {
        guard case .object(var state) = self, state["views"] == nil, let path = state["screens"]?.array else {
            return self
        }
        let (notes, apps) = (state["notes"], state["apps"])
        state["screens"] = nil
        let view: [String: JSONValue?] = [
            "id": .string("main"), "is_front": state.removeValue(forKey: "is_active"), "screens": .array(path),
            "create_form": state.removeValue(forKey: "create_form"),
            "join_form": state.removeValue(forKey: "join_form"),
            "notes": notes?.shown(Self.shownOfNotes), "apps": apps?.shown(Self.shownOfApps),
        ]
        state["views"] = .array([.object(view.compactMapValues(\.self))])
        let editor = notes?["editor"]
        for key in Self.shownOfNotes + ["editor"] { state["notes"]?[key] = nil }
        for key in Self.shownOfApps { state["apps"]?[key] = nil }
        state["notes"]?["editors"] = .array([editor].compactMap(\.self))
        state["composers"] = .array((state["rooms"]?.array ?? []).compactMap { $0.composer(on: path) })
        state["rooms"] = state["rooms"]?.array.map { .array($0.map(\.roomOfToday)) }
        return .object(state)
    }

    private static let shownOfNotes = ["filter", "search", "shown", "folder_form"]
    private static let shownOfApps = ["source_form", "parameters_form", "bundle_form"]

    /// What a view shows of notes or apps, out of their state.
    private func shown(_ keys: [String]) -> JSONValue {
        var moved: [String: JSONValue] = ["is_following": .bool(self["open_effect"] != nil)]
        for key in keys { moved[key] = self[key] }
        return .object(moved)
    }

    /// What stands in the room's composer; it belongs to the view that is in the room.
    private func composer(on path: [JSONValue]) -> JSONValue? {
        guard let room = self["room"]?["id"], let text = self["live"]?["draft"], text != .string("") else { return nil }
        let isThere = path.contains { $0["page"] == .string("chat") && $0["room"] == room }
        return .object(["room": room, "text": text].merging(isThere ? ["view": .string("main")] : [:]) { $1 })
    }

    /// A room whose messages said of themselves whether they were seen.
    private var roomOfToday: JSONValue {
        var room = self
        let messages = self["messages"]?["all"]?.array ?? []
        let received = messages.filter { $0["direction"] == .string("received") }
        let seen = Set(self["live"]?["seen"]?.array?.compactMap(\.string) ?? [])
        let unreported = received.filter { $0["id"]?.string.map(seen.contains) ?? false }
        room["live"]?["unreported_from"] = unreported.compactMap { $0["order"]?.integer }.min().map { .integer($0) }
        let known = received.prefix { $0["status"] != .string("unread") }
        room["room"]?["seen_up_to"] = .integer(known.last?["order"]?.integer ?? 0)
        room["messages"]?["all"] = .array(messages.map(\.messageOfToday))
        for key in ["draft", "unread", "seen"] { room["live"]?[key] = nil }
        room["live"]?["typing_views"] = .array(self["live"]?["told_typing_at"] == nil ? [] : [.string("main")])
        return room
    }

    private var messageOfToday: JSONValue {
        guard self["direction"] == .string("received") else { return self }
        var message = self
        message["status"] = .string("delivered")
        return message
    }
}
