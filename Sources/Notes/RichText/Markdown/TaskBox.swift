/// The check box at the beginning of an item: `[ ]`, `[x]` or `[-]`, then a space or nothing.
struct TaskBox {
    let state: RichText.Task.State
    /// What follows the box and its space.
    let rest: String

    init?(_ text: String) {
        let boxes: [(String, RichText.Task.State)] = [
            ("[ ]", .unchecked), ("[x]", .checked), ("[X]", .checked), ("[-]", .nope),
        ]
        guard let (box, state) = boxes.first(where: { text.hasPrefix($0.0) }) else { return nil }
        let rest = text.unicodeScalars.dropFirst(box.unicodeScalars.count)
        guard rest.isEmpty || rest.first == " " else { return nil }
        self.state = state
        self.rest = String(rest.dropFirst())
    }
}
