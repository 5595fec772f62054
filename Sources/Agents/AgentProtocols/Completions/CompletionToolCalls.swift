/// Says which call each piece of an answer belongs to. Pieces come by index, and only the first one of a call has its id and name.
package struct CompletionToolCalls: Sendable, Hashable {
    private var ids: [Int: String] = [:]
    private let prefix: String

    /// - Parameter prefix: stands before the ids of calls to which the server gave none, so that they differ between answers.
    package init(prefix: String = "call") { self.prefix = prefix }

    /// Takes a piece.
    /// - Returns: the id of its call, and the call's name if it begins here.
    package mutating func add(_ delta: CompletionChunk.ToolCallDelta) -> (id: String, began: String?) {
        if let id = ids[delta.index] { return (id, nil) }
        var id = delta.id ?? ""
        // Two calls with one id would be shown as one.
        if id.isEmpty { id = "\(prefix)-\(delta.index)" }
        while ids.values.contains(id) { id += "'" }
        ids[delta.index] = id
        return (id, delta.name ?? "")
    }
}
