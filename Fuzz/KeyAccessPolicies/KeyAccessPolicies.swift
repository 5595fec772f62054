import KeyAccess
import Wire

/// Reads any bytes as the policy of a file and as the policy file of a service. What is accepted was understood whole: with a
/// member more, or with one twice, it is refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeyAccessPolicies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let policy = try? DataPolicy(bytes), !bytes.isEmpty {
        check(policy, bytes)
        for altered in altered(bytes) {
            precondition((try? DataPolicy(altered)) == nil, "a policy with more to it was obeyed")
        }
    }
    if (try? AccessPolicy(file: bytes)) != nil {
        for altered in altered(bytes) {
            precondition((try? AccessPolicy(file: altered)) == nil, "a policy file with more to it was used")
        }
    }
    return 0
}

/// What is demanded is all that stands there.
private func check(_ policy: DataPolicy, _ bytes: [UInt8]) {
    guard let object = try? JSONValue(bytes).object, let body = object["body"]?.object else {
        preconditionFailure("a policy without a body was obeyed")
    }
    precondition(length(body["dataAttributes"]) == policy.attributes.count, "attributes were lost")
    precondition(length(body["dissem"]) == policy.dissemination.count, "readers were lost")
    precondition(policy.attributes.count <= DataPolicy.countLimit, "more attributes than the limit")
}

private func length(_ list: JSONValue?) -> Int? {
    switch list {
    case .array(let elements): elements.count
    case .null: 0
    default: nil
    }
}

/// The same text with one member more, or one twice, in each of its objects in turn.
private func altered(_ bytes: [UInt8]) -> [[UInt8]] {
    guard let value = try? JSONValue(bytes) else { return [] }
    return variants(of: value).prefix(64).map { Array($0.text.utf8) }
}

private func variants(of value: JSONValue) -> [JSONValue] {
    switch value {
    case .array(let elements):
        return elements.indices.flatMap { place in
            variants(of: elements[place]).map { variant in
                var elements = elements
                elements[place] = variant
                return .array(elements)
            }
        }
    case .object(let object):
        var all: [JSONValue] = []
        // Callers have names of their own, so a name more there is a caller more.
        let more = JSONObject.Member(name: "\u{1}more", value: 1)
        for extra in [more, object.members.first].compactMap(\.self) {
            var object = object
            object.append(extra.name, extra.value)
            all.append(.object(object))
        }
        for place in object.members.indices {
            for variant in variants(of: object.members[place].value) {
                var copy = JSONObject()
                for (index, member) in object.members.enumerated() {
                    copy.append(member.name, index == place ? variant : member.value)
                }
                all.append(.object(copy))
            }
        }
        return all
    default: return []
    }
}
