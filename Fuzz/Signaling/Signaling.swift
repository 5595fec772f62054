import Rendezvous
import Synchronization

/// Lets two parties of a room and a stranger say anything, line by line. The first byte of a line chooses who speaks,
/// goes, or comes back. The stranger, who has no ticket, must never hear what the two say, whatever is said.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSignaling(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    shared.withLock { server in
        guard var offline = server else { preconditionFailure("the store cannot be made") }
        talk(&offline, input)
        server = offline
    }
    return 0
}

private let shared = Mutex(try? OfflineRendezvous())

private func talk(_ server: inout OfflineRendezvous, _ input: [UInt8]) {
    guard (try? server.reset()) != nil else { preconditionFailure("the store cannot be emptied") }
    let anna = ticket(server.request("POST", "/api/rooms", body: Array(create.utf8)).body)
    let bert = ticket(server.request("POST", "/api/rooms/accept", body: Array(accept.utf8)).body)
    let entrances = [
        #"{"type":"join_room","roomId":"room 2","deviceId":"anna","ticket":"\#(anna)"}"#,
        #"{"type":"join_room","roomId":"room 2","deviceId":"bert","ticket":"\#(bert)"}"#,
        #"{"type":"join_room","roomId":"room 2","deviceId":"bert"}"#,
    ]
    for socket in 0..<3 { enter(socket) }
    precondition(server.messages(to: 0).contains { $0.contains("room_ready") }, "the two did not meet")

    func enter(_ socket: Int) {
        server.open(UInt64(socket))
        server.receive(entrances[socket], from: UInt64(socket))
    }

    for line in input.split(separator: 0x0a) {
        guard let first = line.first.map(Int.init) else { continue }
        let socket = first % 3
        switch first / 3 % 8 {
        case 0:
            server.close(UInt64(socket))
            enter(socket)
        case 1: server.now += 30_000
        default: server.receive(String(decoding: line.dropFirst(), as: UTF8.self), from: UInt64(socket))
        }
    }
    for message in server.messages(to: 2) {
        precondition(!message.contains(#","from":"client "#), "a stranger was passed a message")
    }
}

private let create = #"{"joinid":"482913","client1":"anna","expiresInSeconds":60,"ticket":true}"#
private let accept = #"{"joinid":"482913","client2":"bert","ticket":true}"#

/// The ticket is the last member of an answer.
private func ticket(_ answer: [UInt8]) -> String {
    let text = String(decoding: answer, as: UTF8.self)
    return String(text.dropLast(2).suffix(43))
}
