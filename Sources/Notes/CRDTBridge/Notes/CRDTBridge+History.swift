public import RichText
internal import ScriptEngine

/// A stretch of a text node that one client wrote.
public struct AuthoredText: Hashable, Sendable {
    /// Where the text node is.
    public var path: RichText.Path
    /// UTF-16 code units.
    public var range: Range<Int>
    /// See ``CRDTBridge/clients(in:)``.
    public var client: UInt64
}

extension CRDTBridge {
    /// The content that these updates make by themselves: a note as it was. No document is opened. Updates that cannot be
    /// applied are left out.
    public func tree(of updates: [[UInt8]]) throws(CRDTError) -> RichText {
        let sound = updates.filter { (try? check($0)) != nil }
        return try document(try call(.treeOf, UpdatePack(sound)), of: Self.loose)
    }

    /// Who wrote which part of the text, in the order of the document.
    public func authors(of id: String) throws(CRDTError) -> [AuthoredText] {
        var json = try json(try call(.authors, on: id), of: id)
        var stretches: [AuthoredText] = []
        try read(id) { () throws(JSONCursor.Malformed) in
            try json.array { cursor throws(JSONCursor.Malformed) in
                try cursor.expect("[")
                var path: RichText.Path = []
                try cursor.array { cursor throws(JSONCursor.Malformed) in path.append(try cursor.integer()) }
                var start = 0
                while cursor.take(",") {
                    let end = start + (try cursor.integer())
                    try cursor.expect(",")
                    let client = UInt64(try cursor.integer())
                    stretches.append(AuthoredText(path: path, range: start..<end, client: client))
                    start = end
                }
                try cursor.expect("]")
            }
        }
        return stretches
    }
}

extension JSONCursor {
    /// A whole number that is not negative.
    mutating func integer() throws(Malformed) -> Int {
        guard let integer = Int(exactly: try number()), integer >= 0, integer < 1 << 53 else { throw Malformed() }
        return integer
    }
}
