/// A request: what a client sends and what a server's handler receives.
package struct HTTPRequest: Sendable, Equatable {
    /// `GET`, `POST`, `DELETE`, …
    package var method: String
    /// The path from the first slash on, percent-decoded, without the query.
    package var path: String
    /// The query's items in order, percent-decoded.
    package var query: [QueryItem]
    /// The header fields.
    package var headers: HTTPFields
    /// The body; empty if there is none.
    package var body: [UInt8]
    /// What a client sends instead of path and query: the target of a foreign URL, whose escapes must stay as they are.
    package var verbatimTarget: String?

    /// One `name=value` of a query.
    package struct QueryItem: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        method: String = "GET",
        path: String,
        query: [QueryItem] = [],
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The value of the first query item with this name.
    package func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
