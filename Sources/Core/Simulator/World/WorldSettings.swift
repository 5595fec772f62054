package import AppCore

/// How the world behaves when no rule says otherwise: the object `world` of a scenario.
package struct WorldSettings: Sendable, Hashable {
    /// Whether there is a network.
    package var online = true
    /// Whether the server tells at once that the other person came; otherwise it has to be asked.
    package var pushes = true
    /// Codes of rooms that other people made and wait in, with the words that belong to them.
    package var codes: [String: String] = ["123456": "maple-otter"]
    package var peer = PeerSettings()
    package var notes = NotesSettings()
    package var apps = AppsSettings()
    package var agents = AgentsSettings()
    /// What comes of it when a view records.
    package var microphone = Microphone.works
    /// Whether the disk takes nothing any more; effects wait until it does again.
    package var diskFull = false
    /// Milliseconds that the vault needs for a passphrase.
    package var vaultDelayMs: Int64 = 0
    package var rules: [Rule] = []

    package init() {}

    package enum Microphone: String, Sendable, Hashable, Codable, CaseIterable {
        case works
        /// The person is asked whether it may be used, and has not answered.
        case asks
        case refused, absent
        /// It is there, and gives nothing.
        case broken
    }
}

/// How the other person and their machine behave.
package struct PeerSettings: Sendable, Hashable {
    /// Every setting, as in JSON.
    static let names = [
        "comes_after_ms", "words", "acknowledges", "sees", "echoes", "files", "lifetimes", "path", "trusts", "meets",
        "pool", "seals_with", "shares",
    ]

    /// What they enter besides the digits.
    package enum Words: String, Sendable, Hashable, Codable { case right, none, wrong }

    /// What they do with a question.
    package enum Answer: String, Sendable, Hashable, Codable { case accept, decline, ignore }

    /// Milliseconds after which they come into a room that was made here; without it they come when told.
    package var comesAfterMs: Int64?
    package var words = Words.right
    /// Whether their machine acknowledges what arrives.
    package var acknowledges = true
    /// Whether they look at what arrives.
    package var sees = true
    /// Whether they say everything again that they are told.
    package var echoes = false
    package var files = Answer.accept
    package var lifetimes = Answer.ignore
    /// The path between the machines: `direct`, `reflexive` or `relayed`.
    package var path = LinkPath.direct
    /// What they do when this side has them in its circle: with `accept` they say the same.
    package var trusts = Answer.accept
    /// Whether they look for this side without a code.
    package var meets = true
    /// One-time keys that a full pool of theirs has.
    package var pool = 1000
    /// What they seal with.
    package var sealsWith = Seal.oneTime
    /// What they do with a note that this side shares: with `accept` they share it back.
    package var shares = Answer.ignore

    package init() {}
}

/// The notes folder, and the other devices that write in it.
package struct NotesSettings: Sendable, Hashable {
    package enum Folder: String, Sendable, Hashable, Codable, CaseIterable {
        case writable
        case readOnly = "read_only"
        case full, missing
    }

    package var folder = Folder.writable
    /// The name that the others write under.
    package var author = "Ben"
    /// Notes that are there from the beginning, as Markdown.
    package var texts: [String] = []

    package init() {}
}

/// The library of apps, and how apps behave.
package struct AppsSettings: Sendable, Hashable {
    package enum Library: String, Sendable, Hashable, Codable, CaseIterable { case writable, busy, missing }

    package enum Behaviour: String, Sendable, Hashable, Codable, CaseIterable {
        case well
        /// It crashes soon after it started, and once more after it was started again.
        case crashes
    }

    package var library = Library.writable
    /// Where the packs are of what is installed from the beginning, with everything granted.
    package var installed: [String] = []
    package var behaves = Behaviour.well
    /// Whether components can be confined.
    package var hasSandbox = true
    /// Milliseconds that an installation takes.
    package var installMs: Int64 = 0

    package init() {}
}

/// How agents behave.
package struct AgentsSettings: Sendable, Hashable {
    package enum Behaviour: String, Sendable, Hashable, Codable, CaseIterable {
        /// It answers at once.
        case answers
        /// It wants to change a file first, and asks whether it may.
        case asks
        /// It asks for something, and then for something else under the same name.
        case changes
        /// It does not start.
        case missing
        /// It ends in the middle of its turn.
        case dies
        /// It says more than anybody can read.
        case floods
        /// What it says comes doubled, and in another order.
        case reorders
        /// It never ends its turn.
        case hangs
        /// It answers, knows its sessions again, and can be told how to work.
        case remembers
        /// The connection to it breaks in the middle of its turn, and is back after a minute. For agents of other people.
        case breaks
        /// A tool of it wants a password.
        case prompts
        /// It ends in the middle of its turn, and tells what it still did when it is started anew.
        case retells
    }

    package var behaves = Behaviour.answers

    package init() {}
}

