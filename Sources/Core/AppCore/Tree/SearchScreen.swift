extension Presentation {
    /// What is looked for in conversations, and what was found.
    var searchScreen: SemanticNode {
        let search = view.search ?? MessageSearch()
        var children = [
            SemanticNode.field(
                "search.query", text: search.query, .rooms(.searchMessages(query: "", room: screen.room)),
                input: "query",
                isFocused: true)
        ]
        let hits = search.hits.filter { rooms[$0.room] != nil }
        if !hits.isEmpty { children.append(SemanticNode(.list, "search.results", hits.map(item))) }
        if search.effect != nil {
            children.append(SemanticNode(.status, "search.searching", isBusy: true))
        } else if hits.isEmpty, !search.query.trimmed.isEmpty {
            children.append(SemanticNode(.text, "search.nothing"))
        } else if search.hits.count == RoomLimits.hits {
            children.append(
                SemanticNode(.text, "search.more", .key("search.more", ["count": .count(RoomLimits.hits)])))
        }
        guard let room = screen.room.flatMap({ rooms[$0] }) else { return page("search", children) }
        return page("search", .key("search.in", ["room": .words(room.titleWords)]), children)
    }

    private func item(_ hit: MessageHit) -> SemanticNode {
        var node = SemanticNode(
            .item, "hit.\(hit.room).\(hit.message)", rooms[hit.room]?.titleWords ?? "search", value: .text(hit.snippet),
            at: hit.at, offers: [.tap(.rooms(.showMessage(room: hit.room, message: hit.message)))])
        node.detail = hit.direction == .sent ? "message.own" : "message.other"
        return node
    }
}
