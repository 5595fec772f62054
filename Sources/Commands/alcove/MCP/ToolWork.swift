import AgentProtocols
import Agents
import AppCore
import Foundation
import Synchronization

/// What a call is about, for the log: known as soon as it is found, also if the call fails after that.
final class Described: Sendable {
    private let text = Mutex<String?>(nil)

    var words: String? { text.withLock { $0 } }

    func note(_ words: String) { text.withLock { $0 = words } }
}

/// Carries out the tools that a program may use.
struct ToolWork: Sendable {
    let arguments: Arguments
    /// The name under which it writes notes and drafts.
    let client: String

    /// - Throws: ``MCPArguments/Mistake``, ``CommandFailure``.
    func perform(_ tool: AlcoveTool, _ given: MCPArguments, _ about: Described) async throws -> MCPResult {
        switch tool {
        case .searchNotes: try await searchNotes(given)
        case .readNote: try await readNote(given, about)
        case .appendToNote: try await appendToNote(given, about)
        case .createNote: try await createNote(given, about)
        case .listRooms: try await listRooms(given)
        case .readRoom: try await readRoom(given, about)
        case .draftMessage: try await draftMessage(given, about)
        case .listAppCommands: try listAppCommands(given)
        case .runAppCommand: try await runAppCommand(given, about)
        }
    }

    /// Nobody who writes a text can know this.
    static var mark: String { "data-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) }

    /// As many of the values as fit into a result, as JSON.
    /// - Parameter keepsNewest: whether the first ones are left out, and not the last.
    static func list(
        _ values: [some Encodable], from source: String, keepsNewest: Bool = false
    ) throws -> MCPResult {
        var texts = try values.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        var bytes = texts.reduce(0) { $0 + $1.utf8.count + 2 }
        let all = texts.count
        while bytes > ToolLimits.resultBytes, let left = keepsNewest ? texts.first : texts.last {
            bytes -= left.utf8.count + 2
            if keepsNewest { texts.removeFirst() } else { texts.removeLast() }
        }
        return MCPResult.data(
            "[\(texts.joined(separator: ",\n"))]", from: source, mark: mark,
            hint: texts.count < all ? "\(all - texts.count) more are left out, because they are too long." : nil)
    }
}