// A key that is missing leaves the default.

extension AgentsSettings: Codable {
    private enum Key: CodingKey { case behaves }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        behaves = try container.decodeIfPresent(Behaviour.self, forKey: .behaves) ?? behaves
    }
}

extension AppsSettings: Codable {
    private enum Key: String, CodingKey {
        case library, installed, behaves, installMs
        case hasSandbox = "walls"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        library = try container.decodeIfPresent(Library.self, forKey: .library) ?? library
        installed = try container.decodeIfPresent([String].self, forKey: .installed) ?? installed
        behaves = try container.decodeIfPresent(Behaviour.self, forKey: .behaves) ?? behaves
        hasSandbox = try container.decodeIfPresent(Bool.self, forKey: .hasSandbox) ?? hasSandbox
        installMs = try container.decodeIfPresent(Int64.self, forKey: .installMs) ?? installMs
    }
}

extension NotesSettings: Codable {
    private enum Key: CodingKey { case folder, author, texts }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        folder = try container.decodeIfPresent(Folder.self, forKey: .folder) ?? folder
        author = try container.decodeIfPresent(String.self, forKey: .author) ?? author
        texts = try container.decodeIfPresent([String].self, forKey: .texts) ?? texts
    }
}

extension WorldSettings: Codable {
    private enum Key: CodingKey {
        case online, pushes, codes, peer, notes, apps, agents, microphone, diskFull, vaultDelayMs, rules
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        online = try container.decodeIfPresent(Bool.self, forKey: .online) ?? online
        pushes = try container.decodeIfPresent(Bool.self, forKey: .pushes) ?? pushes
        codes = try container.decodeIfPresent([String: String].self, forKey: .codes) ?? codes
        peer = try container.decodeIfPresent(PeerSettings.self, forKey: .peer) ?? peer
        notes = try container.decodeIfPresent(NotesSettings.self, forKey: .notes) ?? notes
        apps = try container.decodeIfPresent(AppsSettings.self, forKey: .apps) ?? apps
        agents = try container.decodeIfPresent(AgentsSettings.self, forKey: .agents) ?? agents
        microphone = try container.decodeIfPresent(Microphone.self, forKey: .microphone) ?? microphone
        diskFull = try container.decodeIfPresent(Bool.self, forKey: .diskFull) ?? diskFull
        vaultDelayMs = try container.decodeIfPresent(Int64.self, forKey: .vaultDelayMs) ?? vaultDelayMs
        rules = try container.decodeIfPresent([Rule].self, forKey: .rules) ?? rules
    }
}

extension PeerSettings: Codable {
    private enum Key: CodingKey {
        case comesAfterMs, words, acknowledges, sees, echoes, files, lifetimes, path, trusts, meets, pool, sealsWith,
            shares
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        comesAfterMs = try container.decodeIfPresent(Int64.self, forKey: .comesAfterMs)
        words = try container.decodeIfPresent(Words.self, forKey: .words) ?? words
        acknowledges = try container.decodeIfPresent(Bool.self, forKey: .acknowledges) ?? acknowledges
        sees = try container.decodeIfPresent(Bool.self, forKey: .sees) ?? sees
        echoes = try container.decodeIfPresent(Bool.self, forKey: .echoes) ?? echoes
        files = try container.decodeIfPresent(Answer.self, forKey: .files) ?? files
        lifetimes = try container.decodeIfPresent(Answer.self, forKey: .lifetimes) ?? lifetimes
        path = try container.decodeIfPresent(LinkPath.self, forKey: .path) ?? path
        trusts = try container.decodeIfPresent(Answer.self, forKey: .trusts) ?? trusts
        meets = try container.decodeIfPresent(Bool.self, forKey: .meets) ?? meets
        pool = min(max(try container.decodeIfPresent(Int.self, forKey: .pool) ?? pool, 0), 1_000_000)
        sealsWith = try container.decodeIfPresent(Seal.self, forKey: .sealsWith) ?? sealsWith
        shares = try container.decodeIfPresent(Answer.self, forKey: .shares) ?? shares
    }
}
