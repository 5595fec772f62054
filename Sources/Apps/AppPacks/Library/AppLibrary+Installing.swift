package import Components
internal import Storage

extension AppLibrary {
    /// Looks at a folder or ZIP file that may hold an app, and at what is installed. Changes nothing.
    package func inspect(_ source: String) throws(AppPackError) -> PackInspection {
        let pack = try Pack(source, limits: limits)
        let others = try list().apps.filter { $0.domain != pack.manifest.domain }
        let kept = try keptFiles(of: [pack.manifest.domain] + pack.manifest.foldersBelow)
        return try PackInspection(
            pack, installed: try installedIfWhole(pack.manifest.domain), others: others.map(\.manifest), kept: kept)
    }

    /// Installs what was inspected. An update keeps the app's data and what it was granted.
    ///
    /// When this returns, the app is there whole, also after a power cut.
    /// - Parameters:
    ///   - granting: those of ``PackInspection/newRequests`` that the person grants. The others are denied until they are granted.
    ///   - goingBack: whether a newer version may be replaced.
    ///   - publisher: who installs it. An app may replace itself, and what it installed itself.
    ///   - progress: gets how many bytes were copied by now.
    @discardableResult
    package func install(
        _ inspection: PackInspection, granting: Set<Capability>, goingBack: Bool = false,
        by publisher: AppPublisher = .person, progress: (Int64) -> Void = { _ in }
    ) throws(AppPackError) -> InstalledApp {
        try inspection.check(goingBack: goingBack)
        return try changing { (lock) throws(AppPackError) in
            sweep(holding: lock)
            try check(publisher, mayPublish: inspection.manifest.domain)
            do throws(AppPackError) {
                return try install(inspection, granting, by: publisher) { progress($0.bytes) }
            } catch {
                // What was copied so far, because the disk may be full.
                sweep(holding: lock)
                throw error
            }
        }
    }

    private func install(
        _ inspection: PackInspection, _ granting: Set<Capability>, by publisher: AppPublisher,
        _ progress: (PackProgress) -> Void
    ) throws(AppPackError) -> InstalledApp {
        let pack = try Pack(inspection.source, limits: limits)
        let installed = try installedIfWhole(inspection.manifest.domain)
        guard pack.manifestBytes == inspection.manifestBytes, installed == inspection.installed else {
            throw AppPackError(
                .changed, "\(inspection.source), or what is installed, changed meanwhile; look at it again")
        }
        let grants = try grants(after: inspection, granting, over: installed)
        let unpacked = try unpack(pack, progress)
        try note(publisher, of: pack.manifest.domain)
        return try reporting(try putInPlace(unpacked, pack.manifest, grants, over: installed))
    }

    /// What is installed, as far as it can be read: what is damaged is installed anew.
    private func installedIfWhole(_ domain: AppDomain) throws(AppPackError) -> InstalledApp? {
        do throws(AppPackError) { return try installed(domain) } catch {
            if error.code == .manifest || error.code == .file { return nil }
            throw error
        }
    }

    /// What was granted of all that was asked for, and what is granted now of all that is new.
    private func grants(
        after inspection: PackInspection, _ granting: Set<Capability>, over installed: InstalledApp?
    ) throws(AppPackError) -> Grants {
        var granted: [Permission] = []
        if let installed {
            let stored = try grants(of: installed.domain)
            granted = installed.manifest.requests.flatMap(\.permissions).filter(stored.contains)
        }
        for request in inspection.newRequests where granting.contains(request.capability) {
            granted += request.permissions
        }
        return Grants(granted)
    }

    /// Copies a pack into a folder of its own, whose name it returns.
    func unpack(_ pack: Pack, _ progress: (PackProgress) -> Void) throws(AppPackError) -> String {
        let name = Self.partialName()
        let folder = try reporting(try self.folder(.partial).folder(making: name))
        try reporting(try folder.write(pack.manifestBytes, to: "manifest.json"))
        let app = try reporting(try folder.folder(making: "app"))
        var copied = PackProgress()
        copied.files = pack.files.count
        for packed in pack.files {
            copied.file = packed.path
            let file = try reporting(try app.create(packed.path.names[...]))
            try pack.contents.read(packed.entry) { (piece) throws(AppPackError) in
                try reporting(try file.write(piece[...]))
                copied.bytes += Int64(piece.count)
                progress(copied)
            }
            try reporting(try file.synchronize())
            copied.done += 1
            progress(copied)
        }
        try reporting(try folder.synchronizeFolders())
        return name
    }

    static func partialName() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }

    /// Until `current` names it, the version is not there; from then on it is. What it was granted is there before.
    private func putInPlace(
        _ unpacked: String, _ manifest: AppManifest, _ grants: Grants, over installed: InstalledApp?
    ) throws(FileError) -> InstalledApp {
        let packs = try folder(.packs).folder(making: manifest.domain.reversed)
        let names = try packs.names(atMost: 1000)
        let version = manifest.version.text
        let name = names.contains(version) ? (1...).lazy.map { "\(version)~\($0)" }.first { !names.contains($0) } : nil
        let folder = name ?? version
        try self.folder(.partial).move(unpacked, to: packs, as: folder)
        try packs.write(Self.file(for: grants), to: Self.grantsFile)
        try packs.write(Array("\(folder)\n".utf8), to: "current")
        let kept = [folder, installed?.folder, "current", Self.grantsFile]
        for old in names where !kept.contains(old) { try discard(old, in: packs) }
        return InstalledApp(manifest: manifest, folder: folder)
    }
}

extension Folder {
    /// Makes a file further below, with the folders on the way.
    fileprivate borrowing func create(_ names: ArraySlice<String>) throws(FileError) -> FileDescriptor {
        guard let name = names.first, names.count > 1 else { return try create(names.first ?? "") }
        return try folder(making: name, isDurable: false).create(names.dropFirst())
    }
}
