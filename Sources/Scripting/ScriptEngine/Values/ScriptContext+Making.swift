internal import CJavaScriptCore
internal import Platform

extension ScriptContext {
    /// JavaScript's `undefined`.
    public var undefined: ScriptValue {
        get throws(ScriptError) { ScriptValue(immediate: JSValueMakeUndefined(try open()), in: self) }
    }

    /// A new object.
    public func object(_ properties: [String: any ScriptConvertible] = [:]) throws(ScriptError) -> ScriptValue {
        let object = ScriptValue(JSObjectMake(try open(), nil, nil), in: self)
        for (name, value) in properties { try object.setProperty(name, value) }
        return object
    }

    /// A new array.
    public func array(_ elements: [ScriptValue]) throws(ScriptError) -> ScriptValue {
        var references: [JSValueRef?] = []
        for element in elements { references.append(try reference(of: element)) }
        let array = try call { engine, exception in
            references.withUnsafeBufferPointer { JSObjectMakeArray(engine, $0.count, $0.baseAddress, exception) }
        }
        return withExtendedLifetime(elements) { ScriptValue(array, in: self) }
    }

    /// A new `Uint8Array` with a copy of `bytes`.
    public func bytes(_ bytes: [UInt8]) throws(ScriptError) -> ScriptValue {
        try self.bytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// A new `Uint8Array` over memory that `fill` writes, without copying. The memory is zero before.
    public func bytes(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(ScriptError) -> Void
    ) throws(ScriptError) -> ScriptValue {
        // It is the only reference, and `free` may be called on any thread.
        nonisolated(unsafe) let memory = calloc(max(1, count), 1)
        guard memory != nil else {
            throw ScriptError(.outOfMemory, "there is no memory for \(count) bytes")
        }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: count)
        do {
            try fill(buffer)
        } catch {
            free(memory)
            throw error
        }
        return try bytes(noCopy: buffer) { free(memory) }
    }

    /// A new `Uint8Array` over existing memory, without copying. Scripts may write to it.
    ///
    /// - Parameters:
    ///   - buffer: the memory. It must stay until `release` is called.
    ///   - release: called on any thread when no script can reach the memory any more, also if this fails.
    public func bytes(
        noCopy buffer: UnsafeMutableRawBufferPointer, release: @escaping @Sendable () -> Void
    ) throws(ScriptError) -> ScriptValue {
        let owner = Unmanaged.passRetained(MemoryOwner(release))
        guard !isClosed else {
            owner.release()
            throw ScriptError(.closed, "the script context was closed")
        }
        let array = try call { engine, exception in
            JSObjectMakeTypedArrayWithBytesNoCopy(
                engine, kJSTypedArrayTypeUint8Array, buffer.baseAddress, buffer.count,
                { _, owner in
                    guard let owner else { return }
                    Unmanaged<MemoryOwner>.fromOpaque(owner).release()
                }, owner.toOpaque(), exception)
        }
        return ScriptValue(array, in: self)
    }
}

/// Calls `release` when it is deallocated.
private final class MemoryOwner: Sendable {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}
