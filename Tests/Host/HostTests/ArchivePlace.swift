import AppCore
import Cryptography
import Foundation
import Storage

@testable import Host

/// A folder with profiles and archives of them, gone after the test.
final class ArchivePlace {
    let folder: String

    static let passphrase = SecretBytes(copying: "correct horse".utf8)

    init(_ folder: String? = nil) throws {
        self.folder =
            folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Cheap, as tests open many.
    static func cost() throws -> Scrypt.Cost { try Scrypt.Cost(logN: 10, r: 8, p: 1) }

    @discardableResult
    func export(
        _ profile: String = "profile", to file: String = "backup", hasFiles: Bool = false, isMove: Bool = false,
        progress: @escaping ProfileArchive.Progress = { _, _ in true }
    ) throws -> ProfileArchive.Result {
        try ProfileArchive.export(
            profile: path(profile), to: path(file), passphrase: Self.passphrase, hasFiles: hasFiles, isMove: isMove,
            cost: Self.cost(), progress: progress)
    }

    @discardableResult
    func restore(_ file: String = "backup", to profile: String = "restored") throws -> ProfileArchive.Result {
        try ProfileArchive.restore(
            path(file), to: path(profile), passphrase: Self.passphrase, progress: { _, _ in true })
    }

    /// Why a profile cannot be exported or restored; nil if it can.
    static func refusal(_ body: () throws -> Void) -> ProfileArchiveError? {
        do { try body() } catch {
            return error as? ProfileArchiveError ?? ProfileArchiveError(.failed, "unexpected: \(error)")
        }
        return nil
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    func read(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

    /// What a profile holds: its records, or why it does not open.
    func records(_ profile: String) throws -> [String: String] {
        let profile = try Profile(path: path(profile))
        defer { profile.close() }
        return Dictionary(try profile.records().map { ($0.key.path, $0.json) }, uniquingKeysWith: { first, _ in first })
    }
}
