// swift-tools-version: 6.3
import PackageDescription

// Each target lies in the folder of its subsystem, `Sources/<group>/<target>` and `Tests/<group>/<target>`. What may
// depend on what is said in `docs/architecture.md`, and `make lint` checks it.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
]

/// The targets that a text names, with blanks between.
func names(_ text: String) -> [Target.Dependency] {
    text.split(whereSeparator: \.isWhitespace).map { .byName(name: String($0)) }
}

func library(
    _ name: String, _ dependencies: String = "", exclude: [String] = [], plugins: [Target.PluginUsage] = []
) -> Target {
    .target(name: name, dependencies: names(dependencies), exclude: exclude, swiftSettings: strict, plugins: plugins)
}

func program(
    _ name: String, _ dependencies: String, exclude: [String] = [], linked: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: names(dependencies), exclude: exclude, swiftSettings: strict, linkerSettings: linked)
}

func tests(
    _ name: String, _ dependencies: String, path: String? = nil, exclude: [String] = [],
    plugins: [Target.PluginUsage] = []
) -> Target {
    .testTarget(
        name: name, dependencies: names(dependencies), path: path, exclude: exclude, swiftSettings: strict,
        plugins: plugins)
}

/// The targets of one folder.
func group(_ folder: String, _ targets: [Target]) -> [Target] {
    for target in targets { target.path = "\(folder)/\(target.path ?? target.name)" }
    return targets
}

/// A C library that Debian packages.
func cLibrary(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A shared library that brings the Swift runtime with it and hides it: it loads where no Swift is, or another one.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-undefined", "-Xlinker", "--soname=libalcove_core.so.1",
            "-Xlinker", "-l_FoundationCollections", "-Xlinker", "-l_FoundationCShims",
            "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/Core/CoreLibrary/exports.map",
            // A Swift runtime cannot be taken out of a process again.
            "-Xlinker", "-z", "-Xlinker", "nodelete",
        ],
        .when(platforms: [.linux])),
    .unsafeFlags(["-Xlinker", "--strip-all"], .when(platforms: [.linux], configuration: .release)),
]

/// A program that brings the Swift runtime with it starts faster than one that has to find a dozen libraries. Nothing can
/// depend on its target, because that would be linked in the same way: see `started`.
let selfContained = LinkerSetting.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))

/// What is installed must run where no Swift toolchain is. Only in release builds, because tests depend on the target.
let installable = LinkerSetting.unsafeFlags(
    ["-static-stdlib", "-use-ld=lld"]
        + ["-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections", "-l_FoundationICU"],
    .when(platforms: [.linux], configuration: .release))

