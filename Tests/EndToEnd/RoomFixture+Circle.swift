import Foundation
import Testing

/// People who took each other into their circles.
extension RoomFixture {
    /// Two people who met with code and words, and took each other into their circles.
    func members() async throws -> (ada: AlcoveProcess, ben: AlcoveProcess) {
        let (ada, ben, _) = try await pair()
        ada.type("/trust Ben")
        try await ben.expect("/trust")
        ben.type("/trust Ada")
        for process in [ada, ben] { try await process.expect("in each other's circle now") }
        return (ada, ben)
    }

    static func quit(_ people: AlcoveProcess...) async throws {
        for process in people { process.type("/quit") }
        for process in people { #expect(try await process.exitCode() == 0) }
    }

    static func output(_ process: AlcoveProcess) async throws -> (code: Int32, text: String) {
        let code = try await process.exitCode()
        return (code, process.lines.joined(separator: "\n"))
    }

    /// Every file of key pools in a profile.
    static func pools(_ profile: String) -> [String] {
        FileManager.default.enumerator(atPath: profile + "/pools")?.compactMap { $0 as? String } ?? []
    }
}
