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
        return try value.call(this: nil, arguments: arguments)
    }
}

extension CRDTBridge {
    /// The bundle of Yjs and our own modules, which defines the global object `crdt`.
    package static var script: String { bundledScript }
}
