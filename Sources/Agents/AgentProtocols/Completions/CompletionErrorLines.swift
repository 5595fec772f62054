/// Older servers of llama.cpp tell in a line `error: {…}` that they failed. Server-sent events have no such field, and whoever reads them passes over
/// it. Here it becomes an event named `error`; all other bytes stay as they are.
package struct CompletionErrorLines: Sendable {
    private static let field = Array("error:".utf8)
    /// The empty line ends the event before, if there is one.
    private static let event = Array("\n\nevent: error\ndata:".utf8)

    /// How much of the field the line has so far; nil if it is another line.
    private var matched: Int? = 0

    package init() {}

    /// Takes bytes as they come in. Up to five that may be the beginning of the field are held back.
    package mutating func read(_ bytes: [UInt8]) -> [UInt8] {
        var read: [UInt8] = []
        read.reserveCapacity(bytes.count)
        for byte in bytes {
            guard let count = matched else {
                read.append(byte)
                if byte == 10 || byte == 13 { matched = 0 }
                continue
            }
            if byte != Self.field[count] {
                read += Self.field[..<count]
                read.append(byte)
                matched = byte == 10 || byte == 13 ? 0 : nil
            } else if count + 1 == Self.field.count {
                read += Self.event
                matched = nil
            } else {
                matched = count + 1
            }
        }
        return read
    }
}
