import AppCore
import Host

/// Reads bytes as a frame of a client and as a frame of the host: what can be read is written as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAttachFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let line = Array(UnsafeBufferPointer(start: start, count: count))
    if let frame = try? AttachLine.decode(ClientFrame.self, from: line) {
        let again = try? AttachLine.decode(ClientFrame.self, from: AttachLine.encode(frame))
        precondition(again == frame, "a client's frame is written as another one")
    }
    guard let frame = try? AttachLine.decode(HostFrame.self, from: line) else { return 0 }
    let written = AttachLine.encode(frame)
    guard let again = try? AttachLine.decode(HostFrame.self, from: written) else {
        preconditionFailure("a frame of the host cannot be read again")
    }
    precondition(AttachLine.encode(again) == written, "a frame of the host is written as another one")
    // A client follows whatever a host says.
    guard case .patch(_, _, let removed, let placed, let updated) = frame else { return 0 }
    var tree = SemanticNode(.screen, "root", [SemanticNode(.list, "list", [SemanticNode(.item, "a")])])
    tree.apply(removed: removed ?? [], placed: placed ?? [], updated: updated ?? [])
    return 0
}
