internal import CJavaScriptCore

extension ScriptValue {
    /// Whether this is a typed array or an `ArrayBuffer`.
    public var isBytes: Bool {
        get throws(ScriptError) {
            JSValueGetTypedArrayType(try context.open(), reference, nil) != kJSTypedArrayTypeNone
        }
    }

    /// A copy of the bytes of a typed array of any type, or of an `ArrayBuffer`.
    public var bytes: [UInt8] {
        get throws(ScriptError) { try withBytes { span in [UInt8](copying: span) } }
    }

    /// Gives access to the bytes of a typed array of any type, or of an `ArrayBuffer`, without copying.
    ///
    /// - Parameter body: must not call the script, which could free the memory.
    public func withBytes<Result>(_ body: (RawSpan) throws(ScriptError) -> Result) throws(ScriptError) -> Result {
        let buffer = try context.bytes(at: reference)
        return try withExtendedLifetime(self) { () throws(ScriptError) in try body(UnsafeRawBufferPointer(buffer).bytes)
        }
    }

    /// Like ``withBytes(_:)``, for writing.
    public func withMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws(ScriptError) -> Result
    ) throws(ScriptError) -> Result {
        let buffer = try context.bytes(at: reference)
        return try withExtendedLifetime(self) { () throws(ScriptError) in try body(buffer) }
    }
}

extension ScriptContext {
    /// The current address of the bytes of a typed array or a buffer.
    func bytes(at reference: JSValueRef?) throws(ScriptError) -> UnsafeMutableRawBufferPointer {
        let type = JSValueGetTypedArrayType(try open(), reference, nil)
        guard type != kJSTypedArrayTypeNone else {
            throw ScriptError(.wrongType, "the value is not a typed array", name: "TypeError")
        }
        let bytes: UnsafeMutableRawBufferPointer
        if type == kJSTypedArrayTypeArrayBuffer {
            bytes = try call { engine, exception in
                UnsafeMutableRawBufferPointer(
                    start: JSObjectGetArrayBufferBytesPtr(engine, reference, exception),
                    count: JSObjectGetArrayBufferByteLength(engine, reference, exception))
            }
        } else {
            bytes = try call { engine, exception in
                // The pointer is that of the whole buffer.
                let start = JSObjectGetTypedArrayBytesPtr(engine, reference, exception)
                return UnsafeMutableRawBufferPointer(
                    start: start?.advanced(by: JSObjectGetTypedArrayByteOffset(engine, reference, exception)),
                    count: start == nil ? 0 : JSObjectGetTypedArrayByteLength(engine, reference, exception))
            }
        }
        if bytes.isEmpty, try isDetached(reference, type) {
            throw ScriptError(.detached, "the memory of the typed array was given away", name: "TypeError")
        }
        return bytes
    }

    private func isDetached(_ reference: JSValueRef?, _ type: JSTypedArrayType) throws(ScriptError) -> Bool {
        let buffer = try call { engine, exception in
            type == kJSTypedArrayTypeArrayBuffer
                ? reference : JSObjectGetTypedArrayBuffer(engine, reference, exception)
        }
        return try ScriptValue(buffer, in: self).property("detached").bool
    }
}

extension [UInt8] {
    fileprivate init(copying span: RawSpan) {
        self = span.withUnsafeBytes { Array($0) }
    }
}
