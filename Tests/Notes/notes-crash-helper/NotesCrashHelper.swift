import Foundation
import Notes

/// Writes lines into a note as fast as it can until it is killed: `notes-crash-helper DIRECTORY HOME NOTE FIRST`.
///
/// The lines are long, so that a small disk is soon full. Each line's number goes to standard output once the library says that it is kept. If a line cannot be kept, it says why, and how
/// many a library that is opened anew finds.
@main struct NotesCrashHelper {
    private static let filler = String(repeating: " and so on", count: 40)

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 5, var number = Int(words[4]) else { return }
        let library = try await open(words)
        say("open")
        do throws(NoteFailure) {
            while true {
                try await library.append("line \(number) ends\(filler)", to: words[3])
                say("\(number)")
                number += 1
            }
        } catch {
            say("failed \(error.code.rawValue)")
        }
        await library.close()
        let again = try await open(words)
        let found = try await again.markdown(of: words[3]).matches(of: /line \d+ ends/).count
        say("found \(found)")
    }

    private static func open(_ words: [String]) async throws -> NoteLibrary {
        try await NoteLibrary.open(
            words[1], home: words[2], person: "Crash", options: NoteLibrary.Options(watches: false))
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
