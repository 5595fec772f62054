import AppCore
import Testing

/// The JSON of apps, as hosts, simulators and traces see it.
@Suite struct AppsShapeTests {
    private static let listed = Event.appsListed(
        effect: EffectID(7),
        apps: [
            ListedApp(
                id: "a.example", name: "A", version: "1", bytes: 5,
                requests: [AppRequest(capability: "log", words: "W", granted: true)],
                commands: [AppCommand(name: "add", component: "/m.mjs")])
        ],
        components: [ListedComponent(id: "i", app: "a.example", entrypoint: "/m.mjs", state: .running)],
        core: AppsCore(bundle: "c.js", state: .signedOut), strategies: [.foreground])

    @Test func theListIsAFlatObject() throws {
        let json = """
            {"apps":[{"about":"","background":"foreground","bytes":5,"commands":[{"component":"/m.mjs","name":"add"}],\
            "id":"a.example","name":"A","requests":[{"added":false,"available":true,"capability":"log","details":[],\
            "granted":true,"sensitive":false,"words":"W"}],"version":"1"}],"components":[{"app":"a.example",\
            "entrypoint":"/m.mjs","id":"i","state":"running"}],"core":{"bundle":"c.js","state":"signed_out"},"effect":7,\
            "strategies":["foreground"],"type":"apps_listed"}
            """
        #expect(String(decoding: try JSON.encode(Action.event(Self.listed)), as: UTF8.self) == json)
        #expect(try JSON.decode(Action.self, from: json.utf8) == .event(Self.listed))
    }

    /// How much is asked for comes as facts; traces of version 0.2 have sentences there.
    @Test func whatIsAskedForIsFacts() throws {
        let request = AppRequest(
            capability: "network", words: "W",
            details: [
                .address(scheme: "https", host: "a.org", subdomains: true, port: 8080, below: "/a"),
                .storage(kind: "local", writable: false), .named(name: "s", app: nil), .part(part: "select"),
            ])
        let json = #"""
            {"added":false,"available":true,"capability":"network","details":[{"below":"/a","host":"a.org","port":8080,\#
            "scheme":"https","subdomains":true,"type":"address"},{"kind":"local","type":"storage","writable":false},\#
            {"name":"s","type":"named"},{"part":"select","type":"part"}],"granted":false,"sensitive":false,"words":"W"}
            """#
        #expect(String(decoding: try JSON.encode(request), as: UTF8.self) == json)
        #expect(try JSON.decode(AppRequest.self, from: json.utf8) == request)
        let old = json.replacing(/\[.*\]/, with: #"["pages of a.org"]"#)
        #expect(try JSON.decode(AppRequest.self, from: old.utf8).details == [.other(text: "pages of a.org")])
    }

    private static let actions: [AppsAction] = [
        .runApp(app: "a.example", component: nil, command: "add", parameters: ["x"]), .answerInstall(grants: ["log"]),
        .chooseCore(bundle: nil), .setBackground(app: "a.example", strategy: .periodic),
    ]

    @Test(
        arguments: zip(
            actions,
            [
                #"{"app":"a.example","command":"add","parameters":["x"],"type":"run_app"}"#,
                #"{"grants":["log"],"type":"answer_install"}"#, #"{"type":"choose_core"}"#,
                #"{"app":"a.example","strategy":"periodic","type":"set_background"}"#,
            ]))
    func actionsAreFlatObjects(action: AppsAction, json: String) throws {
        #expect(String(decoding: try JSON.encode(Action.apps(action)), as: UTF8.self) == json)
        #expect(try JSON.decode(Action.self, from: json.utf8) == .apps(action))
    }

    private static let effects: [Effect.Kind] = [
        .installApp(source: "a.zip", digest: "d", grants: ["log"]),
        .startApp(app: "a.example", component: nil, command: nil, parameters: []),
        .setGrant(app: "a.example", capability: "network", on: false), .stopApp(app: "a.example", instance: nil),
        .openUrl(url: "https://a"),
    ]

    @Test(
        arguments: zip(
            effects,
            [
                #"{"digest":"d","grants":["log"],"id":7,"source":"a.zip","type":"install_app"}"#,
                #"{"app":"a.example","id":7,"parameters":[],"type":"start_app"}"#,
                #"{"app":"a.example","capability":"network","id":7,"on":false,"type":"set_grant"}"#,
                #"{"app":"a.example","id":7,"type":"stop_app"}"#, #"{"id":7,"type":"open_url","url":"https://a"}"#,
            ]))
    func effectsAreFlatObjects(kind: Effect.Kind, json: String) throws {
        let effect = Effect(id: EffectID(7), kind: kind)
        #expect(String(decoding: try JSON.encode(effect), as: UTF8.self) == json)
        #expect(try JSON.decode(Effect.self, from: json.utf8) == effect)
    }
}
