internal import Wire

/// Puts the calls of an answer together. Their pieces come by index, and only the first one of a call has its name. Servers that do not number calls
/// give each an id.
package struct CompletionToolCalls: Sendable, Hashable {
    /// A call, as far as it came.
    package struct Call: Sendable, Hashable {
        /// No other call of the answer has it.
        package let id: String
        package fileprivate(set) var name = ""
        /// JSON, if the model made no mistake.
        package fileprivate(set) var arguments = ""
        /// Bytes of the arguments that were left out.
        package fileprivate(set) var omitted = 0
        fileprivate let index: Int
        /// The server's id for it; empty as long as it gave none.
        fileprivate var given: String

        fileprivate init(id: String, index: Int, given: String) {
            (self.id, self.index, self.given) = (id, index, given)
        }

        fileprivate mutating func add(_ delta: CompletionChunk.ToolCallDelta) {
            if name.isEmpty { name = (delta.name ?? "").beginning(bytes: CompletionToolCalls.nameBytes) }
            let room = omitted > 0 ? 0 : CompletionToolCalls.argumentBytes - arguments.utf8.count
            let kept = delta.arguments.beginning(bytes: room)
            arguments += kept
            omitted += delta.arguments.utf8.count - kept.utf8.count
        }
    }

    /// Bytes of the arguments of one call that are kept.
    package static let argumentBytes = 64 << 10
    /// Bytes of a name or an id.
    private static let nameBytes = 1024

    /// The calls so far, at most ``CompletionChunk/toolCallLimit``.
    package private(set) var all: [Call] = []
    /// Which of them the pieces of an index belong to.
    private var current: [Int: Int] = [:]
    private let prefix: String

    /// - Parameter prefix: stands before the ids of calls to which the server gave none, so that they differ between answers.
    package init(prefix: String = "call") { self.prefix = prefix }

    /// Takes a piece.
    /// - Returns: the id of its call, and the call's name if it begins here. Of a call that is one too many the id is empty.
    @discardableResult
    package mutating func add(_ delta: CompletionChunk.ToolCallDelta) -> (id: String, began: String?) {
        let given = (delta.id ?? "").beginning(bytes: Self.nameBytes)
        let known = place(of: delta, given)
        guard let place = known ?? begin(delta.index, given) else { return ("", nil) }
        current[delta.index] = place
        all[place].add(delta)
        if all[place].given.isEmpty { all[place].given = given }
        return (all[place].id, known == nil ? all[place].name : nil)
    }

    /// Where its call is; nil if it begins one.
    private func place(of delta: CompletionChunk.ToolCallDelta, _ given: String) -> Int? {
        guard let place = current[delta.index] else { return nil }
        let call = all[place]
        if given.isEmpty || given == call.given { return place }
        // Some servers give each piece an id of its own.
        if delta.isNumbered, (delta.name ?? "").isEmpty { return place }
        // An id that comes late belongs to the call that lacks it, unless it brings a name of its own.
        if call.given.isEmpty, (delta.name ?? "").isEmpty { return place }
        // Calls without numbers may take turns.
        return all.lastIndex { $0.index == delta.index && $0.given == given }
    }

    /// - Returns: nil if there are too many. Then its pieces must not go to the call before.
    private mutating func begin(_ index: Int, _ given: String) -> Int? {
        guard all.count < CompletionChunk.toolCallLimit else {
            current[index] = nil
            return nil
        }
        var id = given.isEmpty ? "\(prefix)-\(index)" : given
        // Two calls with one id would be shown as one.
        while all.contains(where: { $0.id == id }) { id += "'" }
        all.append(Call(id: id, index: index, given: given))
        return all.count - 1
    }
}
