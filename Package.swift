// swift-tools-version: 6.3
import PackageDescription

// The floors of the house, from the ground up: a target may depend only on targets of floors below its own.
// `docs/architecture.md` says what each one owns.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
]

/// A C library that Debian packages.
func cLibrary(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/CLibraries/\(name)",
        pkgConfig: pkgConfig,
        providers: [.apt([apt])]
    )
}

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = []
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String? = nil,
    exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
        swiftSettings: strict)
}

/// A shared library that brings the Swift runtime with it and hides it: it loads where no Swift is, or another one.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-undefined", "-Xlinker", "--soname=libalcove_core.so.1",
            "-Xlinker", "-l_FoundationCollections", "-Xlinker", "-l_FoundationCShims",
            "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/CoreLibrary/exports.map",
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

let ground: [Target] = [
    .systemLibrary(name: "CAlcoveCore", path: "include"),
    cLibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    cLibrary("CNice", pkgConfig: "nice", apt: "libnice-dev"),
    cLibrary("CUsrsctp", apt: "libusrsctp-dev"),
    cLibrary("CEpoll", apt: "libc6-dev"),
    cLibrary("CSpawn", apt: "libc6-dev"),
    cLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    cLibrary("CInotify", apt: "libc6-dev"),
    cLibrary("CLinuxFiles", apt: "libc6-dev"),
    cLibrary("CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1", apt: "libjavascriptcoregtk-4.1-dev"),
    cLibrary("CMarkdown", pkgConfig: "libcmark-gfm", apt: "libcmark-gfm-dev"),
    cLibrary("CSeccomp", pkgConfig: "libseccomp", apt: "libseccomp-dev"),
    cLibrary("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
    cLibrary("CZip", pkgConfig: "libzip", apt: "libzip-dev"),
    cLibrary("CZstandard", pkgConfig: "libzstd", apt: "libzstd-dev"),
]

let first: [Target] = [
    library("AppCore"),
    library("Cryptography", ["COpenSSL"]),
    library("Networking", ["CEpoll", "COpenSSL"]),
    library("Wire"),
]

let second: [Target] = [
    .target(
        name: "Scenarios", dependencies: ["AppCore"], exclude: ["Library"], swiftSettings: strict,
        plugins: ["EmbedScenarios"]),
    library("ForeignCore", ["AppCore"]),
    .target(
        name: "Components", dependencies: ["Wire"], exclude: ["Protos"], swiftSettings: strict,
        plugins: ["GenerateMessages"]),
    library("DataChannels", ["COpenSSL", "CNice", "CUsrsctp"]),
    library("Layout", ["AppCore"]),
    library("LineEditor", ["Wire"]),
    .target(
        name: "Preloads", exclude: ["JavaScript"], swiftSettings: strict, plugins: ["BundlePreloads"]),
    library("RichText", ["CMarkdown", "Wire"]),
    library("ScriptEngine", ["CJavaScriptCore"]),
    library("Storage", ["CInotify", "CLinuxFiles", "CSQLite", "Cryptography", "Wire"]),
]

/// Whether everything is built with the sanitizer, for `Scripts/fuzz`.
let isFuzzing = Context.environment["ALCOVE_FUZZ"] != nil

/// At build time the scenario files become part of the module `Scenarios`, Yjs with our scripts of `CRDTBridge`, and the
/// schemas of `Components` become Swift.
let embedding: [Target] = [
    program("message-generator", ["Wire"] + (isFuzzing ? ["FuzzTool"] : [])),
    program("scenario-embedder", isFuzzing ? ["FuzzTool"] : []),
    program("script-bundler", isFuzzing ? ["FuzzTool"] : []),
    .plugin(name: "BundlePreloads", capability: .buildTool(), dependencies: ["message-generator", "script-bundler"]),
    .plugin(name: "BundleScripts", capability: .buildTool(), dependencies: ["script-bundler"]),
    .plugin(name: "GenerateMessages", capability: .buildTool(), dependencies: ["message-generator"]),
    .plugin(name: "EmbedScenarios", capability: .buildTool(), dependencies: ["scenario-embedder"]),
]

let third: [Target] = [
    library("AppPacks", ["Components", "Cryptography", "CZip", "Storage", "Wire"]),
    library("ComponentRuntime", ["Components", "Preloads", "ScriptEngine", "Wire"]),
    library("ComponentStorage", ["Components", "CInotify", "Storage", "Wire"]),
    library("HostFunctions", ["Components", "Cryptography", "CSodium", "Networking", "Storage", "Wire"]),
    .target(
        name: "CRDTBridge", dependencies: ["Cryptography", "RichText", "ScriptEngine", "Wire"],
        exclude: ["JavaScript"], swiftSettings: strict, plugins: ["BundleScripts"]),
    library("NoteFiles", ["Cryptography", "CZstandard", "Storage", "Wire"]),
    library("NoteIndex", ["RichText", "Storage", "Wire"]),
    library("TrustedData", ["Cryptography", "Storage", "Wire"]),
]

let fourth: [Target] = [
    library(
        "Apps", ["AppPacks", "Components", "ComponentStorage", "HostFunctions", "Networking", "Storage", "Wire"]),
    library("Confinement", ["CEpoll", "Components", "ComponentRuntime", "CSeccomp", "ScriptEngine", "Wire"]),
    library("ExternalCore", ["Components", "ComponentRuntime", "HostFunctions", "Networking", "Storage", "Wire"]),
    library("WebGUI", ["Components", "Networking", "Preloads", "Wire"]),
    library("KeyAccess", ["Cryptography", "Networking", "TrustedData", "Wire"]),
    library("Notes", ["CRDTBridge", "Cryptography", "NoteFiles", "NoteIndex", "RichText", "Storage", "Wire"]),
    library("Rendezvous", ["Cryptography", "Networking", "Storage", "Wire"]),
    library("Rooms", ["Cryptography", "DataChannels", "Networking", "Storage", "TrustedData", "Wire"]),
]

let fifth: [Target] = [
    library("CoreABI", ["AppCore", "CAlcoveCore", "Scenarios"]),
    library(
        "Host",
        [
            "AppCore", "AppPacks", "Apps", "Components", "Confinement", "Cryptography", "DataChannels", "ExternalCore",
            "ForeignCore", "HostFunctions", "Notes", "Rooms", "Scenarios", "Storage", "TrustedData",
        ]),
    library("Simulator", ["AppCore", "ForeignCore", "Layout", "Scenarios"]),
]

let sixth: [Target] = [
    .target(
        name: "CoreLibrary", dependencies: ["CoreABI"], exclude: ["exports.map"], swiftSettings: strict,
        linkerSettings: standalone),
    program(
        "Benchmarks",
        [
            "AppCore", "Components", "ComponentRuntime", "ComponentStorage", "Confinement", "CRDTBridge",
            "Cryptography", "DataChannels", "HostFunctions", "KeyAccess", "Layout", "Networking",
            "NoteFiles", "NoteIndex",
            "Notes", "Peers", "Rendezvous", "RichText", "Rooms", "Scenarios", "ScriptEngine", "SealingSupport",
            "Simulator", "Storage", "StorageClient", "TrustedData", "Wire",
        ],
        path: "Benchmarks", exclude: ["peers"]),
    .executableTarget(
        name: "alcove",
        dependencies: [
            "AppCore", "AppPacks", "Apps", "ComponentRuntime", "Components", "Confinement", "Cryptography",
            "DataChannels", "ExternalCore", "ForeignCore", "Host", "HostFunctions", "KeyAccess", "Layout",
            "LineEditor", "Networking", "Notes", "Rendezvous", "Rooms", "Scenarios", "Simulator", "Storage",
            "TrustedData", "Wire",
        ],
        swiftSettings: strict, linkerSettings: [installable]),
    .executableTarget(
        name: "alcove-component", dependencies: ["Confinement"], swiftSettings: strict,
        linkerSettings: [selfContained]),
    program("data-channel-echo", ["DataChannels"], path: "Examples/data-channel-echo"),
    program("run-a-script", ["ScriptEngine"], path: "Examples/run-a-script"),
    program("seal-a-file", ["Cryptography", "TrustedData"], path: "Examples/seal-a-file"),
]

let testTargets: [Target] = [
    // Foreign programs that tests run beside ours.
    .target(
        name: "Peers", dependencies: ["Networking", "ProgramRunner"], path: "Tests/Peers", swiftSettings: strict),
    .target(name: "ProgramRunner", dependencies: ["CSpawn"], path: "Tests/ProgramRunner", swiftSettings: strict),
    // What waits for the events of components.
    .target(
        name: "ComponentSupport", dependencies: ["Components"], path: "Tests/ComponentSupport", swiftSettings: strict),
    // A server on the loopback interface for tests that ask one.
    .target(name: "LoopbackWeb", dependencies: ["Networking"], path: "Tests/LoopbackWeb", swiftSettings: strict),
    // Confines itself like a component and then does what none may.
    program("evil-component", ["Confinement", "CSeccomp"], path: "Tests/EvilComponent"),
    // A place for one-time keys, for all who seal without a profile.
    .target(
        name: "SealingSupport", dependencies: ["Cryptography", "Storage", "TrustedData"], path: "Tests/SealingSupport",
        swiftSettings: strict),
    // An app's side of the objects of a storage.
    .target(
        name: "StorageClient", dependencies: ["Components"], path: "Tests/StorageClient", swiftSettings: strict),
    program("storage-victim", ["Components", "ComponentStorage", "StorageClient"], path: "Tests/StorageVictim"),
    program("index-victim", ["NoteIndex"], path: "Tests/IndexVictim"),
    program("notes-victim", ["Notes"], path: "Tests/NotesVictim"),
    program("profile-victim", ["AppCore", "Host"], path: "Tests/ProfileVictim"),
    program("archive-victim", ["Cryptography", "Host"], path: "Tests/ArchiveVictim"),
    program("sealing-victim", ["SealingSupport", "Storage", "TrustedData"], path: "Tests/SealingVictim"),
    tests("AppCoreTests", ["AppCore"]),
    program("app-packs-victim", ["AppPacks", "Components"], path: "Tests/AppPacksVictim"),
    tests(
        "AppPacksTests",
        ["app-packs-victim", "AppPacks", "Components", "CZip", "ProgramRunner", "ScriptEngine", "Storage", "Wire"]),
    tests(
        "AppsTests",
        [
            "AppPacks", "Apps", "Components", "ComponentRuntime", "ComponentStorage", "HostFunctions", "Networking",
            "StorageClient", "Wire",
        ]),
    tests(
        "ComponentRuntimeTests",
        ["Components", "ComponentRuntime", "ComponentSupport", "Preloads", "ScriptEngine", "Wire"]),
    tests(
        "ComponentStorageTests",
        ["Components", "ComponentStorage", "ProgramRunner", "Storage", "storage-victim", "StorageClient", "Wire"]),
    tests("ComponentsTests", ["Components", "ProgramRunner", "Wire"]),
    tests(
        "ConfinementTests",
        [
            "Components", "ComponentRuntime", "ComponentSupport", "Confinement", "evil-component", "ProgramRunner",
            "Wire",
        ]),
    tests(
        "ExternalCoreTests",
        [
            "Components", "ComponentRuntime", "Cryptography", "ExternalCore", "HostFunctions", "LoopbackWeb",
            "Networking", "Wire",
        ],
        exclude: ["Core"]),
    tests(
        "HostFunctionsTests",
        ["Components", "Cryptography", "HostFunctions", "LoopbackWeb", "Networking", "Storage", "Wire"]),
    .testTarget(
        name: "PreloadsTests", dependencies: ["Preloads", "ScriptEngine"], exclude: ["JavaScript"],
        swiftSettings: strict, plugins: ["BundlePreloads"]),
    tests("WebGUITests", ["Components", "ComponentStorage", "Networking", "Peers", "WebGUI", "Wire"]),
    tests("CoreABITests", ["AppCore", "CAlcoveCore", "CoreABI", "ProgramRunner", "Scenarios"]),
    tests("CRDTBridgeTests", ["CRDTBridge", "ProgramRunner", "RichText", "ScriptEngine"]),
    tests("CryptographyTests", ["Cryptography"]),
    tests("DataChannelsTests", ["DataChannels", "ProgramRunner"]),
    tests(
        "DocumentationTests",
        [
            "alcove", "AppCore", "DataChannels", "ForeignCore", "Layout", "NoteFiles", "ProgramRunner", "RichText",
            "Scenarios", "ScriptEngine", "TrustedData", "Wire",
        ],
        path: "Tests/Documentation"),
    tests(
        "InteropTests",
        [
            "CRDTBridge", "Cryptography", "DataChannels", "KeyAccess", "Notes", "Peers", "RichText", "TrustedData",
            "Wire",
        ],
        path: "Tests/Interop", exclude: ["peers", "requirements.txt"]),
    tests(
        "EndToEndTests", ["alcove", "AppCore", "Host", "Networking", "Peers", "ProgramRunner"],
        path: "Tests/EndToEnd", exclude: ["Core"]),
    tests("ForeignCoreTests", ["AppCore", "ForeignCore", "ProgramRunner", "Scenarios"], exclude: ["Cores"]),
    tests(
        "HostTests",
        [
            "AppCore", "AppPacks", "Apps", "archive-victim", "ComponentRuntime", "Components", "Confinement",
            "Cryptography", "Host", "HostFunctions", "Notes", "profile-victim", "ProgramRunner", "Rendezvous", "Rooms",
            "Scenarios", "Storage",
            "TrustedData",
        ]),
    tests("KeyAccessTests", ["Cryptography", "KeyAccess", "Networking", "Peers", "TrustedData", "Wire"]),
    tests("LayoutTests", ["AppCore", "Layout", "Scenarios"]),
    tests("LineEditorTests", ["LineEditor"]),
    tests("NetworkingTests", ["COpenSSL", "Networking", "ProgramRunner"]),
    program("note-writer-victim", ["NoteFiles"], path: "Tests/NoteWriterVictim"),
    tests("NoteFilesTests", ["NoteFiles", "note-writer-victim", "ProgramRunner", "Storage", "Wire"]),
    tests("NoteIndexTests", ["index-victim", "NoteIndex", "ProgramRunner", "RichText", "Storage"]),
    tests(
        "NotesTests",
        [
            "CRDTBridge", "NoteFiles", "NoteIndex", "Notes", "notes-victim", "ProgramRunner", "RichText", "Storage",
            "Wire",
        ]),
    tests("RendezvousTests", ["Cryptography", "Networking", "Rendezvous", "Storage", "Wire"]),
    tests(
        "RoomsTests",
        [
            "Cryptography", "DataChannels", "Networking", "Peers", "ProgramRunner", "Rendezvous", "Rooms", "Storage",
            "TrustedData", "Wire",
        ]),
    tests("RichTextTests", ["RichText"]),
    tests("ScenariosTests", ["AppCore", "Scenarios"]),
    tests("ScriptEngineTests", ["ProgramRunner", "ScriptEngine"]),
    tests(
        "SimulatorTests", ["AppCore", "Layout", "ProgramRunner", "Scenarios", "Simulator"],
        exclude: ["Cores", "Golden"]),
    tests("StorageTests", ["Cryptography", "Storage"]),
    tests(
        "TrustedDataTests",
        [
            "AppCore", "Cryptography", "ProgramRunner", "sealing-victim", "SealingSupport", "Storage", "TrustedData",
            "Wire",
        ],
        exclude: ["Schemas"]),
    tests("WireTests", ["ProgramRunner", "Wire"]),
]

/// The parsers of foreign bytes that have a libFuzzer program: `Fuzz/<name>/<name>.swift`, with seeds beside it.
let fuzzed: [(name: String, dependencies: [Target.Dependency])] = [
    ("AppZip", ["AppPacks"]),
    ("ComponentFiles", ["Components", "ComponentStorage", "StorageClient", "Wire"]),
    ("ComponentMessages", ["Components"]),
    ("ConfinedFrames", ["ComponentRuntime", "Confinement", "Wire"]),
    ("Core", ["AppCore"]),
    ("CoreABI", ["CAlcoveCore", "CoreABI"]),
    ("CRDTUpdate", ["CRDTBridge"]),
    ("DCEP", ["DataChannels"]),
    ("Difference", ["RichText"]),
    ("Envelope", ["Rooms"]),
    ("FlatBuffers", ["TrustedData", "Wire"]),
    ("FunctionCalls", ["Components"]),
    ("FilePorts", ["Components", "HostFunctions"]),
    ("HTTPBodies", ["Rendezvous"]),
    ("HTTPMessages", ["Networking"]),
    ("HTTPPipelines", ["Networking"]),
    ("ICECandidate", ["DataChannels"]),
    ("Inflate", ["Wire"]),
    ("JoinCode", ["Rooms"]),
    ("KeyAccessBodies", ["KeyAccess", "Wire"]),
    ("KeyAccessPolicies", ["KeyAccess", "Wire"]),
    ("KeyStores", ["Cryptography", "TrustedData"]),
    ("LineEditor", ["LineEditor"]),
    ("Manifest", ["Components"]),
    ("Markdown", ["RichText"]),
    ("NamePatterns", ["ComponentStorage"]),
    ("NanoTDF", ["Cryptography", "TrustedData"]),
    ("NanoTDFDataset", ["Cryptography", "TrustedData"]),
    ("NanoTDFPolicy", ["TrustedData"]),
    ("NoteDocument", ["Notes"]),
    ("NoteFrames", ["Rooms"]),
    ("NoteLines", ["NoteFiles"]),
    ("NoteLog", ["NoteFiles"]),
    ("NoteSnapshots", ["NoteFiles"]),
    ("ObjectIPC", ["Components"]),
    ("PoolAnnouncements", ["SealingSupport", "TrustedData"]),
    ("PoolFile", ["Storage"]),
    ("ProfileArchive", ["Storage"]),
    ("Protobuf", ["Wire"]),
    ("SDP", ["DataChannels"]),
    ("SealedMessage", ["SealingSupport", "TrustedData"]),
    ("SearchWords", ["NoteIndex"]),
    ("Signaling", ["Rendezvous"]),
    ("SimulatorRequest", ["AppCore", "Scenarios", "Simulator"]),
    ("Vault", ["Cryptography", "Storage"]),
    ("Verification", ["Cryptography", "Rooms"]),
    ("ViewTree", ["AppCore", "Layout"]),
    ("WebSocketFrames", ["Networking"]),
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
                dependencies: fuzzer.dependencies + ["FuzzDriver"],
                path: "Fuzz/\(fuzzer.name)",
                exclude: ["seeds"],
                swiftSettings: strict
            )
        }
}

let everything = ground + first + embedding + second + third + fourth + fifth + sixth + testTargets + fuzzers()

/// Programs that targets start, without depending on them.
let started = [
    "Benchmarks": ["alcove-component"], "ConfinementTests": ["alcove-component"],
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
    .library(name: "DataChannels", targets: ["DataChannels"]),
    .library(name: "ScriptEngine", targets: ["ScriptEngine"]),
    .library(name: "TrustedData", targets: ["Cryptography", "TrustedData"]),
    .library(name: "alcove_core", type: .dynamic, targets: ["CoreLibrary"]),
]

let package = Package(
    name: "alcove",
    products: Context.environment["ALCOVE_ONLY"] == nil ? products : [],
    targets: targets,
    swiftLanguageModes: [.v6]
)
