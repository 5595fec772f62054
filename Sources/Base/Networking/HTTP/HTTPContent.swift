/// A body that is made piece by piece while it is sent, so that it is never in memory as a whole.
///
/// ```swift
/// HTTPResponse(status: 200, content: HTTPContent { writer in
///     for await line in lines { try await writer.write(Array(line.utf8)) }
/// })
/// ```
///
/// The producer runs in a task of its own once the head is sent, and not at all for `HEAD`. If it throws, or ends before it
/// wrote ``count`` bytes, the connection is closed so that the client notices. The client's end cancels the task.
/// Two contents are equal if they are the same one.
package final class HTTPContent: Sendable, Equatable {
    /// Writes the body.
    package typealias Producer = @Sendable (HTTPContentWriter) async throws -> Void

    /// Bytes of the body; nil if that is not known, which HTTP/1.1 sends in chunks (RFC 9112 section 7.1).
    package let count: Int?
    let produce: Producer

    package init(count: Int? = nil, _ produce: @escaping Producer) {
        self.count = count
        self.produce = produce
    }

    /// A region of something that can be read at any place, such as a file.
    /// - Parameter read: returns at most this many bytes from this place. No bytes end the body too early.
    package static func region(
        _ range: Range<Int>, read: @escaping @Sendable (_ place: Int, _ atMost: Int) async throws -> [UInt8]
    ) -> HTTPContent {
        HTTPContent(count: range.count) { writer in
            var place = range.lowerBound
            while place < range.upperBound {
                let piece = try await read(place, min(HTTPContentWriter.pieceLimit, range.upperBound - place))
                guard !piece.isEmpty else { return }
                place += piece.count
                try await writer.write(piece)
            }
        }
    }

    package static func == (left: HTTPContent, right: HTTPContent) -> Bool { left === right }
}
