// Search in what was said and is kept. The disk looks, newest first, and tells what it finds as it goes.

/// What the person looks for in conversations, and what was found.
package struct MessageSearch: Sendable, Hashable, Codable {
    package var query = ""
    /// The room in which it is looked for; `nil` for all.
    package var room: RoomID?
    /// The search that is under way.
    package var effect: EffectID?
    /// The newest first, of one room after the other; at most ``RoomLimits/hits``.
    package var hits: [MessageHit] = []
}

/// A message in which something was found.
package struct MessageHit: Sendable, Hashable, Codable {
    package var room: RoomID
    package var message: MessageID
    package var at: Timestamp
    package var direction: Message.Direction
    /// The text around what was found.
    package var snippet: String

    package init(of message: Message, in room: RoomID, snippet: String) {
        self.room = room
        self.message = message.id
        at = message.at
        direction = message.direction
        self.snippet = snippet
    }
}

extension Message {
    /// What a search looks at; `nil` if there is nothing.
    package var searchedText: String? {
        if case .file(let offer) = body { offer.name } else { body.text }
    }
}

extension AppState {
    /// Only the last search of a view counts.
    mutating func searchMessages(_ query: String, in room: RoomID?, _ context: inout DispatchContext) {
        let query = query.withoutControls.limited(to: RoomLimits.queryBytes)
        let view = actingView(context)
        guard !lock.isLocked else { return }
        if let effect = view.search?.effect { settle(effect, &context) }
        var search = MessageSearch(query: query, room: room.flatMap { rooms[$0]?.id })
        if !query.trimmed.isEmpty {
            search.effect = issue(.searchMessages(query: query.trimmed, room: search.room), &context)
        }
        views.update(view.id) { $0.search = search }
    }

    mutating func messagesFound(
        _ effect: EffectID, _ hits: [MessageHit], isFinished: Bool, _ context: inout DispatchContext
    ) {
        guard case .searchMessages = pendingEffects[effect] else { return }
        guard let view = views.first(where: { $0.search?.effect == effect }), var search = view.search else {
            settle(effect, &context)
            return
        }
        let known = Set(search.hits.map { [$0.room.text, $0.message.text] })
        for var hit in hits where !known.contains([hit.room.text, hit.message.text]) {
            hit.snippet = hit.snippet.withoutControls.limited(to: RoomLimits.snippetBytes)
            search.hits.append(hit)
        }
        search.hits = Array(search.hits.prefix(RoomLimits.hits))
        if isFinished || search.hits.count == RoomLimits.hits {
            search.effect = nil
            settle(effect, &context)
        }
        views.update(view.id) { $0.search = search }
    }

    mutating func messageSearchFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let view = views.first(where: { $0.search?.effect == effect }) else { return }
        views.update(view.id) { $0.search?.effect = nil }
        notify(.problem, Words(failure), context)
    }

    /// Shows the conversation around a message.
    mutating func showMessage(_ id: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard rooms[id] != nil, !lock.isLocked else { return }
        let view = context.view ?? .main
        show(Screen(.chat, room: id), in: view, &context)
        views.update(view) { $0.shownMessage = message }
        findMessage(id, message, &context)
    }
}
