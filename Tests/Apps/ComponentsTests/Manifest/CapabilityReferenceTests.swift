import Components
import Foundation
import ProgramRunner
import Testing

@Suite struct CapabilityReferenceTests {
    @Test func thePageIsWhatTheCodeSays() throws {
        let file = Program.repository.appending(path: "docs/capabilities.md")
        if ProcessInfo.processInfo.environment["ALCOVE_WRITE_DOCS"] != nil {
            try CapabilityReference.markdown.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == CapabilityReference.markdown)
    }

    @Test func everyCapabilityHasWordsForAPerson() {
        let words = Set(Capability.allCases.map(\.words))
        #expect(words.count == Capability.allCases.count && !words.contains(""))
    }
}
