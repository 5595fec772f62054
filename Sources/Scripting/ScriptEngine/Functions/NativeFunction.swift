internal import CJavaScriptCore

extension ScriptContext {
    /// A JavaScript function that runs `body`. The script catches its errors as `Error`.
    public func function(
        _ name: String, _ body: @escaping (ScriptArguments) throws -> any ScriptConvertible
    ) throws(ScriptError) -> ScriptValue {
        let engine = try open()
        let function = Unmanaged.passRetained(NativeFunction(context: self, body))
        guard let object = JSObjectMake(engine, NativeFunction.type, function.toOpaque()) else {
            function.release()
            throw ScriptError(.outOfMemory, "there is no memory for a function")
        }
        let value = ScriptValue(object, in: self)
        let key = scriptString("name")
        let text = scriptString(name)
        defer {
            JSStringRelease(key)
            JSStringRelease(text)
        }
        let attributes = JSPropertyAttributes(kJSPropertyAttributeReadOnly | kJSPropertyAttributeDontEnum)
        JSObjectSetProperty(engine, object, key, JSValueMakeString(engine, text), attributes, nil)
        // Last, because a function's prototype does not let names be set.
        JSObjectSetPrototype(engine, object, functionPrototype)
        return value
    }

    /// Makes a Swift function a global function of scripts.
    public func setFunction(
        _ name: String, _ body: @escaping (ScriptArguments) throws -> any ScriptConvertible
    ) throws(ScriptError) {
        try global.setProperty(name, function(name, body))
    }
}

/// The Swift side of a function object.
final class NativeFunction {
    private let slot: OpenContext
    private let runLoop: ScriptRunLoop
    private let body: (ScriptArguments) throws -> any ScriptConvertible

    init(context: ScriptContext, _ body: @escaping (ScriptArguments) throws -> any ScriptConvertible) {
        slot = context.slot
        runLoop = context.runLoop
        self.body = body
        LiveObjectCount.functions.enter()
    }

    deinit { LiveObjectCount.functions.leave() }

    /// The class of the function objects. Never changes and is never freed.
    nonisolated(unsafe) static let type: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
        definition.callAsFunction = { engine, function, receiver, count, arguments, exception in
            guard let engine, let box = JSObjectGetPrivate(function) else { return nil }
            let references = UnsafeBufferPointer(start: arguments, count: count)
            return Unmanaged<NativeFunction>.fromOpaque(box).takeUnretainedValue()
                .call(engine, receiver, references, exception)
        }
        definition.finalize = { function in
            guard let box = JSObjectGetPrivate(function) else { return }
            NativeFunction.release(Unmanaged.fromOpaque(box))
        }
        return JSClassCreate(&definition)
    }()

    private func call(
        _ engine: JSContextRef, _ receiver: JSValueRef?, _ references: UnsafeBufferPointer<JSValueRef?>,
        _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        guard let context = slot.context, !context.isClosed else { return JSValueMakeUndefined(engine) }
        let arguments = ScriptArguments(context: context, engine: engine, receiver: receiver, references: references)
        return context.callBack {
            do {
                let value = try body(arguments).scriptValue(in: context)
                return try context.reference(of: value)
            } catch {
                exception?.pointee = context.makeError(error, in: engine)
                return nil
            }
        }
    }

    /// The closure is released later: objects that it captured might call the garbage collector, which is running now.
    private static func release(_ function: Unmanaged<NativeFunction>) {
        let runLoop = function._withUnsafeGuaranteedRef { $0.runLoop }
        let abandoned = Abandoned(function: function)
        runLoop.post { abandoned.function.release() }
    }

    /// Unchecked: it is the last reference.
    private struct Abandoned: @unchecked Sendable {
        let function: Unmanaged<NativeFunction>
    }
}
