import ComponentRuntime
import Sandbox
import Wire

/// Takes any bytes for what a confined component says over its socket, in pieces, and for a recording.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfinedFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var buffer = FrameBuffer(limit: 1 << 16)
    let middle = bytes.count / 2
    for piece in [bytes[..<middle], bytes[middle...]] {
        piece.withUnsafeBytes { buffer.append($0) }
        while let frame = try? buffer.next() {
            guard let read = try? ComponentFrame(decoding: frame) else { continue }
            let again = read.encoded
            guard (try? ComponentFrame(decoding: again[4...])) == read else { fatalError("a frame changes on its way") }
        }
    }
    _ = try? ComponentRecording(bytes)
    return 0
}