let cLibraries = [
    .systemLibrary(name: "CAlcoveCore", path: "include"),
    cLibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    // The pkg-config file of GIO itself names -pthread, which SwiftPM does not pass on.
    cLibrary("CGIO", pkgConfig: "gobject-2.0", apt: "libglib2.0-dev"),
    cLibrary("CHiredis", apt: "libhiredis-dev"),
    cLibrary("CNice", pkgConfig: "nice", apt: "libnice-dev"),
    cLibrary("CUsrsctp", apt: "libusrsctp-dev"),
    cLibrary("CLinux", apt: "libc6-dev"),
    cLibrary("CQRCode", pkgConfig: "qrcodegen", apt: "libqrcodegen-dev"),
    cLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    cLibrary("CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1", apt: "libjavascriptcoregtk-4.1-dev"),
    cLibrary("CMarkdown", pkgConfig: "libcmark-gfm", apt: "libcmark-gfm-dev"),
    cLibrary("CSeccomp", pkgConfig: "libseccomp", apt: "libseccomp-dev"),
    cLibrary("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
    cLibrary("CZip", pkgConfig: "libzip", apt: "libzip-dev"),
    cLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    cLibrary("CZstandard", pkgConfig: "libzstd", apt: "libzstd-dev"),
]

let base = group(
    "Sources/Base",
    [
        library("Cryptography", "COpenSSL Errors"),
        library("Errors"),
        library("MediaHeaders", "Wire"),
        library("Networking", "CLinux COpenSSL Platform"),
        library("Notifications", "CGIO"),
        library("Platform", "CLinux"),
        library("QRCodes", "CQRCode Errors"),
        library("Redis", "CHiredis Errors Networking"),
        library("Storage", "CSQLite Cryptography Errors Platform Wire"),
        library("WebFiles", "Networking Storage"),
        library("Wire", "CZlib Errors"),
    ])

let scripting = group("Sources/Scripting", [library("ScriptEngine", "CJavaScriptCore Platform")])

let core = group(
    "Sources/Core",
    [
        library("AppCore"),
        library("Catalogues", "AppCore", exclude: ["Library"], plugins: ["EmbedFiles"]),
        library("CoreABI", "AppCore CAlcoveCore Catalogues Platform Scenarios"),
        .target(
            name: "CoreLibrary", dependencies: ["CoreABI"], exclude: ["exports.map"], swiftSettings: strict,
            linkerSettings: standalone),
        library("ForeignCore", "AppCore Platform"),
        library("Layout", "AppCore Catalogues Errors"),
        library("Scenarios", "AppCore Catalogues", exclude: ["Library"], plugins: ["EmbedFiles"]),
        library("Simulator", "AppCore Catalogues Errors ForeignCore Layout Scenarios"),
    ])

let rooms = group(
    "Sources/Rooms",
    [
        library("DataChannels", "Errors COpenSSL CNice Platform SCTP"),
        library("Rendezvous", "Errors Cryptography Networking Platform Redis Storage Wire"),
        library("Rooms", "Cryptography DataChannels Networking Sealing Storage Wire"),
        library("SCTP", "Errors"),
    ])

let sealing = group(
    "Sources/Sealing",
    [
        library("ArkavoEvents", "Wire"),
        library("KeyAccess", "Errors Platform Cryptography NanoTDF Networking Wire"),
        library("NanoTDF", "Cryptography Errors Wire"),
        library("Sealing", "Errors Platform Cryptography Storage Wire"),
    ])

let notes = group(
    "Sources/Notes",
    [
        library(
            "CRDTBridge", "Cryptography Errors RichText ScriptEngine Wire", exclude: ["JavaScript"],
            plugins: ["BundleScripts"]),
        library("NoteFiles", "Cryptography CZstandard Errors Platform Storage Wire"),
        library("NoteIndex", "Platform RichText Storage"),
        library("Notes", "CRDTBridge Cryptography NoteFiles NoteIndex Platform RichText Storage Wire"),
        library("RichText", "CMarkdown Wire"),
    ])

let apps = group(
    "Sources/Apps",
    [
        library("AppPacks", "Components Cryptography CZip Errors Platform Storage Wire"),
        library("Apps", "AppPacks Components ComponentStorage HostFunctions Networking Storage WebGUI Wire"),
        library("ComponentRuntime", "Components Platform Preloads ScriptEngine Wire"),
        library("ComponentStorage", "Components Storage Wire"),
        library("Components", "Errors Platform Wire", exclude: ["Protos"], plugins: ["GenerateMessages"]),
        library("Sandbox", "Components ComponentRuntime CSeccomp Platform ScriptEngine Wire"),
        library("ExternalCore", "Components ComponentRuntime Errors HostFunctions Networking Storage"),
        library("HostFunctions", "Components Cryptography CSodium Networking Platform Storage Wire"),
        library("Preloads", exclude: ["JavaScript"], plugins: ["BundlePreloads"]),
        library("WebGUI", "Components Networking Preloads Wire"),
    ])

let agents = group(
    "Sources/Agents",
    [
        library("AgentProtocols", "Errors Wire"),
        library("Agents", "AgentProtocols Cryptography Errors Networking Platform Storage Wire"),
    ])

let host = group(
    "Sources/Host",
    [
        library(
            "Host",
            """
            Platform AgentProtocols Agents AppCore AppPacks Apps CRDTBridge CZip Catalogues Components Errors Sandbox
            Cryptography DataChannels
            ExternalCore ForeignCore HostFunctions Networking Notes Notifications QRCodes Rooms Scenarios Sealing Storage
            Wire
            """),
        library("PageServer", "Cryptography Host Networking Storage WebFiles"),
    ])

let commands = group(
    "Sources/Commands",
    [
        program(
            "alcove",
            """
            AgentProtocols Agents AppCore AppPacks Apps CRDTBridge Catalogues ComponentRuntime Components Cryptography DataChannels Errors
            ExternalCore ForeignCore Host HostFunctions KeyAccess Layout LineEditor MediaHeaders NanoTDF Networking Notes
            Notifications PageServer Platform QRCodes Rendezvous Rooms Sandbox Scenarios Sealing Simulator Storage Wire
            """, linked: [installable]),
        program("alcove-component", "Sandbox", linked: [selfContained]),
        library("LineEditor", "Wire"),
    ])

/// Whether everything is built with the sanitizer, for `Scripts/fuzz`.
let isFuzzing = Context.environment["ALCOVE_FUZZ"] != nil

/// At build time the JSON files of `Scenarios` and `Catalogues` become part of these modules, Yjs with our scripts of `CRDTBridge`, and the
/// schemas of `Components` become Swift.
let buildTools =
    group(
        "Sources/BuildTools",
        [
            program("message-generator", isFuzzing ? "Wire FuzzTool" : "Wire"),
            program("file-embedder", isFuzzing ? "FuzzTool" : ""),
            program("script-bundler", isFuzzing ? "FuzzTool" : ""),
        ]) + [
        .plugin(
            name: "BundlePreloads", capability: .buildTool(), dependencies: ["message-generator", "script-bundler"]),
        .plugin(name: "BundleScripts", capability: .buildTool(), dependencies: ["script-bundler"]),
        .plugin(name: "GenerateMessages", capability: .buildTool(), dependencies: ["message-generator"]),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["file-embedder"]),
    ]

