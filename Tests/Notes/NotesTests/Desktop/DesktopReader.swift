import Foundation
import Wire

/// Reads a storage directory by the desktop app's own rules, and refuses whatever that app would not take: the judge of
/// what we write.
struct DesktopReader {
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    struct Record {
        let file: String
        let sequence: UInt64
        let timestamp: Int64
        let update: [UInt8]
    }

    let root: URL

    /// All records of a document in the order in which that app applies them.
    /// - Parameter document: `notes/<id>` or `folders`.
    func records(of document: String) throws -> [Record] {
        let folder = root.appending(path: "\(document)/logs")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let logs = try names.map { name in (name, try Self.writer(of: name)) }.sorted { $0.1.time < $1.1.time }
        var records: [Record] = []
        var reached: [String: UInt64] = [:]
        for (name, writer) in logs {
            for record in try Self.records(in: folder.appending(path: name)) {
                guard record.sequence == reached[writer.instance, default: 0] + 1 else {
                    throw Refusal(description: "sequence violation in \(name): \(record.sequence)")
                }
                reached[writer.instance] = record.sequence
                records.append(record)
            }
        }
        return records
    }

    func notes() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "notes").path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Checks that the activity of a writer tells of nothing that is not in its logs.
    func checkActivity(of writer: String) throws {
        let path = root.appending(path: "activity/\(writer).\(writer).log")
        let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        guard text.hasSuffix("\n") else { throw Refusal(description: "\(path.lastPathComponent) ends in half a line") }
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count == 3, fields[1] == writer, let sequence = UInt64(fields[2]) else {
                throw Refusal(description: "an odd line: \(line)")
            }
            let note = "notes/\(fields[0])"
            guard FileManager.default.fileExists(atPath: root.appending(path: note).path) else { continue }
            let own = try records(of: note).filter { $0.file.hasPrefix("\(writer).\(writer).") }
            guard own.contains(where: { $0.sequence == sequence }) else {
                throw Refusal(description: "announced but not there: \(line)")
            }
        }
    }

    static func writer(of name: String) throws -> (instance: String, time: Int64) {
        if let parts = name.wholeMatch(of: /(.+)\.([^.]+)\.(\d+)\.crdtlog/) {
            return (String(parts.2), Int64(parts.3) ?? 0)
        }
        if let parts = name.wholeMatch(of: /(.+)_([^_]+)_(\d+)\.crdtlog/) {
            return (String(parts.2), Int64(parts.3) ?? 0)
        }
        if let parts = name.wholeMatch(of: /(.+)_(\d+)\.crdtlog/) { return (String(parts.1), Int64(parts.2) ?? 0) }
        throw Refusal(description: "no name of a log: \(name)")
    }

    static func records(in file: URL) throws -> [Record] {
        var reader = ByteReader([UInt8](try Data(contentsOf: file)))
        guard (try? reader.readBytes(5)) == [0x4e, 0x43, 0x4c, 0x47, 1] else {
            throw Refusal(description: "\(file.lastPathComponent): bad header")
        }
        var records: [Record] = []
        while !reader.isAtEnd {
            let length = Int(try reader.readVarint())
            if length == 0 {
                guard reader.isAtEnd else {
                    throw Refusal(description: "\(file.lastPathComponent): more after its end")
                }
                break
            }
            var record = ByteReader(try reader.readSlice(length))
            let timestamp = Int64(try record.readInteger(UInt64.self))
            let sequence = try record.readVarint()
            records.append(
                Record(
                    file: file.lastPathComponent, sequence: sequence, timestamp: timestamp,
                    update: Array(record.readRemaining())))
        }
        return records
    }
}
