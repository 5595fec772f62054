extension RichText {
    /// A check box of the document with its text.
    public struct Task: Hashable, Sendable {
        /// Whether a task is done.
        public enum State: String, CaseIterable, Hashable, Sendable {
            /// Still to do.
            case unchecked
            /// Done.
            case checked
            /// Done with, though not done.
            case nope

            /// What a click makes of it.
            public func next(allowsNope: Bool = true) -> State {
                switch self {
                case .unchecked: .checked
                case .checked: allowsNope ? .nope : .unchecked
                case .nope: .unchecked
                }
            }

            var isCompleted: Bool { self != .unchecked }
        }

        /// The path of the `taskItem`.
        public var path: Path
        /// Whether it is done.
        public var state: State
        /// The text of its first paragraph.
        public var text: String
    }

    /// All tasks in order.
    public var tasks: [Task] {
        elements.compactMap { path, element in
            guard element.name == "taskItem" else { return nil }
            let text = element.children.first?.text(between: " ").trimmed ?? ""
            return Task(path: path, state: element.taskState, text: text)
        }
    }

    /// The edits that give a task another state.
    ///
    /// With `reordering` an item that is completed moves to the first of the completed ones at the end of its list, and
    /// one that is reopened to the last of the open ones. There is no edit if `path` is not that of a task.
    public func edits(settingTaskAt path: Path, to state: Task.State, reordering: Bool = false) -> [Edit] {
        guard case .element(var item) = self[path], item.name == "taskItem", let index = path.last,
            item.taskState != state
        else { return [] }
        let parent = Path(path.dropLast())
        let siblings = self.children(at: parent) ?? []
        let rest = siblings.enumerated().filter { $0.offset != index }.map(\.element)
        let open = rest.lastIndex { $0.element?.taskState.isCompleted != true }.map { $0 + 1 } ?? 0
        guard reordering, item.taskState.isCompleted != state.isCompleted, open != index else {
            return [.setAttribute("checked", .string(state.rawValue), at: path)]
        }
        item.attributes["checked"] = .string(state.rawValue)
        return [.remove(1, at: path), .insert([.element(item)], at: parent + [open])]
    }

    /// The node at a path.
    public subscript(path: Path) -> Node? {
        guard let index = path.last, let siblings = children(at: Path(path.dropLast())) else { return nil }
        return siblings.indices.contains(index) ? siblings[index] : nil
    }

    /// The content of the element at a path, or of the document for the empty path.
    public func children(at path: Path) -> [Node]? {
        var nodes = blocks
        for index in path {
            guard nodes.indices.contains(index), case .element(let element) = nodes[index] else { return nil }
            nodes = element.children
        }
        return nodes
    }
}

extension RichText.Element {
    /// The state of a task item. Some writers use true and false.
    var taskState: RichText.Task.State {
        if let state = attributes["checked"]?.string.flatMap(RichText.Task.State.init) { return state }
        return attributes["checked"]?.bool == true ? .checked : .unchecked
    }
}
