extension JSONWriter {
    /// The keys that a container of this type writes.
    static func keepsKeys(_ type: any CodingKey.Type) -> Bool { ObjectIdentifier(type) == DictionaryKey.identity }

    /// `sentAt` as `sent_at`, `serverURL` as `server_url`: an underscore before every word, a run of capitals being one.
    static func snakeCase(_ name: String) -> String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard name.utf8.dropFirst().contains(where: capitals.contains) else { return name }
        let letters = Array(name.utf8)
        var result: [UInt8] = []
        for (index, letter) in letters.enumerated() {
            guard capitals.contains(letter) else {
                result.append(letter)
                continue
            }
            let startsWord =
                index == 1
                || index > 1
                    && (!capitals.contains(letters[index - 1])
                        || (index + 1 < letters.count && !capitals.contains(letters[index + 1])))
            if startsWord { result.append(UInt8(ascii: "_")) }
            result.append(letter | 0x20)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The type of the keys of a `[String: Value]`: such keys are content, and stay as they are.
private enum DictionaryKey {
    static let identity: ObjectIdentifier = {
        let probe = Probe()
        try? [String: Int]().encode(to: probe)
        return probe.seen ?? ObjectIdentifier(Probe.self)
    }()

    private final class Probe: Encoder {
        var seen: ObjectIdentifier?
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            seen = ObjectIdentifier(type)
            // Not `container(keyedBy:)` of a writer, which asks for this very answer.
            return KeyedEncodingContainer(JSONObjectContainer<Key>(writer: JSONWriter(), keepsKeys: true))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONWriter().unkeyedContainer() }
        func singleValueContainer() -> any SingleValueEncodingContainer { JSONWriter().singleValueContainer() }
    }
}
