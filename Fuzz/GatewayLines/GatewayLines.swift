import AgentProtocols
import Wire

/// Reads any bytes as lines of a gateway, of its clients, and as what lets a device in. What is understood is written and read again, and nothing may be lost.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGatewayLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
        if let request = try? GatewayRequest(line) {
            precondition((try? GatewayRequest(request.text.utf8)) == request, "a request is lost")
        }
        if let event = try? GatewayEvent(line) {
            precondition((try? GatewayEvent(event.text.utf8)) == event, "an event is lost")
            understand(event)
        }
        if let asked = try? GatewayPairRequest(line) {
            precondition((try? GatewayPairRequest(asked.body)) == asked, "a request to be let in is lost")
        }
        if let answer = try? GatewayPairAnswer(line) {
            precondition((try? GatewayPairAnswer(answer.body)) == answer, "an answer is lost")
        }
        guard let text = String(validating: line, as: UTF8.self), let invitation = try? GatewayInvitation(text) else {
            continue
        }
        precondition((try? GatewayInvitation(invitation.text)) == invitation, "an address is lost")
    }
    return 0
}

private func understand(_ event: GatewayEvent) {
    guard let history = GatewayHistory(event) else { return }
    let own = GatewayHistory.event(
        id: event.id ?? 0, session: history.session, messages: history.messages,
        isProcessing: history.isProcessing ?? false,
        sessions: [], version: "1")
    guard let written = try? GatewayEvent(own.text.utf8) else { fatalError("a history that was written is not read") }
    precondition(GatewayHistory(written)?.messages == history.messages, "a message is lost")
}
