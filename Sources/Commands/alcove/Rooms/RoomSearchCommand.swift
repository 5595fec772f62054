import AppCore
import Host

/// `alcove room search`
struct RoomSearchCommand: Command {
    static let reference = CommandReference(
        "room search", "WORDS [--room ROOM] [--json]",
        "look for words in what was said and is kept; every word has to be there, in any case, with accents or without",
        takes: .some(1...16, "WORDS"),
        options: ProfileOptions.all + [
            .value("room", "ROOM", "look in one room alone"), .flag("json", "print a JSON array"),
        ],
        examples: ["alcove room search melon", "alcove room search --room Ben train tickets"])

    let arguments: Arguments

    func run() async throws {
        let query = arguments.operands.joined(separator: " ")
        let lines = try await ProfileOptions.attached(arguments) { host in
            var room: RoomID?
            if let text = arguments["room"] { room = try await RoomOperand(text: text).find(in: host).id }
            await host.dispatch(.rooms(.searchMessages(query: query, room: room)))
            let found: [MessageHit]? = await host.wait(upTo: .seconds(600)) { [room] state in
                let search = state.views.compactMap(\.search).first { $0.query == query && $0.room == room }
                return search?.effect == nil ? search?.hits : nil
            }
            guard let found else { throw CommandFailure("the search did not end in time", .temporaryFailure) }
            return await host.read { state in found.map { SaidLine($0, in: state.rooms[$0.room]?.title ?? "") } }
        }
        if arguments.has("json") { return try Terminal.print(json: lines) }
        for line in lines { Terminal.print("\(line.room)  \(line.text)") }
        if lines.isEmpty { Terminal.print("Nothing was found.") }
        if lines.count == RoomLimits.hits { Terminal.print("Only the first \(lines.count) are shown; add a word.") }
    }
}
