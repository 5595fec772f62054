import ExternalCore
import Testing

@Suite("What is open and who is signed in")
struct CoreBootTests {
    private let startup = "startup.app.privacysafe.io"
    private let launcher = "launcher.app.privacysafe.io"
    private let chat = "chat.app.privacysafe.io"

    private func boot(_ events: CoreBoot.Event...) -> CoreBoot {
        var boot = CoreBoot()
        for event in [.initialised] + events { _ = boot.handle(event) }
        return boot
    }

    private func entry(_ connector: String) -> CoreFunctions.Entry {
        CoreFunctions.Entry(connector: connector, entrypoint: "/index.html")
    }

    /// Signed in, with the launcher open as connector 3.
    private var signedIn: CoreBoot {
        boot(
            .opens(app: startup), .launched(app: startup, entry("2")), .signedIn(user: "ann@example"),
            .launched(app: launcher, entry("3")), .coreCloses(connector: "init"))
    }

    @Test("From nothing to the launcher")
    func signingIn() {
        var boot = CoreBoot()
        #expect(boot.phase == .starting)
        #expect(boot.handle(.opens(app: startup)).isEmpty)
        #expect(boot.handle(.initialised) == [.launch(startup)])
        #expect(boot.phase == .loggingIn)
        let shown = boot.handle(.launched(app: startup, entry("2")))
        #expect(shown == [.show(connector: "2", app: startup, entrypoint: "/index.html"), .waitForUser])
        #expect(boot.handle(.signedIn(user: "ann")) == [.launch(launcher)])
        #expect(boot.phase == .signedIn(user: "ann"))
        #expect(boot.handle(.coreCloses(connector: "init")) == [.close(connector: "2")])
        #expect(
            boot.handle(.launched(app: launcher, entry("3")))
                == [.show(connector: "3", app: launcher, entrypoint: "/index.html")])
        #expect(boot.handle(.signedIn(user: "eve")).isEmpty)
        #expect(boot.phase == .signedIn(user: "ann"))
    }

    @Test("A core that signs in by itself needs no startup app")
    func automatic() {
        var boot = boot(.opens(app: launcher))
        let proceed = CoreFunctions.Entry(connector: CoreFunctions.Entry.proceedToLauncher, entrypoint: "not-set")
        #expect(boot.handle(.launched(app: startup, proceed)) == [.waitForUser])
        #expect(boot.open.isEmpty)
        #expect(boot.handle(.signedIn(user: "ann")) == [.launch(launcher)])
    }

    @Test("The startup app is asked for once, and then brought to the front")
    func startupOnce() {
        var boot = boot(.opens(app: startup))
        #expect(boot.handle(.opens(app: startup)).isEmpty)
        _ = boot.handle(.launched(app: startup, entry("2")))
        #expect(boot.handle(.opens(app: launcher)) == [.focus(connector: "2")])
    }

    @Test("An app that is opened before sign-in is remembered until then")
    func remembering() {
        var boot = boot()
        #expect(boot.handle(.opens(app: chat)) == [.launch(startup)])
        #expect(boot.remembered == chat)
        _ = boot.handle(.launched(app: startup, entry("2")))
        #expect(boot.handle(.signedIn(user: "ann")) == [.launch(launcher), .openLater(chat)])
        #expect(boot.remembered == nil)
        #expect(boot.handle(.opens(app: chat)) == [.launch(chat)])
    }

    @Test("After sign-in the startup app is the launcher, and open windows come to the front")
    func afterSignIn() {
        var boot = signedIn
        #expect(boot.handle(.opens(app: startup)) == [.focus(connector: "3")])
        #expect(boot.handle(.opens(app: chat)) == [.launch(chat)])
        _ = boot.handle(.launched(app: chat, entry("4")))
        #expect(boot.handle(.opens(app: chat)) == [.focus(connector: "4")])
        #expect(boot.handle(.closed(connector: "4")) == [.tellClosed(connector: "4")])
        #expect(boot.handle(.closed(connector: "4")).isEmpty)
        #expect(boot.handle(.opens(app: chat)) == [.launch(chat)])
    }

    @Test("The core opens and closes windows of its own accord")
    func coreWindows() {
        var boot = signedIn
        let shown = boot.handle(.coreShows(connector: "9", app: chat, entrypoint: "/call.html"))
        #expect(shown == [.show(connector: "9", app: chat, entrypoint: "/call.html")])
        #expect(boot.handle(.coreCloses(connector: "9")) == [.close(connector: "9")])
        #expect(boot.handle(.coreCloses(connector: "9")).isEmpty)
        #expect(boot.handle(.coreCloses(connector: "init")).isEmpty)
    }

    @Test("A window from an earlier run is opened anew, one of this run comes to the front")
    func returning() {
        var boot = signedIn
        #expect(
            boot.handle(.returns(app: launcher, connector: "3", entrypoint: "/index.html")) == [.focus(connector: "3")])
        #expect(boot.handle(.returns(app: chat, connector: "77", entrypoint: "/index.html")) == [.launch(chat)])
    }

    @Test("A startup page that is closed, or does not open, can be opened again")
    func startingOver() {
        var boot = boot(.opens(app: startup), .failedToLaunch(app: startup))
        #expect(boot.phase == .idle)
        #expect(boot.handle(.opens(app: startup)) == [.launch(startup)])
        _ = boot.handle(.launched(app: startup, entry("2")))
        #expect(boot.handle(.closed(connector: "2")) == [.tellClosed(connector: "2")])
        #expect(boot.phase == .idle)
        #expect(boot.handle(.opens(app: startup)) == [.launch(startup)])
    }

    @Test("Links go to the core: before sign-in for the startup page, afterwards as they are")
    func links() throws {
        let signUp = try #require(DeepLink("w3n://privacysafe/signup/token"))
        var boot = boot()
        #expect(boot.handle(.follows(signUp)) == [.processBeforeLogin(url: "w3n://privacysafe/signup/token")])
        #expect(boot.handle(.preparedStartup(fragment: "abc")) == [.launch(startup)])
        let shown = boot.handle(.launched(app: startup, entry("2")))
        #expect(shown.first == .show(connector: "2", app: startup, entrypoint: "/index.html#abc"))
        _ = boot.handle(.signedIn(user: "ann"))
        let contact = try #require(DeepLink("W3N://add-contact/?a=b"))
        #expect(boot.handle(.follows(contact)) == [.process(url: "W3N://add-contact/?a=b")])
        let app = try #require(DeepLink("w3n-app://Chat.app.privacysafe.io/x#y"))
        #expect(boot.handle(.follows(app)) == [.launch(chat)])
    }

    @Test(
        "What is no link of the platform",
        arguments: [
            "", "w3n:", "w3n://", "https://a/", "w3n-app://", "w3n-app://nodots/", "w3n-app://a b.c/", "w3n://a b",
            "w3n-app://a.b@c/",
        ])
    func noLinks(text: String) { #expect(DeepLink(text) == nil) }

    @Test("The end closes all windows, and nothing happens afterwards")
    func ending() {
        var boot = signedIn
        #expect(boot.handle(.ended) == [.close(connector: "3")])
        #expect(boot.phase == .ended && boot.open.isEmpty)
        for event in [CoreBoot.Event.initialised, .opens(app: chat), .signedIn(user: "ann"), .ended] {
            #expect(boot.handle(event).isEmpty)
        }
    }

    @Test("What is asked for while the core starts is done then, and only so much of it")
    func waiting() {
        var boot = CoreBoot()
        for _ in 0..<100 { #expect(boot.handle(.follows(.core("w3n://x"))).isEmpty) }
        #expect(boot.handle(.initialised).count == 16)
    }
}
