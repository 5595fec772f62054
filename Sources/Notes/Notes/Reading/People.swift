internal import Foundation
internal import NoteFiles
internal import NoteIndex

/// The names of those who write in a storage directory.
struct People {
    private var names: [String: String] = [:]

    init() {}

    init(_ presences: [Presence]) {
        for presence in presences {
            let name = [presence.username, presence.user, presence.profileName].first { !$0.isEmpty }
            names[presence.profile.text] = name
            if names[presence.instance.text] == nil { names[presence.instance.text] = name }
        }
    }

    func knows(_ writer: RecordWriter) -> Bool {
        names[writer.instance] != nil || writer.profile.map { names[$0] != nil } == true
    }

    /// The name of a record's author; the id if no name is known.
    func name(of writer: RecordWriter?) -> String? {
        guard let writer else { return nil }
        return writer.profile.flatMap { names[$0] } ?? names[writer.instance] ?? writer.profile ?? writer.instance
    }
}

extension NoteLibrary {
    /// The name of a record's author, if it is known.
    func author(of record: LogRecord) -> String? {
        record.writer?.instance == directoryWriter?.id.text ? person : people.name(of: record.writer)
    }

    /// Looks who is there if somebody wrote whom we do not know. For a writer without a presence file, this looks once.
    func meet(_ records: [LogRecord]) {
        let strange = Set(records.compactMap(\.writer)).filter { !people.knows($0) }
        guard !unnamed.isSuperset(of: strange) else { return }
        readPeople()
        unnamed.formUnion(strange)
    }

    func readPeople() {
        doWithout("profiles") { () throws(NoteFailure) in
            people = People(try NoteFailure.wrapping { try directory.presences() }.presences)
        }
    }

    /// Says who writes, unless it is known.
    func introduce(_ writer: DirectoryWriter) throws(NoteFiles.NoteFilesError) {
        let host = ProcessInfo.processInfo.hostName
        let known = try directory.presences().presences.first { $0.profile == writer.id }
        guard known?.username != person || known?.hostname != host else { return }
        try writer.write(
            Presence(
                profile: writer.id, instance: writer.id, profileName: person, user: "", username: person,
                hostname: host,
                platform: Self.platform, appVersion: "Alcove", lastUpdated: options.clock()))
        people = People(try directory.presences().presences)
    }

    /// From now on this person writes under another name, as another writer: what was written before keeps the name that it has.
    package func call(_ person: String) {
        guard person != self.person else { return }
        self.person = person
        directoryWriter = nil
        readPeople()
    }

    private static var platform: String {
        #if os(Linux)
        "linux"
        #elseif os(iOS)
        "ios"
        #else
        "darwin"
        #endif
    }
}
