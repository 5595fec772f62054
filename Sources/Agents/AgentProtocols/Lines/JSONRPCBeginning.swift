internal import Wire

/// The beginning of a line of which no message can be made, because it is too long or breaks a limit.
///
/// Whoever asked waits for an answer, so the id of a request is looked for. It stands before the parameters in what the common libraries write.
package struct JSONRPCBeginning {
    /// The id, if the line begins like a request; nil for an answer, which is not answered, and where nothing can be made out.
    package private(set) var request: JSONRPCMessage.ID?

    package init(_ line: some Collection<UInt8>) {
        let line = line.prefix(LineSplitter.beginningBytes)
        var (depth, rest, isRequest, hasID) = (0, line[...], false, false)
        scan: while let byte = rest.first {
            rest = rest.dropFirst()
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                guard let name = Self.string(&rest) else { break scan }
                guard depth == 1, Self.skip(UInt8(ascii: ":"), &rest) else { continue }
                if name.elementsEqual("method".utf8) { isRequest = true }
                if name.elementsEqual("id".utf8) {
                    // With two ids nobody knows which one is meant.
                    request = hasID ? nil : Self.id(&rest)
                    hasID = true
                }
            default: break
            }
        }
        if !isRequest { request = nil }
    }

    /// What stands up to the end of a string that has begun; nil if it does not end.
    private static func string<Rest: Collection<UInt8>>(_ rest: inout Rest) -> Rest?
    where Rest.SubSequence == Rest {
        let all = rest
        var isEscaped = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "\""), !isEscaped {
                defer { rest = rest.dropFirst() }
                return all[..<rest.startIndex]
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Passes over blanks and one byte.
    /// - Returns: false if something else stands there.
    private static func skip<Rest: Collection<UInt8>>(_ wanted: UInt8, _ rest: inout Rest) -> Bool
    where Rest.SubSequence == Rest {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        guard rest.first == wanted else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func id<Rest: Collection<UInt8>>(_ rest: inout Rest) -> JSONRPCMessage.ID?
    where Rest.SubSequence == Rest {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        let value = rest
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            guard string(&rest) != nil else { return nil }
        } else {
            rest = rest.drop { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: " ") }
        }
        // What the beginning ends with may go on.
        guard !rest.isEmpty else { return nil }
        return JSONRPCMessage.ID(try? JSONValue(value[..<rest.startIndex]))
    }
}
