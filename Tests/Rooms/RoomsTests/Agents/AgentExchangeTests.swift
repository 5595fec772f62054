import Testing

@testable import Rooms

/// The channel of agents of a room: what waits, and for how long.
@Suite struct AgentExchangeTests {
    private static func reports(_ reports: RoomReports) -> [String] {
        var all: [String] = []
        while let report = reports.take() {
            switch report {
            case .agentChannel(_, let isOpen): all.append(isOpen ? "open" : "closed")
            case .agentMessage(_, let bytes): all.append("\(bytes.count)")
            default: all.append("other")
            }
        }
        return all
    }

    @Test func `what comes before the hello waits for it, and not without end`() {
        let reports = RoomReports()
        var exchange = AgentExchange(room: "r", report: reports)
        for count in 1...100 { exchange.received(Array(repeating: 1, count: count)) }
        #expect(Self.reports(reports).isEmpty)
        exchange.greeted(knowsAgents: true)
        #expect(Self.reports(reports) == ["open"] + (1...AgentChannelLimits.early).map(String.init))
        // A hello that comes again begins anew, and so does another connection.
        exchange.greeted(knowsAgents: true)
        #expect(Self.reports(reports) == ["closed", "open"])
        exchange.disconnected()
        #expect(Self.reports(reports) == ["closed"])
        exchange.greeted(knowsAgents: false)
        #expect(Self.reports(reports).isEmpty && !exchange.isOpen)
        let isTaken = exchange.send([[1]])
        #expect(!isTaken)
    }

    @Test func `more than the owner takes closes the channel until the next connection`() {
        let reports = RoomReports()
        var exchange = AgentExchange(room: "r", report: reports)
        exchange.greeted(knowsAgents: true)
        let message = [UInt8](repeating: 1, count: 32 << 10)
        for _ in 0..<1000 { exchange.received(message) }
        #expect(reports.agentBytes("r") <= AgentChannelLimits.waiting)
        #expect(Self.reports(reports).last == "closed")
        #expect(reports.agentBytes("r") == 0)
        exchange.received(message)
        #expect(Self.reports(reports).isEmpty)
        exchange.disconnected()
        exchange.greeted(knowsAgents: true)
        exchange.received(message)
        #expect(Self.reports(reports) == ["open", "\(message.count)"])
    }

    @Test func `hellos without end open the channel so often only`() {
        let reports = RoomReports()
        var exchange = AgentExchange(room: "r", report: reports)
        for _ in 0..<1000 { exchange.greeted(knowsAgents: true) }
        #expect(Self.reports(reports).count { $0 == "open" } == AgentChannelLimits.hellos)
        exchange.disconnected()
        exchange.greeted(knowsAgents: true)
        #expect(Self.reports(reports) == ["open"])
    }

    @Test func `what waits to be sent is bounded, and goes in order`() {
        var exchange = AgentExchange(room: "r", report: RoomReports())
        exchange.greeted(knowsAgents: true)
        var taken = 0
        for number in 0..<2000 where exchange.send([[UInt8](repeating: UInt8(number & 255), count: 32 << 10)]) {
            taken += 1
        }
        #expect(taken == AgentChannelLimits.queue / (32 << 10))
        var number = 0
        while let next = exchange.next {
            #expect(next[0] == UInt8(number & 255))
            exchange.sent()
            number += 1
        }
        #expect(number == taken)
        let hasRoom = exchange.send([[1]])
        #expect(hasRoom)
    }
}
