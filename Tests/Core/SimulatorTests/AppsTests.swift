import AppCore
import Simulator
import Testing

/// Stories of apps, as a script would play them.
@Suite struct AppsTests {
    private func install(_ source: String, _ client: Client) async throws {
        try await client.ask("set_text", ["node_id": .string("apps.source"), "text": .string(source)])
        try await client.tap("apps.install")
    }

    @Test func anAppIsInstalledUpdatedAndRemoved() async throws {
        let client = try Client("apps_empty")
        try await install("apps/feeds", client)
        try await client.see("Install Feed reader?")
        try await client.tap("install_app.accept")
        try await client.see("Start it")
        try await client.tap("back")
        try await install("apps/feeds-2", client)
        try await client.see("in place of 1.0.0")
        try await client.tap("install_app.may.network")
        try await client.tap("install_app.accept")
        try await client.see("Version 2.0.0")
        try await client.ask(
            "assert_node", ["node_id": .string("app.may.network"), "enabled": .bool(true)])
        try await client.tap("app.remove")
        try await client.tap("remove_app.data")
        try await client.see("No apps yet")
    }

    @Test func anAppThatCrashesIsStartedAgainAndThenNot() async throws {
        let client = try Client("app_page")
        try await client.ask("advance", ["ms": .integer(1000)])
        try await client.tap("app.run")
        try await client.see("Running")
        try await client.ask("apps", ["do": .string("crash"), "app": .string("feeds.alcove.example")])
        try await client.see("it is started again")
        try await client.ask("advance", ["ms": .integer(1000)])
        try await client.see("Running")
        try await client.ask("apps", ["do": .string("crash_for_good"), "app": .string("feeds.alcove.example")])
        try await client.see("Crashed too often")
    }

    @Test func aLibraryThatIsBusyLosesNothing() async throws {
        let client = try Client("app_page")
        try await client.ask("advance", ["ms": .integer(1000)])
        try await client.ask("apps", ["do": .string("library"), "state": .string("busy")])
        try await client.tap("app.may.network")
        try await client.see("Being taken back")
        try await client.ask("restart")
        try await client.ask("apps", ["do": .string("library"), "state": .string("writable")])
        try await client.ask("advance", ["ms": .integer(60_000)])
        try await client.tap("rooms.apps")
        try await client.tap("app.feeds.alcove.example")
        try await client.ask("find_node", ["node_id": .string("app.may.network")])
        let state = try await client.ask("state")
        let apps = try #require(state["apps"]?["list"]?.array)
        let feeds = try #require(apps.first { $0["id"]?.string == "feeds.alcove.example" })
        let network = feeds["requests"]?.array?.first { $0["capability"]?.string == "network" }
        #expect(network?["granted"] == .bool(false))
    }

    @Test func whatAppsSayAndAskIsShown() async throws {
        let client = try Client("app_running")
        for act: [String: JSONValue] in [
            ["do": .string("say"), "text": .string("3 new items")], ["do": .string("notify"), "text": .string("Look")],
            ["do": .string("ask_url"), "url": .string("https://example.org")],
            ["do": .string("be_denied"), "capability": .string("network")],
        ] { try await client.ask("apps", act.merging(["app": .string("feeds.alcove.example")]) { $1 }) }
        try await client.see("Look")
        try await client.see("was denied something")
        try await client.tap("link.0.decline")
        try await client.tap("app.log")
        try await client.see("3 new items")
    }

    @Test(arguments: [
        ["do": "fly"], ["do": "crash", "app": "nobody.example"], ["do": "install", "source": "nowhere"],
        ["do": "library", "state": "odd"], ["do": "crash", "app": "checklist.alcove.example"],
    ]) func whatCannotBeDoneSaysWhy(act: [String: String]) async throws {
        let client = try Client("app_page")
        let error = try await client.fail("apps", act.mapValues { .string($0) })
        #expect(error.code == "bad_request" && error.error.hasPrefix("apps: "))
    }
}
