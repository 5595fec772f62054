import AppCore
import CAlcoveCore
import Foundation
import ProgramRunner
import Testing

@testable import CoreABI

/// The header is the contract: every compiler reads it, and it tells the truth.
@Suite struct HeaderTests {
    private static let header = Program.repository.appending(path: "include/alcove_core.h")

    @Test(arguments: [
        ["gcc", "-std=c11", "-x", "c"], ["clang", "-std=c11", "-x", "c"],
        ["g++", "-std=c++17", "-x", "c++"], ["clang++", "-std=c++17", "-x", "c++"],
    ])
    func `compiles without a warning`(compiler: [String]) throws {
        let strictly = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic", "-fsyntax-only"]
        let result = try Program.run(compiler + strictly + [Self.header.path])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func `names every error code and no other`() throws {
        let text = try String(contentsOf: Self.header, encoding: .utf8)
        let named = text.matches(of: /(?m)^ \*     ([a-z0-9_]+)  +[A-Za-z]/).map { String($0.1) }
        #expect(Set(named) == Set(CallError.Code.allCases.map(\.rawValue)))
    }

    @Test func `says its version`() throws {
        let text = String(cString: try #require(alcove_core_version()))
        let version = try JSON.decode(JSONValue.self, from: text.utf8)
        #expect(version["abi"] == .integer(Int64(ALCOVE_CORE_ABI)))
        #expect(version["alcove"] == .string(Core.version))
    }
}
