import Rendezvous
import Synchronization

/// Sends requests with any bodies, line by line; the first byte of a line chooses the route. Every answer must have a
/// status of the protocol, and a failure of the store is none that a body may cause.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPBodies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    shared.withLock { server in
        guard var offline = server else { preconditionFailure("the store cannot be made") }
        ask(&offline, input)
        server = offline
    }
    return 0
}

private let shared = Mutex(try? OfflineRendezvous())

private func ask(_ server: inout OfflineRendezvous, _ input: [UInt8]) {
    guard (try? server.reset()) != nil else { preconditionFailure("the store cannot be emptied") }
    for line in input.split(separator: 0x0a) {
        guard let first = line.first else { continue }
        let (method, path) = routes[Int(first) % routes.count]
        let (status, body) = server.request(method, path, body: Array(line.dropFirst()))
        precondition([200, 201, 204, 400, 403, 404, 409, 500].contains(status), "status \(status)")
        let isTaken = body.elementsEqual(#"{"error":"create_failed"}"#.utf8)
        precondition(status != 500 || isTaken, "the store failed")
        server.now += 20_000
    }
}

private let routes = [
    ("POST", "/api/rooms"), ("POST", "/api/rooms/accept"), ("POST", "/api/rooms/check"), ("GET", "/api/rooms"),
    ("DELETE", "/api/rooms"), ("POST", "/api/user/purge"),
]
