internal import ScriptEngine

/// Updates in one piece of memory, each behind its length as a little-endian 32-bit number, so that ten thousand of them
/// are one value for the script.
struct UpdatePack: ScriptConvertible {
    private let updates: [[UInt8]]
    let size: Int

    init(_ updates: some Sequence<[UInt8]>) {
        self.updates = Array(updates)
        size = self.updates.reduce(0) { $0 + 4 + $1.count }
    }

    func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        try context.bytes(count: size) { memory throws(ScriptError) in
            var position = 0
            for update in updates {
                memory.storeBytes(
                    of: UInt32(truncatingIfNeeded: update.count).littleEndian, toByteOffset: position, as: UInt32.self)
                position += 4
                UnsafeMutableRawBufferPointer(rebasing: memory[position...]).copyBytes(from: update)
                position += update.count
            }
        }
    }
}
