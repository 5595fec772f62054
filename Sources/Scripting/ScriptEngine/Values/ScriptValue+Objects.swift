internal import CJavaScriptCore

extension ScriptValue {
    /// A property; `undefined` if there is none. May run a getter.
    public func property(_ name: String) throws(ScriptError) -> ScriptValue {
        let object = try object
        let key = scriptString(name)
        defer { JSStringRelease(key) }
        return ScriptValue(
            try context.call { engine, exception in JSObjectGetProperty(engine, object, key, exception) }, in: context)
    }

    /// An element of an array.
    public func element(_ index: Int) throws(ScriptError) -> ScriptValue {
        let object = try object
        guard let index = UInt32(exactly: index) else { throw wrongType("an array with that many elements") }
        return ScriptValue(
            try context.call { engine, exception in JSObjectGetPropertyAtIndex(engine, object, index, exception) },
            in: context)
    }

    /// Sets a property. May run a setter.
    public func setProperty(_ name: String, _ value: any ScriptConvertible) throws(ScriptError) {
        let object = try object
        let value = try value.scriptValue(in: context)
        let reference = try reference(of: value)
        let key = scriptString(name)
        defer { JSStringRelease(key) }
        try context.call { engine, exception in
            JSObjectSetProperty(
                engine, object, key, reference, JSPropertyAttributes(kJSPropertyAttributeNone), exception)
        }
    }

    /// Whether this can be called.
    public var isFunction: Bool {
        get throws(ScriptError) {
            let engine = try context.open()
            return JSValueIsObject(engine, reference) && JSObjectIsFunction(engine, reference)
        }
    }

    /// Whether this is an object, which functions and arrays are too.
    public var isObject: Bool {
        get throws(ScriptError) { JSValueIsObject(try context.open(), reference) }
    }

    /// Whether this is an array.
    public var isArray: Bool {
        get throws(ScriptError) { JSValueIsArray(try context.open(), reference) }
    }

    /// Calls this function, with `this` as undefined, and then the promise reactions that are due.
    @discardableResult
    public func call(_ arguments: any ScriptConvertible...) throws(ScriptError) -> ScriptValue {
        try call(this: nil, arguments: arguments)
    }

    /// Calls the function that is the property `name`, with this value as `this`.
    @discardableResult
    public func callMethod(_ name: String, _ arguments: any ScriptConvertible...) throws(ScriptError) -> ScriptValue {
        let method = try property(name)
        guard try method.isFunction else {
            throw ScriptError(.notAFunction, "\(name) is not a function", name: "TypeError")
        }
        return try method.call(this: self, arguments: arguments)
    }

    /// Calls this function.
    @discardableResult
    public func call(this: ScriptValue?, arguments: [any ScriptConvertible]) throws(ScriptError) -> ScriptValue {
        var receiver: JSValueRef?
        if let this { receiver = try reference(of: this) }
        let isObject = try isObject
        return try withReferences(arguments) { engine, references, exception in
            guard isObject else { return nil }
            return JSObjectCallAsFunction(
                engine, reference, receiver, references.count, references.baseAddress, exception)
        }
    }

    /// `new value(arguments)`
    public func construct(_ arguments: any ScriptConvertible...) throws(ScriptError) -> ScriptValue {
        let engine = try context.open()
        guard JSValueIsObject(engine, reference), JSObjectIsConstructor(engine, reference) else {
            throw ScriptError(.notAFunction, "the value is not a constructor", name: "TypeError")
        }
        return try withReferences(arguments) { engine, references, exception in
            JSObjectCallAsConstructor(engine, reference, references.count, references.baseAddress, exception)
        }
    }

    private func withReferences(
        _ arguments: [any ScriptConvertible],
        _ body: (JSContextRef, UnsafeBufferPointer<JSValueRef?>, UnsafeMutablePointer<JSValueRef?>) -> JSValueRef?
    ) throws(ScriptError) -> ScriptValue {
        // The values keep the objects of the call's plain references alive.
        var values: [ScriptValue] = []
        var references: [JSValueRef?] = []
        references.reserveCapacity(arguments.count)
        for argument in arguments {
            let value = try argument.scriptValue(in: context)
            if value.isHeld { values.append(value) }
            references.append(try reference(of: value))
        }
        let result = try context.call { engine, exception in
            references.withUnsafeBufferPointer { body(engine, $0, exception) }
        }
        // The engine returns no value only if the value is not callable.
        guard let result else { throw ScriptError(.notAFunction, "the value is not a function", name: "TypeError") }
        return withExtendedLifetime(values) { ScriptValue(result, in: context) }
    }

    fileprivate var object: JSObjectRef? {
        get throws(ScriptError) {
            guard JSValueIsObject(try context.open(), reference) else { throw wrongType("an object") }
            return reference
        }
    }
}

extension ScriptValue {
    /// The names of the enumerable properties, those of the prototypes included.
    public var propertyNames: [String] {
        get throws(ScriptError) {
            let object = try object
            let names = try context.call { engine, _ in JSObjectCopyPropertyNames(engine, object) }
            guard let names else { return [] }
            defer { JSPropertyNameArrayRelease(names) }
            return (0..<JSPropertyNameArrayGetCount(names)).compactMap { index in
                JSPropertyNameArrayGetNameAtIndex(names, index).map { swiftString($0) }
            }
        }
    }
}
