import AppCore
import Host
import Testing

@Suite struct AgentPlacesTests {
    @Test func `a place in a folder that is called as this one is shown is elsewhere`() {
        var call = AgentCall(id: "t", title: "Change it", kind: "edit", input: "{}")
        let (own, other) = ("/w/a\u{200B}/x", "/w/a⟨U+200B⟩/x")
        call.paths = [own, other, "/w/b/x"]
        #expect(AgentPlaces(folder: "/w/a\u{200B}").named(call).paths == [own, "?" + other, "/w/b/x"])
        // And the other way round.
        #expect(AgentPlaces(folder: "/w/a⟨U+200B⟩").named(call).paths == ["?" + own, other, "/w/b/x"])
    }
}
