/// What a person did to the view, and the core need not know: how far things are scrolled, and what has the focus.
package struct ViewportState: Sendable, Hashable, Codable {
    /// Points from the start of the content, by the id of what scrolls. What is not named here stands where it begins:
    /// a list of messages at its end, and it stays there when messages come; anything else at its start.
    package var scroll: [String: Int]
    /// The id of the node with the focus; `nil` or an id that is not there leaves it to the tree.
    package var focus: String?

    package init(scroll: [String: Int] = [:], focus: String? = nil) {
        self.scroll = scroll
        self.focus = focus
    }
}
