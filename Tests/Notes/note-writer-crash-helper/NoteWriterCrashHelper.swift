import Foundation
import NoteFiles
import Platform

/// Writes notes under bad conditions, for tests.
///
///     note-writer-crash-helper append FOLDER           appends until it is killed; what was acknowledged goes to FOLDER/acknowledged
///     note-writer-crash-helper full FOLDER BYTES       appends until no file may grow any more, and says why it stopped
///     note-writer-crash-helper denied FOLDER           tries to append without any right to do so, and says why it could not
///     note-writer-crash-helper read FOLDER             reads the note n piece by piece; how much was it, and what did it take?
///     note-writer-crash-helper hold FOLDER             takes an identity and keeps it until its input ends
@main struct NoteWriterCrashHelper {
    static func main() throws {
        let (command, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
        switch command {
        case "append": try append(in: folder)
        case "full":
            signal(SIGXFSZ, SIG_IGN)
            let bytes = rlim_t(CommandLine.arguments[3]) ?? 0
            var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            try appendUntilRefused(DirectoryWriter(folder))
        case "denied":
            let writer = try DirectoryWriter(folder)
            // Nobody: root may write everywhere.
            setuid(65534)
            try appendUntilRefused(writer)
        case "read": try read(StorageDirectory(opening: folder + "/notes"))
        case "hold":
            let lock = try WriterID.acquire(in: folder + "/home")
            FileHandle.standardOutput.write(Data("\(lock.id)\n".utf8))
            _ = FileHandle.standardInput.readDataToEndOfFile()
            withExtendedLifetime(lock) {}
        default: fatalError("no such command")
        }
    }

    /// Record `n` begins with its number in eight bytes; every fortieth is long, so that a kill can hit the middle of one.
    private static func append(in folder: String) throws {
        let writer = try DirectoryWriter(folder)
        let acknowledged = FileHandle(
            fileDescriptor: open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600))
        let notes = try (0..<3).map { DocumentID.note(try NoteID("note-\($0)")) } + [.folderTree]
        let first = UInt64(clock())
        // Whoever waits for this one may kill it from now on.
        FileHandle.standardOutput.write(Data([1]))
        for number in first... {
            let document = notes[Int(number % 4)]
            let length = number.isMultiple(of: 40) ? 400_000 : 40
            let content = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: length)
            try writer.append(withUnsafeBytes(of: number.bigEndian, Array.init) + content, to: document)
            try acknowledged.write(contentsOf: Data("\(document) \(number)\n".utf8))
        }
    }

    private static func appendUntilRefused(_ writer: DirectoryWriter) throws {
        let note = DocumentID.note(try NoteID("note"))
        var count = 0
        do throws(NoteFilesError) {
            while true {
                try writer.append([UInt8](repeating: 7, count: 1000), to: note)
                count += 1
            }
        } catch {
            print("\(count) \(error.code.rawValue) \(error.message)")
        }
    }

    private static func read(_ directory: StorageDirectory) throws {
        var reader = try directory.reader(of: .note(NoteID("n")))
        var (count, size) = (0, 0)
        while case .record(let record)? = reader.next() {
            count += 1
            size += record.payload.count
        }
        print(count, size, reader.summary.problems.count + reader.summary.incompleteFiles.count, peakMemory())
    }

    /// The most memory that this process had, in KiB.
    private static func peakMemory() -> Int {
        #if canImport(Darwin)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss >> 10
        #else
        // What getrusage says begins with the memory of whoever started us.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? .max
        #endif
    }

    /// Grows from one process to the next.
    private static func clock() -> Int64 { SystemClock.milliseconds() << 20 }
}

extension DirectoryWriter {
    fileprivate convenience init(_ folder: String) throws {
        self.init(try StorageDirectory(creating: folder + "/notes"), lock: try WriterID.acquire(in: folder + "/home"))
    }
}
