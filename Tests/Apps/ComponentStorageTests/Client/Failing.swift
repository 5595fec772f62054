import Components
import Testing
import Wire

/// What a call throws, as `CODE flag flag` (of code and flags that are set); nil if it throws nothing.
func failure(_ call: () async throws -> some Any) async throws -> String? {
    do {
        _ = try await call()
        return nil
    } catch let exception as RuntimeException {
        let flags = exception.fields.members.filter { $0.value == .bool(true) }.map(\.name)
        return ([exception.fields["code"]?.string].compactMap(\.self) + flags).joined(separator: " ")
    }
}

/// What a call throws, whole.
func exception(of call: () async throws -> some Any) async throws -> RuntimeException {
    do {
        _ = try await call()
    } catch let exception as RuntimeException {
        return exception
    }
    throw ThrewNothing()
}

struct ThrewNothing: Error {}
