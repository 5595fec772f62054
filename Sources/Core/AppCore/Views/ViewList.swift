/// The views of a profile, in the order in which they were opened. ``ViewID/main`` is always the first.
package struct ViewList: Sendable, Hashable {
    /// Views at the same time. A host tells whoever wants one more.
    package static let limit = 16

    private var views = [ViewState(id: .main)]

    package init() {}

    package subscript(id: ViewID) -> ViewState? { views.first { $0.id == id } }

    package var main: ViewState { views[0] }

    /// Changes a view, if it is there.
    mutating func update(_ id: ViewID, _ change: (inout ViewState) -> Void) {
        if let index = views.firstIndex(where: { $0.id == id }) { change(&views[index]) }
    }

    mutating func updateAll(_ change: (inout ViewState) -> Void) {
        for index in views.indices { change(&views[index]) }
    }

    /// - Returns: whether there is a new view now.
    mutating func open(_ id: ViewID) -> Bool {
        guard self[id] == nil, views.count < Self.limit else { return false }
        views.append(ViewState(id: id))
        return true
    }

    /// - Returns: the view that is gone; `nil` if there was none, and for the main one, which stays.
    mutating func close(_ id: ViewID) -> ViewState? {
        guard id != .main, let index = views.firstIndex(where: { $0.id == id }) else { return nil }
        return views.remove(at: index)
    }
}

extension ViewList: RandomAccessCollection {
    package var startIndex: Int { views.startIndex }
    package var endIndex: Int { views.endIndex }
    package subscript(position: Int) -> ViewState { views[position] }
}

extension ViewList: Codable {
    package init(from decoder: any Decoder) throws {
        let read = try decoder.singleValueContainer().decode([ViewState].self)
        for view in read {
            _ = open(view.id)
            update(view.id) { $0 = view }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(views)
    }
}
