import AgentProtocols
import Wire

/// Reads any bytes as a line between a host process and the supervisor of an agent. What is understood is written and read again, and nothing may be lost.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSupervisorLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let wish = try? SupervisorWish(bytes) {
        precondition((try? SupervisorWish(wish.line)) == wish, "a wish is lost")
        precondition(!wish.line.contains(UInt8(ascii: "\n")), "a wish is two lines")
    }
    if let report = try? SupervisorReport(bytes) {
        precondition((try? SupervisorReport(report.line)) == report, "a report is lost")
        precondition(!report.line.contains(UInt8(ascii: "\n")), "a report is two lines")
    }
    return 0
}