let examples = group(
    "Examples",
    [
        program("data-channel-echo", "DataChannels"),
        program("run-a-script", "ScriptEngine"),
        program("seal-a-file", "Cryptography NanoTDF"),
    ])

let benchmarks = Target.executableTarget(
    name: "Benchmarks",
    dependencies: [
        "Agents", "AppCore", "Components", "ComponentRuntime", "ComponentStorage", "Sandbox", "CRDTBridge",
        "Cryptography",
        "DataChannels", "Host", "HostFunctions", "KeyAccess", "Layout", "NanoTDF", "Networking", "NoteFiles",
        "NoteIndex", "Notes", "Peers", "Platform", "Redis", "Rendezvous", "RichText", "Rooms", "Scenarios",
        "ScriptEngine",
        "Sealing",
        "SealingSupport",
        "Simulator", "Storage", "StorageClient", "WebFiles", "Wire",
    ],
    path: "Benchmarks", exclude: ["peers"], swiftSettings: strict)

let testTargets: [Target] = [
    group(
        "Tests/Base",
        [
            tests("CryptographyTests", "Cryptography"),
            // A server on the loopback interface for tests that ask one.
            library("LoopbackWeb", "Networking"),
            tests("MediaHeadersTests", "MediaHeaders Wire"),
            tests("NetworkingTests", "COpenSSL Networking ProgramRunner"),
            tests("NotificationsTests", "Notifications ProgramRunner", exclude: ["notification_server.py"]),
            tests("PlatformTests", "Platform"),
            tests("QRCodesTests", "Errors Peers QRCodes"),
            tests("StorageTests", "Cryptography ProgramRunner Storage"),
            tests("WebFilesTests", "Networking Platform ProgramRunner Storage upload-crash-helper WebFiles"),
            program("upload-crash-helper", "Networking Platform Storage WebFiles"),
            tests("WireTests", "Wire"),
        ]),
    group(
        "Tests/Scripting",
        [
            tests("ScriptEngineTests", "ScriptEngine")
        ]),
    group(
        "Tests/Core",
        [
            tests("AppCoreTests", "AppCore Catalogues"),
            tests("CoreABITests", "AppCore CAlcoveCore Catalogues CoreABI ProgramRunner Scenarios"),
            tests("ForeignCoreTests", "AppCore ForeignCore Platform ProgramRunner Scenarios", exclude: ["Cores"]),
            tests("CataloguesTests", "AppCore Catalogues Scenarios"),
            tests("LayoutTests", "AppCore Catalogues Layout Scenarios"),
            tests("ScenariosTests", "AppCore Scenarios"),
            program("simulator-lines", "AppCore Scenarios Simulator"),
            tests("SimulatorTests", "AppCore ProgramRunner Scenarios Simulator", exclude: ["Cores", "Golden"]),
        ]),
    group(
        "Tests/Rooms",
        [
            tests("DataChannelsTests", "DataChannels ProgramRunner"),
            tests("RendezvousTests", "Cryptography Networking Peers Redis Rendezvous Storage Wire"),
            tests(
                "RoomsTests",
                """
                Cryptography DataChannels Networking Peers ProgramRunner Rendezvous Rooms Sealing Storage Wire
                """),
            tests("SCTPTests", "CUsrsctp Errors SCTP"),
        ]),
    group(
        "Tests/Sealing",
        [
            tests("ArkavoEventsTests", "ArkavoEvents ProgramRunner Wire", exclude: ["Schemas"]),
            tests("KeyAccessTests", "Cryptography KeyAccess NanoTDF Networking Peers Wire"),
            tests("NanoTDFTests", "Cryptography NanoTDF"),
            program("sealing-crash-helper", "Sealing SealingSupport Storage"),
            // A place for one-time keys, for all who seal without a profile.
            library("SealingSupport", "Cryptography Sealing Storage"),
            tests(
                "SealingTests",
                "Platform AppCore Cryptography NanoTDF ProgramRunner Sealing sealing-crash-helper SealingSupport Storage"
            ),
        ]),
    group(
        "Tests/Notes",
        [
            tests("CRDTBridgeTests", "CRDTBridge RichText ScriptEngine"),
            program("index-crash-helper", "NoteIndex"),
            program("note-writer-crash-helper", "NoteFiles Platform"),
            tests("NoteFilesTests", "NoteFiles note-writer-crash-helper Platform ProgramRunner Wire"),
            tests("NoteIndexTests", "index-crash-helper NoteIndex Platform ProgramRunner RichText Storage"),
            program("notes-crash-helper", "Notes"),
            tests(
                "NotesTests",
                """
                CRDTBridge NoteFiles Notes notes-crash-helper Platform ProgramRunner RichText Storage Wire
                """),
            tests("RichTextTests", "RichText"),
        ]),
    group(
        "Tests/Apps",
        [
            program("app-packs-crash-helper", "AppPacks Components"),
            tests(
                "AppPacksTests",
                "app-packs-crash-helper AppPacks Components CZip Platform ProgramRunner ScriptEngine Storage Wire"),
            tests(
                "AppsTests",
                """
                AppPacks Apps Components ComponentRuntime ComponentStorage HostFunctions Networking StorageClient
                """),
            tests("ComponentRuntimeTests", "Components ComponentRuntime ComponentSupport ScriptEngine"),
            tests(
                "ComponentStorageTests",
                "Components ComponentStorage Platform ProgramRunner Storage storage-crash-helper StorageClient Wire"),
            tests("ComponentsTests", "Components ProgramRunner Wire"),
            // What waits for the events of components.
            library("ComponentSupport", "Components"),
            tests(
                "SandboxTests",
                "Components ComponentSupport Sandbox evil-component ProgramRunner"),
            // Confines itself like a component and then does what none may.
            program("evil-component", "Sandbox CSeccomp Platform"),
            tests(
                "ExternalCoreTests",
                """
                Components ComponentRuntime Cryptography ExternalCore HostFunctions LoopbackWeb Networking Wire
                """, exclude: ["Core"]),
            tests("HostFunctionsTests", "Components Cryptography HostFunctions LoopbackWeb Networking Storage Wire"),
            tests("PreloadsTests", "Preloads ScriptEngine", exclude: ["JavaScript"], plugins: ["BundlePreloads"]),
            program("storage-crash-helper", "Components ComponentStorage StorageClient"),
            // An app's side of the objects of a storage.
            library("StorageClient", "Components"),
            tests("WebGUITests", "Components ComponentStorage Networking Peers WebGUI"),
        ]),
    group(
        "Tests/Agents",
        [
            tests("AgentProtocolsTests", "AgentProtocols Errors Wire"),
            tests("AgentsTests", "AgentProtocols Agents Errors Networking Peers Storage Wire"),
        ]),
    group(
        "Tests/Host",
        [
            program("archive-crash-helper", "Cryptography Host"),
            tests(
                "HostTests",
                """
                Platform AgentProtocols Agents AppCore AppPacks Apps archive-crash-helper Catalogues ComponentRuntime Components
                Sandbox Cryptography Errors Host HostFunctions Networking Notes Notifications PageServer Peers profile-crash-helper ProgramRunner Rendezvous Rooms Scenarios Sealing
                Storage Wire
                """),
            program("profile-crash-helper", "AppCore Catalogues Host"),
        ]),
    group(
        "Tests/Commands",
        [
            tests("LineEditorTests", "Wire LineEditor")
        ]),
    group(
        "Tests",
        [
            // Foreign programs that tests run beside ours.
            library("Peers", "Networking Platform ProgramRunner"),
            library("ProgramRunner", "Platform"),
            tests(
                "DocumentationTests",
                """
                alcove AppCore ArkavoEvents DataChannels ForeignCore Layout NoteFiles ProgramRunner RichText
                Scenarios ScriptEngine Wire
                """, path: "Documentation"),
            tests(
                "InteropTests", "CRDTBridge Cryptography DataChannels KeyAccess NanoTDF Notes Peers RichText Wire",
                path: "Interop", exclude: ["peers", "requirements.txt", "model-requirements.txt"]),
            tests(
                "EndToEndTests", "alcove AppCore Host Networking Peers Platform ProgramRunner", path: "EndToEnd",
                exclude: ["Core"]),
        ]),
].flatMap { $0 }

