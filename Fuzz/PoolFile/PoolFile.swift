import Foundation
import Storage

private let path = NSTemporaryDirectory() + "alcove-fuzz-\(UUID().uuidString)"

/// Opens any bytes as a file of slots. What opens has exactly the slots that it says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPoolFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    guard (try? bytes.write(to: URL(fileURLWithPath: path))) != nil, let slots = try? SlotFile(at: path) else {
        return 0
    }
    precondition((slots.count + 1) * SlotFile.slotByteCount == count, "the file has other slots than it says")
    guard (try? slots.read(slots.count - 1)) != nil, (try? slots.erase(0)) != nil else {
        preconditionFailure("a slot is not there")
    }
    precondition((try? slots.read(slots.count)) == nil && (try? slots.read(-1)) == nil, "a slot lies outside")
    return 0
}
