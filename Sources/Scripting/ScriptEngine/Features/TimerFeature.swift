internal import CJavaScriptCore

extension Feature {
    /// `setTimeout` and its family. A delay of 0 does not use a timer of the system.
    static let timers = Feature(
        names: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "queueMicrotask"],
        functions: [
            "set": { arguments in try arguments.context.setTimer(arguments) },
            "clear": { arguments in
                let context = arguments.context
                if let number = try? arguments.integer(0), let action = context.timers.remove(number) {
                    context.release(action)
                }
                return ScriptData.undefined
            },
        ],
        source: """
            (function ({ set, clear }) {
                const function_ = (callback) => {
                    if (typeof callback !== "function") throw new TypeError("The callback is not a function");
                    return callback;
                };
                const delay = (milliseconds) => {
                    const number = Math.trunc(Number(milliseconds));
                    // As in browsers, a delay that does not fit into 32 bits is 0.
                    return number > 0 && number < 2147483648 ? number : 0;
                };
                return {
                    setTimeout(callback, milliseconds, ...rest) {
                        return set(function_(callback), delay(milliseconds), false, ...rest);
                    },
                    setInterval(callback, milliseconds, ...rest) {
                        return set(function_(callback), delay(milliseconds), true, ...rest);
                    },
                    clearTimeout(number) { clear(number); },
                    clearInterval(number) { clear(number); },
                    queueMicrotask(callback) { Promise.resolve(function_(callback)).then((callback) => { callback(); }); },
                };
            })
            """)
}

extension ScriptContext {
    /// `set(callback, milliseconds, repeats, …arguments)`
    fileprivate func setTimer(_ arguments: ScriptArguments) throws(ScriptError) -> Int {
        guard timers.count < limits.timers else {
            throw ScriptError(.limit, "there are \(limits.timers) timers already", name: "RangeError")
        }
        let delay = Duration.milliseconds(try arguments.integer(1))
        let function = arguments.reference(0)
        let rest = Array(arguments.references.dropFirst(3))
        for reference in [function] + rest { JSValueProtect(arguments.engine, reference) }
        let interval = try arguments.bool(2) ? delay : nil
        return timers.add(after: delay, every: interval, .script(function: function, arguments: rest))
    }
}