/// The parsers of foreign bytes that have a libFuzzer program: `Fuzz/<name>/<name>.swift`, with seeds beside it.
let fuzzed: [(name: String, dependencies: String)] = [
    ("ACPServerLines", "AgentProtocols Wire"),
    ("AgentLines", "AgentProtocols Wire"),
    ("GatewayLines", "AgentProtocols Wire"),
    ("AppZip", "AppPacks Components Platform"),
    ("AttachFrames", "AppCore Host"),
    ("CompletionChunks", "AgentProtocols Networking Wire"),
    ("ComponentFiles", "Components ComponentStorage StorageClient Wire"),
    ("ComponentMessages", "Components"),
    ("ConfinedFrames", "ComponentRuntime Sandbox Wire"),
    ("Core", "AppCore"),
    ("CoreABI", "CAlcoveCore CoreABI"),
    ("CRDTUpdate", "CRDTBridge"),
    ("DCEP", "DataChannels"),
    ("Difference", "RichText"),
    ("Envelope", "Rooms"),
    ("FlatBuffers", "ArkavoEvents Wire"),
    ("FunctionCalls", "Components"),
    ("FilePorts", "Components HostFunctions"),
    ("Gzip", "Wire"),
    ("HTTPBodies", "Rendezvous"),
    ("HTTPMessages", "Networking"),
    ("HTTPParts", "Networking"),
    ("HTTPPipelines", "Networking Platform"),
    ("HTTPRanges", "Networking"),
    ("ICECandidate", "DataChannels"),
    ("JoinCode", "Rooms"),
    ("KeyAccessBodies", "KeyAccess Wire"),
    ("KeyAccessPolicies", "KeyAccess Wire"),
    ("KeyStores", "Cryptography NanoTDF"),
    ("LineEditor", "LineEditor"),
    ("Manifest", "Components"),
    ("Markdown", "RichText"),
    ("MCPLines", "AgentProtocols Wire"),
    ("MediaHeaders", "MediaHeaders"),
    ("NamePatterns", "ComponentStorage"),
    ("NanoTDF", "Cryptography NanoTDF"),
    ("NanoTDFDataset", "Cryptography NanoTDF"),
    ("NanoTDFPolicy", "NanoTDF"),
    ("NoteDocument", "Notes"),
    ("NoteFrames", "Rooms"),
    ("NoteLines", "NoteFiles"),
    ("NoteLog", "NoteFiles"),
    ("NoteSnapshots", "NoteFiles"),
    ("ObjectIPC", "Components"),
    ("PoolAnnouncements", "Sealing SealingSupport"),
    ("PoolFile", "Storage"),
    ("ProfileArchive", "Storage"),
    ("Protobuf", "Wire"),
    ("SCTP", "SCTP"),
    ("SDP", "DataChannels"),
    ("SealedMessage", "Sealing SealingSupport"),
    ("SearchWords", "NoteIndex"),
    ("Signaling", "Rendezvous"),
    ("ServerSentEvents", "Networking"),
    ("SharingFrames", "AgentProtocols Wire"),
    ("SupervisorLines", "AgentProtocols Wire"),
    ("SimulatorRequest", "AppCore Scenarios Simulator"),
    ("Vault", "Cryptography Storage"),
    ("Verification", "Cryptography Rooms"),
    ("ViewTree", "AppCore Layout"),
    ("WebSocketFrames", "Networking"),
]

