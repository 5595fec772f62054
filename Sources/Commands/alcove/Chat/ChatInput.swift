import AppCore
import Foundation

/// What a person types into a conversation: a line to say, or a command.
enum ChatInput: Equatable {
    case say(String)
    /// Paths, as they were typed.
    case file(String)
    /// Paths of sounds, as they were typed.
    case voice(String)
    case accept, decline, cancel
    case safety
    case compared(matches: Bool)
    case propose(Lifetime)
    case answer(accept: Bool)
    /// Something about a message that was said: the `back`-th from the end.
    case change(ChatChange, back: Int)
    case ephemeral(on: Bool)
    case place(String)
    case note(ChatNoteRequest)
    case status
    case trust(name: String?)
    case ignoreTrust
    case renewKeys
    case revoke(isConfirmed: Bool)
    case leave
    case quit
    case help
    case nothing
    /// Could not be understood; the text says what would be.
    case mistaken(String)
    /// Cannot be said; the text says why.
    case unsayable(String)

    static let manual: TerminalText = """
        /file PATH…         send pictures, other files or a folder
          /voice PATH…        send a recording (WAV, Ogg, WebM, M4A) as a voice message
          /accept /decline /cancel   answer the last file;   /open [#N]   show one that came
          /save [#N] PATH     keep a copy of a file that came, in a folder or as a new file
          /safety             show the safety number
          /compare yes|no     say whether it is the same on the other side
          /lifetime 1h|6h|1d|7d|30d|keep|ephemeral   propose how long messages stay;  /agree /disagree
          /ephemeral on|off   keep nothing of this room on this disk
          /reply [#N] TEXT    answer the other person's last message, or the Nth from the end
          /react [#N] EMOJI   react to it;  /react [#N] none   takes the reaction back
          /edit [#N] TEXT     give your last message another text;   /delete [#N]   delete it, here and there
          /place WHERE        send a place: 48.2, 16.37, a geo: URI, or a link to a map
          /note share TITLE   edit a note together, live;   /note list|new|show|append|stop
          /status             how the connection stands
          /trust [NAME]       take the other person into your circle, under this name, or /ignore that they did
          /renew              exchange fresh one-time keys
          /revoke yes         end the trust: every key goes at once
          /leave              leave the room and end    /quit   end; the room stays
          //text              say something that begins with a slash
        """

    init(_ typed: TypedLine) {
        switch typed {
        case .line(let line): self.init(line)
        case .unsayable(let reason): self = .unsayable(reason)
        }
    }

    init(_ line: String) {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.allSatisfy(\.isWhitespace) {
            self = .nothing
        } else if text.contains("\n") {
            // Several lines are never a command, whatever they begin with.
            self = .say(line)
        } else if text.hasPrefix("//") {
            self = .say(String(line.prefix { $0 != "/" }) + text.dropFirst())
        } else if text.hasPrefix("/") {
            let words = text.split(separator: " ", maxSplits: 1).map(String.init)
            self = Self.command(words[0], words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : "")
        } else {
            self = .say(line)
        }
    }

    private static func command(_ name: String, _ rest: String) -> ChatInput {
        switch name {
        case "/file": rest.isEmpty ? .mistaken("/file PATH…, with quotes around a path that has blanks") : .file(rest)
        case "/voice":
            rest.isEmpty ? .mistaken("/voice PATH…, with quotes around a path that has blanks") : .voice(rest)
        case "/accept": .accept
        case "/decline": .decline
        case "/cancel": .cancel
        case "/safety": .safety
        case "/compare":
            ["yes", "no"].contains(rest) ? .compared(matches: rest == "yes") : .mistaken("/compare yes|no")
        case "/lifetime":
            Lifetime(rawValue: rest).map { .propose($0) }
                ?? .mistaken("/lifetime " + Lifetime.allCases.map(\.rawValue).joined(separator: "|"))
        case "/trust": .trust(name: rest.isEmpty ? nil : rest)
        case "/ignore": .ignoreTrust
        case "/renew": .renewKeys
        case "/revoke":
            rest.isEmpty || rest == "yes" ? .revoke(isConfirmed: rest == "yes") : .mistaken("/revoke yes")
        case "/agree": .answer(accept: true)
        case "/disagree": .answer(accept: false)
        case "/ephemeral": ["on", "off"].contains(rest) ? .ephemeral(on: rest == "on") : .mistaken("/ephemeral on|off")
        case "/reply", "/react", "/edit", "/delete", "/open", "/save": change(name, rest)
        case "/place", "/location": rest.isEmpty ? .mistaken("/place 48.2, 16.37") : .place(rest)
        case "/note": ChatNoteRequest(rest).map { .note($0) } ?? .mistaken(ChatNoteRequest.usage)
        case "/status": .status
        case "/leave": .leave
        case "/quit": .quit
        case "/help": .help
        default: .mistaken("there is no \(name); /help lists what there is")
        }
    }

    private static func change(_ name: String, _ rest: String) -> ChatInput {
        var (back, text) = (1, rest)
        if rest.hasPrefix("#") {
            let words = rest.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
            guard let number = words.first.flatMap(Int.init), number > 0 else {
                return .mistaken("\(name) #N …, where #1 is the last message and #2 the one before")
            }
            (back, text) = (number, words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : "")
        }
        guard let change = ChatChange(name, text) else { return .mistaken("\(name) [#N] \(ChatChange.usage(name))") }
        return .change(change, back: back)
    }

    /// What is typed into standard input, line by line, until it ends.
    static func lines() -> AsyncStream<ChatInput> {
        let (stream, continuation) = AsyncStream<ChatInput>.makeStream()
        // Reading a line blocks, so it gets a thread of its own.
        Thread.detachNewThread {
            var lines = TypedLines()
            while let line = lines.next() { continuation.yield(ChatInput(line)) }
            continuation.finish()
        }
        return stream
    }
}
