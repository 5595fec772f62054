// States that traces of earlier versions hold, in today's form.

extension AppState {
    /// Reads a state as ``JSON`` writes it, of this version or of 0.2.0, which had one view.
    /// - Throws: `DecodingError` if it is no state.
    package init(json: JSONValue) throws {
        self = try JSON.decode(AppState.self, from: JSON.encode(Self.upgraded(json)))
    }

    /// A state of version 0.2.0 in today's form; any other JSON as it is.
    package static func upgraded(_ json: JSONValue) -> JSONValue { json.withViews }
}

extension JSONValue {
    /// What the only view of version 0.2.0 showed, as the main view, and what was typed in its rooms, as composers.
    fileprivate var withViews: JSONValue {
        guard case .object(var state) = self, state["views"] == nil, let path = state["screens"]?.array else { return self }
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
        state["rooms"] = state["rooms"]?.array.map { .array($0.map(\.withTypingViews)) }
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

    private var withTypingViews: JSONValue {
        var room = self
        room["live"]?["draft"] = nil
        room["live"]?["typing_views"] = .array(self["live"]?["told_typing_at"] == nil ? [] : [.string("main")])
        return room
    }
}
