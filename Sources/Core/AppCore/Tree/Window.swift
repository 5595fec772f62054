/// Which part of a long list a tree holds.
package struct Window: Sendable, Hashable, Codable {
    /// Rows of the whole list.
    package var count: Int
    /// The place of the first row that is there, from 0.
    package var first: Int
    /// The id of the row that the person is to see first; the end of the list without one.
    package var anchor: String?

    package init(count: Int, first: Int, anchor: String? = nil) {
        self.count = count
        self.first = first
        self.anchor = anchor
    }

    /// What a renderer wants to have of a list. It is an argument and not state: how far somebody has scrolled is the renderer's.
    package struct Request: Sendable, Hashable, Codable {
        /// The id of the row around which the others lie; the end of the list without one, or if it is gone.
        package var anchor: String?
        /// Rows before the anchor.
        package var before: Int
        /// Rows after it.
        package var after: Int

        /// Rows of one window.
        package static let limit = 1000

        package init(anchor: String? = nil, before: Int = 100, after: Int = 100) {
            self.anchor = anchor
            self.before = before
            self.after = after
        }

        /// The places of the rows, of a list with so many.
        /// - Parameter place: where the anchor is; `nil` if it is not there.
        func rows(of count: Int, around place: Int?) -> Range<Int> {
            let (before, after) = (min(max(before, 0), Self.limit), min(max(after, 0), Self.limit))
            let place = place ?? count
            let first = max(0, place - before)
            return first..<max(first, min(count, place + after + (place < count ? 1 : 0), first + Self.limit))
        }
    }
}
