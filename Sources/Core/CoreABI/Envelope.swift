import AppCore
import Platform

/// The one form of every answer: what `alcove_core.h` calls the envelope.
enum Envelope {
    /// - Parameter result: JSON.
    static func success(_ result: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        copied(#"{"ok":true,"result":"#, result)
    }

    static func failure(_ error: CallError) -> UnsafeMutablePointer<CChar>? {
        let error = (try? JSON.encode(error)) ?? Array(#"{"code":"internal","message":""}"#.utf8)
        return copied(#"{"ok":false,"error":"#, error)
    }

    /// A C string for the host to free; `nil` if there is no memory for it.
    private static func copied(_ opening: String, _ body: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        let pieces: [[UInt8]] = [Array(opening.utf8), body, Array("}\0".utf8)]
        let count = pieces.reduce(0) { $0 + $1.count }
        guard let memory = malloc(count) else { return nil }
        let target = UnsafeMutableRawBufferPointer(start: memory, count: count)
        var start = 0
        for piece in pieces {
            UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyBytes(from: piece)
            start += piece.count
        }
        return memory.assumingMemoryBound(to: CChar.self)
    }
}
