internal import CJavaScriptCore

/// The memory of a context's heap, as JavaScriptCore counts it. Sizes are in bytes.
public struct ScriptMemory: Hashable, Sendable {
    /// Live objects, and garbage that was not collected yet.
    public var heapSize: Int
    /// Memory that the heap has taken from the system.
    public var heapCapacity: Int
    /// Memory outside the heap that belongs to objects, such as the bytes of typed arrays.
    public var extraSize: Int
    /// Live objects at the last collection of garbage.
    public var objects: Int
    /// Objects that Swift holds.
    public var protectedObjects: Int
}

extension ScriptContext {
    /// The current figures. Call ``collectGarbage()`` before, to count only live objects.
    public var memory: ScriptMemory {
        get throws(ScriptError) {
            let figures = ScriptValue(JSGetMemoryUsageStatistics(try open()), in: self)
            let read = { (name: String) throws(ScriptError) in try figures.property(name).integer }
            return ScriptMemory(
                heapSize: try read("heapSize"), heapCapacity: try read("heapCapacity"),
                extraSize: try read("extraMemorySize"), objects: try read("objectCount"),
                protectedObjects: try read("protectedObjectCount"))
        }
    }
}
