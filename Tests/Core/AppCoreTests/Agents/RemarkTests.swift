import AppCore
import Testing

/// What an agent tells beside its answer.
@Suite struct RemarkTests {
    @Test func `what is going on is shown until something is said, and never after the turn`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .detailed(text: " waits\u{1B}[31m for\u{202E} the owner \n"))
        #expect(try driver.talk(id).live.detail == "waits[31m for the owner")
        try driver.told(id, .detailed(text: "waits longer"), .used(tokens: 1, size: nil))
        #expect(try driver.talk(id).live.detail == "waits longer")
        try driver.told(id, .text(text: "a"))
        #expect(try driver.talk(id).live.detail == nil)
        try driver.told(id, .detailed(text: "x"), .detailed(text: ""))
        #expect(try driver.talk(id).live.detail == nil)
        try driver.told(id, .detailed(text: String(repeating: "x", count: 5000)))
        #expect(try driver.talk(id).live.detail?.utf8.count == AgentTalkLimits.titleBytes)
        try driver.turnEnds(id)
        try driver.told(id, .detailed(text: "late"))
        #expect(try driver.talk(id).live.detail == nil)
    }

    @Test func `remarks are kept without what nobody sees, and their number and length are bounded`() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let id = try driver.runningSession()
        try driver.told(id, .remarked(text: "\u{7}not \u{202E}known\n"), .remarked(text: "\u{0}"))
        #expect(try driver.talk(id).items.last?.content == .remarked(text: "not known"))
        try driver.told(id, .remarked(text: CutText(String(repeating: "x", count: 5000), omitted: 7)))
        guard case .remarked(let text)? = try driver.talk(id).items.last?.content else {
            Issue.record("no remark")
            return
        }
        #expect(text.text.utf8.count == AgentTalkLimits.remarkBytes)
        #expect(text.omitted == 5007 - AgentTalkLimits.remarkBytes)
        for number in 0..<100 { try driver.told(id, .remarked(text: CutText("\(number)"))) }
        #expect(try driver.talk(id).items.count == 1 + AgentTalkLimits.remarks)
        try driver.turnEnds(id)
        try driver.agents(.askAgent(session: id, text: "again"))
        try driver.told(id, .remarked(text: "more"))
        #expect(try driver.talk(id).items.last?.content == .remarked(text: "more"))
    }
}
