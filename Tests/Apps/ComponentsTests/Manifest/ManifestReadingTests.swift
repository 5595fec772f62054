import Components
import Testing
import Wire

@Suite struct ManifestReadingTests {
    @Test func theGeneralFormIsReadWhole() throws {
        let manifest = try ManifestSample.manifest()
        #expect(manifest.warnings == [])
        #expect(manifest.domain.name == "feeds.example.org" && manifest.domain.reversed == "org.example.feeds")
        #expect(
            manifest.version.text == "1.2.0" && manifest.about == "Reads feeds" && manifest.icon?.text == "/icon.png")
        #expect(manifest.components.map(\.entryPoint.text) == ["/main.mjs", "/index.html", "/index-mobile.html"])
        #expect(manifest.components.map(\.runtime) == [.headless, .webGUI, .webGUI])
        #expect(manifest.startup.map(\.text) == ["/main.mjs"])
        #expect(manifest.launcherFolders.map(\.path) == ["/launchers"])
        #expect(manifest.launchers.last?.target == .command(StartCommand("add", ["x", 1])))
        let resource = try #require(manifest.resources.first)
        #expect(resource.name == "list" && resource.kind == .file && resource.initialValue?.text == "/list.json")
        let main = manifest.components[0]
        #expect(main.isForOneConnectionOnly && !main.allowsManyInstances && main.sharedLibraries.first?.hash == "abc")
        #expect(
            manifest.components[1].window.measures == [.width: 800]
                && manifest.components[1].window.flags == [.center: true])
        #expect(manifest.components[2].isChildOfCaller && manifest.components[2].allowsManyInstances)
    }

    @Test func aByteOrderMarkIsNoPartOfIt() throws {
        #expect(try ManifestSample.manifest("\u{FEFF}" + ManifestSample.full) == ManifestSample.manifest())
        #expect(throws: ManifestError.self) { try ManifestSample.manifest("\u{FEFF}\u{FEFF}" + ManifestSample.full) }
        #expect(throws: ManifestError.self) { try ManifestSample.manifest("\u{FEFF}") }
    }

    @Test func theSimpleFormHasOnePage() throws {
        let manifest = try ManifestSample.manifest(
            """
            {"appDomain": "contacts.app.privacysafe.io", "version": "0.3", "name": "Contacts", "startedBy": "x",
             "windowOpts": {"width": 400}, "capsRequested": {"storage": {"appFS": "default"}, "apps": true}}
            """)
        let component = try #require(manifest.components.first)
        #expect(manifest.components.count == 1 && component.entryPoint == .indexPage && component.runtime == .webGUI)
        #expect(component.requested.folders(in: .local) == [manifest.domain])
        #expect(component.requested.folders(in: .synced) == [manifest.domain])
        #expect(
            manifest.warnings == ["capsRequested.apps: is not understood here", "startedBy: is not understood here"])
    }

    @Test(arguments: [
        (FormFactor.desktop, "/index.html"), (.phone, "/index-mobile.html"), (.phoneWithScreen, "/index.html"),
        (.tabletWithScreen, "/index.html"), (.tablet, "/index.html"),
    ])
    func theFirstLauncherThatFitsOpens(device: FormFactor, entryPoint: String) throws {
        #expect(try ManifestSample.manifest().entryPoint(on: device)?.text == entryPoint)
    }

    @Test func commandsAndServicesAreFoundByDevice() throws {
        let manifest = try ManifestSample.manifest()
        #expect(manifest.component(taking: "add", on: .phone)?.entryPoint.text == "/main.mjs")
        #expect(manifest.component(serving: "feeds", on: .desktop)?.entryPoint.text == "/main.mjs")
        #expect(manifest.component(taking: "nothing", on: .phone) == nil)
        let headless = try ManifestSample.asking("{}")
        #expect(headless.entryPoint(on: .desktop) == nil)
    }

    @Test(arguments: [
        (#""phone""#, [FormFactor.phone]), (#"["phone"]"#, [.phone]),
        (#"["phone", "tablet", "phone"]"#, [.phone, .tablet]),
        (#"["desktop"]"#, [.desktop, .phoneWithScreen, .tabletWithScreen]), ("[]", FormFactor.allCases),
        (#"["tablet+screen"]"#, [.tabletWithScreen]),
    ])
    func formFactorsAreOneOrMore(value: String, devices: [FormFactor]) throws {
        let manifest = try ManifestSample.manifest(
            """
            {"appDomain": "feeds.example.org", "version": "1.0.0", "name": "Feeds", "components": {"/main.mjs":
             {"runtime": "deno", "formFactor": \(value), "startCmds": {"go": {}}, "services": {"s": {}}}},
             "launchers": [{"component": "/main.mjs", "formFactor": \(value)}]}
            """)
        for device in FormFactor.allCases {
            let fits = devices.contains(device)
            #expect((manifest.component(taking: "go", on: device) != nil) == fits)
            #expect((manifest.component(serving: "s", on: device) != nil) == fits)
            #expect((manifest.entryPoint(on: device) != nil) == fits)
        }
    }

    @Test func logHasAnOlderName() throws {
        #expect(try ManifestSample.asking(#"{"log": "all"}"#).requests.map(\.capability) == [.log])
        #expect(try ManifestSample.asking(#"{"log": "all", "logToPlatform": true}"#).requests.count == 1)
        #expect(throws: ManifestError.self) { try ManifestSample.asking(#"{"log": "some"}"#) }
    }

    @Test func callersAreAllowedByName() throws {
        let manifest = try ManifestSample.manifest()
        let main = manifest.components[0]
        let chat = try #require(AppDomain("CHAT.example.org"))
        let (index, other) = (PackPath.indexPage, try #require(PackPath("/other.mjs")))
        let service = try #require(main.services["feeds"])
        #expect(service.allows(.component(other, of: manifest.domain), at: manifest.domain))
        #expect(service.allows(.component(other, of: chat), at: manifest.domain))
        #expect(!service.allows(.component(other, of: try #require(AppDomain("x.example.org"))), at: manifest.domain))
        let command = try #require(main.commands["add"])
        #expect(command.allows(.component(index, of: manifest.domain), at: manifest.domain))
        #expect(!command.allows(.component(other, of: manifest.domain), at: manifest.domain))
        #expect(!command.allows(.component(index, of: chat), at: manifest.domain))
        #expect(command.allows(.system, at: manifest.domain))
    }

    @Test(arguments: [
        (#""appDomain": "Feeds.Example.org""#, #""appDomain": "feeds""#, "appDomain: 'feeds' is not a domain"),
        (
            #""appDomain": "Feeds.Example.org""#, #""appDomain": "../etc.org""#,
            "appDomain: '../etc.org' is not a domain"
        ),
        (
            #""appDomain": "Feeds.Example.org""#, #""appDomain": "x.core.3nweb.computer""#,
            "appDomain: x.core.3nweb.computer belongs"
        ),
        (#""version": "1.2.0""#, #""version": "1/2""#, "version: must be a version"),
        (#""version": "1.2.0", "#, "", "version: is missing"),
        (#""name": "Feeds", "description""#, #""name": "", "description""#, "name: must not be empty"),
        (#""/main.mjs": {"#, #""main.mjs": {"#, #"components["main.mjs"]: 'main.mjs' is not the path"#),
        (
            #""/main.mjs": {"#, #""/a/../main.mjs": {"#,
            #"components["/a/../main.mjs"]: '/a/../main.mjs' is not the path"#
        ),
        (
            #""runtime": "deno""#, #""runtime": "node""#,
            #"components["/main.mjs"].runtime: must be one of web-gui, deno"#
        ),
        (
            #"{"domain": "feeds.example.org", "storage""#, #"{"domain": "", "storage""#,
            #"components["/main.mjs"].capsRequested.storage.appFS[0].domain: '' is not a domain"#
        ),
        (#""connectivity": "check""#, #""connectivity": "all""#, #".capsRequested.connectivity: must be 'check'"#),
        (
            #""clipboard": "writeonly""#, #""clipboard": 5"#,
            ".shell.clipboard: must be 'all' or 'readonly' or 'writeonly'"
        ),
        (
            #""domain": "localhost:8080""#, #""domain": "http://x""#,
            ".connectToExternal.fetch[1].domain: 'http://x' is not a host"
        ),
        (
            #""pathPrefix": "/a""#, #""pathPrefix": "a""#,
            ".connectToExternal.fetch[1].pathPrefix: must begin with a slash"
        ),
        (
            #""component": "/index.html""#, #""component": "/x.html""#,
            "launchers[0].component: there is no component '/x.html'"
        ),
        (#""width": 800"#, #""width": 1e300"#, #"components["/index.html"].windowOpts.width: must be a number"#),
        (
            #""multiInstances": false"#, #""multiInstances": 1"#,
            #"components["/main.mjs"].multiInstances: must be true or false"#
        ),
        (
            #""itemType": "file""#, #""itemType": "pipe""#,
            #"exposedFSResources["list"].itemType: must be one of file, folder"#
        ),
        (
            #"["chat.example.org"]"#, #""chat.example.org""#,
            #"components["/main.mjs"].services["feeds"].otherApps: must be a list"#
        ),
    ])
    func errorsNameTheField(old: String, new: String, error: String) throws {
        #expect(ManifestSample.full.contains(old))
        let text = ManifestSample.full.replacing(old, with: new, maxReplacements: 1)
        let thrown = #expect(throws: ManifestError.self) { try ManifestSample.manifest(text) }
        #expect(thrown?.description.contains(error) == true, "\(thrown?.description ?? "")")
    }

    @Test(arguments: ["", "[]", "null", "{", "{\"appDomain\":", String(repeating: "[", count: 100_000)])
    func whatIsNoManifestIsAnError(text: String) {
        #expect(throws: ManifestError.self) { try ManifestSample.manifest(text) }
    }

    @Test func modulesThatNothingRunsAreTold() throws {
        let manifest = try ManifestSample.manifest(
            ManifestSample.full.replacing("\"runtime\": \"deno\"", with: "\"runtime\": \"wasm,mp1\""))
        #expect(!manifest.components[0].runtime.isSupported)
        #expect(manifest.warnings == ["components[\"/main.mjs\"].runtime: nothing here runs it yet"])
    }

    @Test func sizesAndCountsAreLimited() throws {
        let domains = (0..<101).map { #"{"app": "a\#($0).org", "service": "x"}"# }.joined(separator: ",")
        #expect(throws: ManifestError.self) { try ManifestSample.asking(#"{"otherAppsRPC": [\#(domains)]}"#) }
        let names = (0..<100).map { "\"c\($0)\"" }.joined(separator: ",")
        let apps = (0..<6).map { #""a\#($0).org": [\#(names)]"# }.joined(separator: ",")
        #expect(throws: ManifestError.self) {
            try ManifestSample.asking(#"{"shell": {"startAppCmds": {"otherApps": {\#(apps)}}}}"#)
        }
        let padding = String(repeating: " ", count: AppManifest.byteLimit)
        #expect(throws: ManifestError.self) { try ManifestSample.manifest(ManifestSample.full + padding) }
        let unknown = (0..<900).map { "\"u\($0)\": 1" }.joined(separator: ",")
        #expect(try ManifestSample.asking("{\(unknown)}").warnings.count == 100)
    }
}
