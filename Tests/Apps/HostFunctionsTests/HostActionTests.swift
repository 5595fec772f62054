import Components
import HostFunctions
import Synchronization
import Testing

@Suite("Actions of the host, and its assets")
struct HostActionTests {
    private final class Done: Sendable {
        private let list = Mutex<[String]>([])
        func add(_ text: String) { list.withLock { $0.append(text) } }
        var all: [String] { list.withLock { $0 } }
    }

    private let done = Done()

    private var ports: JoinedPorts {
        let done = done
        let actions = HostActions(
            showComponent: { done.add("show \($0.connector) \($0.appDomain) \($0.entrypoint)") },
            closeComponent: { done.add("close \($0)") }, focusComponent: { done.add("focus \($0)") },
            startComponent: { component async throws(NativeError) in
                if component.appDomain == "bad.example" { throw .text("it does not start") }
                done.add("start \(component.entrypoint)")
            },
            showError: { done.add("error \($0): \($1)") }, exit: { done.add("exit") }, open: { done.add("open \($0)") },
            isOnline: { false })
        return JoinedPorts(actions.functions)
    }

    @Test("Each port does its action")
    func actions() async throws {
        let entry = ComponentsProto.ComponentEntrypointArgs(
            connectorId: "3", appDomain: "a.b", entrypoint: "/index.html")
        #expect(try await ports.call("ui_startAppActivity", entry).isEmpty)
        _ = try await ports.call("js_startComponent", entry)
        _ = try await ports.call("ui_closeAppActivity", ComponentsProto.ConnectorIdArgs(connectorId: "init"))
        _ = try await ports.call("ui_focusAppActivity", ComponentsProto.ConnectorIdArgs(connectorId: "3"))
        _ = try await ports.call("ui_showSystemErrorBox", ComponentsProto.SystemErrBoxArgs(title: "t", content: "c"))
        _ = try await ports.script.call("ui_exitAll")
        #expect(
            done.all == ["show 3 a.b /index.html", "start /index.html", "close init", "focus 3", "error t: c", "exit"])
        let bad = ComponentsProto.ComponentEntrypointArgs(connectorId: "4", appDomain: "bad.example", entrypoint: "/")
        #expect(await ports.failure("js_startComponent", bad) == "it does not start")
        let status = try ConnectivityProto.OnlineStatus(decoding: try await ports.script.call("connectivity_isOnline"))
        #expect(status.status == "no-network")
    }

    @Test("There is no camera for codes, and the exception says so")
    func scanning() async throws {
        do throws(NativeError) {
            _ = try await ports.call("scan_url_qr", FnCallsProto.StringArrayValue(values: ["w3n:"]))
            Issue.record("nothing can be scanned here")
        } catch {
            guard case .exception(let exception) = error else { return #expect(Bool(false), "\(error.text)") }
            #expect(exception.type == "capability" && exception.has("notAvailable"))
        }
    }

    @Test(
        "Only the web and mail are opened outside",
        arguments: [
            ("https://a.example/b?c#d", "https://a.example/b?c#d"), ("HTTP://A", "http://a/"),
            ("mailto:a@b.example", "mailto:a@b.example"),
            ("file:///etc/passwd", nil), ("javascript:alert(1)", nil), ("--help", nil), ("ssh://a", nil), ("", nil),
            ("https://a\\@b", nil),
            ("mailto:a b", nil), ("https://a/#x\ny", nil), ("ws://a", nil),
        ] as [(String, String?)])
    func opening(url: String, opened: String?) async {
        let failure = await ports.failure("open_external", FnCallsProto.StringValue(value: url))
        #expect(done.all == (opened.map { ["open \($0)"] } ?? []))
        #expect((failure == nil) == (opened != nil))
    }

    @Test("Assets are read in ranges and listed, and what is not there is ENOENT")
    func assets() async throws {
        let place = try TestFolder()
        try place.write("0123456789", to: "root/file")
        try place.write("secret", to: "secret")
        let ports = JoinedPorts(HostAssets(packs: place.root, apps: place.path + "/none").functions)
        func read(_ path: String, _ start: Int64? = nil, _ end: Int64? = nil) -> Fs.ReadFromAssetsPathArgs {
            .init(fromPacks: true, path: path, start: start, end: end)
        }
        #expect(text(try await ports.call("assets_readBytes", read("/file"))) == "0123456789")
        #expect(text(try await ports.call("assets_readBytes", read("file", 2, 5))) == "234")
        #expect(text(try await ports.call("assets_readBytes", read("file", 8, 50))) == "89")
        #expect(try await ports.call("assets_readBytes", read("file", 5, 5)).isEmpty)
        #expect(await ports.failure("assets_readBytes", read("file", -1)) == "EIO")
        #expect(await ports.failure("assets_readBytes", read("missing")) == "ENOENT")
        #expect(await ports.failure("assets_readBytes", read("../secret")) == "EPERM")
        #expect(await ports.failure("assets_readBytes", read("")) == "EISDIR")
        let list = try await ports.call(
            "assets_listFolder", Fs.AssetsPathArgs(fromPacks: true, path: ""), as: Fs.AssetsFolderListing.self)
        #expect(list.items == [.init(name: "file", isFolder: false)])
        #expect(await ports.failure("assets_listFolder", Fs.AssetsPathArgs(fromPacks: false, path: "")) == "ENOENT")
    }
}
