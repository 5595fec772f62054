import Foundation
import Networking
import Peers
import Platform
import Testing

/// The client itself, when the node that it is connected to dies, and others are there.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NodeLossTests {
    @Test func `a conversation goes on when the node of one side is killed, and nothing is lost or there twice`()
        async throws
    {
        let redis = try await RedisServer()
        let cluster = try await Cluster(nodes: 2, redis: redis.url)
        let ports = try (0..<2).map { UInt16(try cluster.url($0).port) }
        // Each in front of both nodes. As long as both live, Ada is at the one and Ben at the other.
        let gates = try [ports, ports.reversed()].map { try TCPGate(toFirstOf: $0) }
        defer { for gate in gates { gate.end() } }
        let fixture = try await RoomFixture()
        func chat(_ name: String, _ gate: Int, _ words: String) throws -> AlcoveProcess {
            try fixture.chat(name, [words, "--server", "http://127.0.0.1:\(gates[gate].port)"])
        }
        let ada = try chat("ada", 0, "--create")
        let code = try await RoomFixture.code(from: ada)
        let ben = try chat("ben", 1, code)
        for process in [ada, ben] { try await process.expect("Connected, verified") }
        ada.type("with both nodes")
        try await ben.expect("< with both nodes")
        try await cluster.killNode(0)
        ada.type("without her node")
        try await ben.expect("< without her node")
        // Now they need the node that is left: both have to come to it.
        ben.signal(SIGKILL)
        try await ben.exitCode()
        for text in ["into the void", "and once more"] { ada.type(text) }
        let back = try chat("ben", 1, String(code.prefix(6)))
        for text in ["into the void", "and once more"] { try await back.expect("< \(text)") }
        ada.type("at last")
        try await back.expect("< at last")
        back.type("all of it")
        try await ada.expect("< all of it")
        for text in ["into the void", "and once more", "at last"] {
            #expect(back.lines.count { $0.contains("< \(text)") } == 1, "\(back.lines)")
        }
        #expect(ada.lines.count { $0.contains("< all of it") } == 1, "\(ada.lines)")
    }
}
