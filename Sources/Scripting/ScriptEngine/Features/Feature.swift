/// Globals that are made when a script first asks for one of them.
struct Feature: Sendable {
    /// What can be asked for.
    let names: [String]
    /// The Swift functions that the source calls.
    var functions: [String: @Sendable (ScriptArguments) throws -> any ScriptConvertible] = [:]
    /// A function expression: it gets an object with `functions`, and returns an object with the globals.
    let source: String

    fileprivate func make(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        let natives = try context.object()
        for (name, body) in functions { try natives.setProperty(name, context.function(name, body)) }
        return try context.evaluate(source, name: "alcove:\(names[0])").call(natives)
    }
}

extension ScriptContext {
    /// Makes the globals of `configuration` available.
    func installFeatures() throws(ScriptError) {
        let define = try evaluate(Self.define, name: "alcove:features")
        for (option, feature) in Self.features where configuration.features.contains(option) {
            let load = try function("load") { arguments in try feature.make(in: arguments.context) }
            try define.call(feature.names, load)
        }
    }

    private static let features: [(ScriptFeatures, Feature)] = [
        ([], .exceptions), (.console, .console), (.timers, .timers), (.text, .text), (.text, .base64),
        (.cloning, .cloning), (.performance, .performance), (.crypto, .crypto), (.url, .url),
    ]

    private static let define = """
        (function (names, load) {
            const set = (name, value) => Object.defineProperty(
                globalThis, name, { value, writable: true, configurable: true, enumerable: false });
            let made;
            for (const name of names) {
                Object.defineProperty(globalThis, name, {
                    get() {
                        made ??= load();
                        set(name, made[name]);
                        return made[name];
                    },
                    set(value) { set(name, value); },
                    configurable: true, enumerable: false,
                });
            }
        })
        """
}