/// The programs exist only for `Scripts/fuzz`, because all they stand on has to be built with the sanitizer.
func fuzzers() -> [Target] {
    guard isFuzzing else { return [] }
    let entries = fuzzed.map { "ENTRY(Fuzz\($0.name)_main)" }.joined(separator: " ")
    let driver = Target.target(name: "FuzzDriver", path: "Fuzz/Driver", cSettings: [.define("ENTRIES", to: entries)])
    let tool = Target.target(name: "FuzzTool", path: "Fuzz/Tool")
    return [driver, tool]
        + fuzzed.map { fuzzer in
            .executableTarget(
                name: "Fuzz\(fuzzer.name)",
                dependencies: names(fuzzer.dependencies + " FuzzDriver"),
                path: "Fuzz/\(fuzzer.name)",
                exclude: ["seeds"],
                swiftSettings: strict
            )
        }
}

let everything =
    [
        cLibraries, base, scripting, core, rooms, sealing, notes, apps, agents, host, commands, buildTools, examples,
        testTargets,
    ]
    .flatMap { $0 } + [benchmarks] + fuzzers()

/// Programs that targets start, without depending on them.
let started = [
    "Benchmarks": ["alcove-component"], "SandboxTests": ["alcove-component"],
    "DocumentationTests": ["alcove-component"], "EndToEndTests": ["alcove-component"],
    "HostTests": ["alcove-component"],
]

