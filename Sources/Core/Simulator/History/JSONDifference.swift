import AppCore

/// One place in which two JSON values differ.
struct JSONChange: Sendable, Hashable, Codable {
    /// `rooms.0.room.status`; empty for the whole.
    var path: String
    /// `nil` where there was nothing.
    var from: JSONValue?
    /// `nil` where there is nothing any more.
    var to: JSONValue?
}

extension JSONValue {
    /// Every place in which `other` differs from this value, in the order of the paths.
    func changes(to other: JSONValue, at path: String = "") -> [JSONChange] {
        if self == other { return [] }
        let place = { (key: String) in path.isEmpty ? key : "\(path).\(key)" }
        switch (self, other) {
        case (.object(let old), .object(let new)):
            return Set(old.keys).union(new.keys).sorted().flatMap { key -> [JSONChange] in
                guard let before = old[key], let after = new[key] else {
                    return [JSONChange(path: place(key), from: old[key], to: new[key])]
                }
                return before.changes(to: after, at: place(key))
            }
        case (.array(let old), .array(let new)):
            return (0..<max(old.count, new.count)).flatMap { index -> [JSONChange] in
                guard old.indices.contains(index), new.indices.contains(index) else {
                    let before = old.indices.contains(index) ? old[index] : nil
                    let after = new.indices.contains(index) ? new[index] : nil
                    return [JSONChange(path: place("\(index)"), from: before, to: after)]
                }
                return old[index].changes(to: new[index], at: place("\(index)"))
            }
        default: return [JSONChange(path: path, from: self, to: other)]
        }
    }
}

extension JSONChange: CustomStringConvertible {
    var description: String {
        let show = { (value: JSONValue?) in value.map { String($0.text.prefix(200)) } ?? "nothing" }
        return "\(path.isEmpty ? "it" : path) was \(show(from)) and is \(show(to))"
    }
}
