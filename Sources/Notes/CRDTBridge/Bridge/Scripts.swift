internal import ScriptEngine

/// The functions of the bundle, looked up once.
struct Scripts {
    enum Function: String, CaseIterable {
        case load, close, apply, isMissingUpdates, state, stateVector, difference, merge
        case treeOfNote, treeOf, authors
        case createNote, metadata, setMetadata, edit, editOlder
        case comments, changeComments, folders, setFolders
    }

    let context: ScriptContext
    private let functions: [Function: ScriptValue]

    init(on thread: ScriptThread, _ limits: CRDTLimits) throws(ScriptError) {
        var configuration = ScriptConfiguration()
        // Client ids come from the secure generator; Yjs itself needs nothing beyond the language.
        configuration.features = .crypto
        configuration.limits.executionTime = limits.timePerByte == nil ? limits.executionTime : nil
        context = try ScriptContext(on: thread, configuration)
        try context.evaluate(bundledScript, name: "crdt.js")
        let bundle = try context.evaluate("crdt")
        var functions: [Function: ScriptValue] = [:]
        for function in Function.allCases { functions[function] = try bundle.property(function.rawValue) }
        self.functions = functions
    }

    func call(_ function: Function, _ arguments: [any ScriptConvertible]) throws(ScriptError) -> ScriptValue {
        guard let value = functions[function] else { throw ScriptError(.notAFunction, function.rawValue) }
        let answer = try value.call(this: nil, arguments: arguments)
        if arguments.reduce(0, { $0 + Self.size(of: $1) }) >= Self.collectedSize { try context.collectGarbage() }
        return answer
    }

    /// Bytes that a call takes. One of so many leaves up to fifty times as much garbage, which JavaScriptCore keeps for long on a
    /// machine with much memory.
    private static let collectedSize = 1 << 20

    private static func size(of argument: any ScriptConvertible) -> Int {
        switch argument {
        case let text as String: text.utf8.count
        case let bytes as [UInt8]: bytes.count
        case let updates as UpdatePack: updates.size
        default: 0
        }
    }
}

extension CRDTBridge {
    /// The bundle of Yjs and our own modules, which defines the global object `crdt`.
    package static var script: String { bundledScript }
}