/// The targets that `ALCOVE_ONLY` names and what they stand on, so that work on one of them builds no more than that:
/// `ALCOVE_ONLY=WireTests swift test`.
func chosen(from targets: [Target]) -> [Target] {
    guard let names = Context.environment["ALCOVE_ONLY"]?.split(separator: " ").map(String.init) else { return targets }
    let named = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
    var reached: Set<String> = []
    var waiting = names
    while let name = waiting.popLast() {
        guard reached.insert(name).inserted, let target = named[name] else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { waiting.append(dependency) }
        waiting += started[name] ?? []
        for case .plugin(let plugin, _) in target.plugins ?? [] { waiting.append(plugin) }
    }
    return targets.filter { reached.contains($0.name) }
}

let targets = chosen(from: everything)
let products: [Product] = [
    .library(name: "ArkavoEvents", targets: ["ArkavoEvents", "Wire"]),
    .library(name: "Components", targets: ["Components", "Wire"]),
    .library(name: "CRDTBridge", targets: ["CRDTBridge", "RichText"]),
    .library(name: "DataChannels", targets: ["DataChannels"]),
    .library(name: "NanoTDF", targets: ["Cryptography", "NanoTDF"]),
    .library(name: "RichText", targets: ["RichText"]),
    .library(name: "ScriptEngine", targets: ["ScriptEngine"]),
    .library(name: "Sealing", targets: ["Cryptography", "Sealing", "Storage"]),
    .library(name: "alcove_core", type: .dynamic, targets: ["CoreLibrary"]),
]

let package = Package(
    name: "alcove",
    products: Context.environment["ALCOVE_ONLY"] == nil ? products : [],
    targets: targets,
    swiftLanguageModes: [.v6]
)
