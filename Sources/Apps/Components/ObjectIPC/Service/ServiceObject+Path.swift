extension ServiceObject {
    /// The object at names below this one.
    func object(at names: ArraySlice<String>) -> ServiceObject? {
        var object = self
        for name in names {
            guard let member = object.members[name] else { return nil }
            object = member
        }
        return object
    }

    /// The function at names below this one; without names it is the object itself that is called.
    func function(at names: ArraySlice<String>) -> ServiceFunction? {
        guard let last = names.last else { return call }
        guard let object = object(at: names.dropLast()) else { return nil }
        return object.functions[last] ?? object.members[last]?.call
    }
}
