package import Components
internal import Storage

/// A pack that was added and waits to be installed.
package struct WaitingPack: Hashable, StoredVersion {
    package let domain: AppDomain
    package let version: AppVersion

    package init(domain: AppDomain, version: AppVersion) {
        self.domain = domain
        self.version = version
    }

    package var steps: [String] { [AppLibrary.Place.waiting.rawValue, domain.reversed, version.text] }
}

/// Packs that wait: each whole, in `waiting/<reversed domain>/<version>`, which is a folder like that of an installed version, and a
/// pack like any other. They are granted nothing, and nothing runs of them.
extension AppLibrary {
    /// Adds a pack, in place of one of the same app and version that waits. When this returns, it is there whole, also after a
    /// power cut.
    /// - Parameters:
    ///   - fill: puts the pack, a folder or a ZIP file, into a folder under a name. Nobody else changes the library meanwhile.
    ///   - progress: told of each file that was unpacked.
    /// - Throws: ``AppPackError``, or what `fill` throws.
    package func add(
        progress: (PackProgress) -> Void = { _ in }, from fill: (_ folder: String, _ name: String) throws -> Void
    ) throws -> WaitingPack {
        let added: Result<WaitingPack, any Error> = try changing { (lock) throws(AppPackError) in
            sweep(holding: lock)
            // What was staged, and what was unpacked of a pack that is refused.
            defer { sweep(holding: lock) }
            let partial = try reporting { () throws(FileError) in
                try folder(.partial).folder(making: Self.partialName()).path
            }
            do { try fill(partial, "pack") } catch { return .failure(error) }
            do throws(AppPackError) {
                return .success(try keep(Pack("\(partial)/pack", limits: limits), progress))
            } catch {
                throw AppPackError(error.code, error.message.replacing("\(partial)/pack", with: "the pack"))
            }
        }
        return try added.get()
    }

    private func keep(_ pack: Pack, _ progress: (PackProgress) -> Void) throws(AppPackError) -> WaitingPack {
        let kept = WaitingPack(domain: pack.manifest.domain, version: pack.manifest.version)
        try checkRoom(for: pack, as: kept)
        let unpacked = try unpack(pack, progress)
        try reporting { () throws(FileError) in
            let versions = try folder(.waiting).folder(making: kept.domain.reversed)
            let partial = try folder(.partial)
            if try versions.status(of: kept.version.text) != nil {
                try versions.move(kept.version.text, to: partial, as: Self.partialName())
            }
            try partial.move(unpacked, to: versions, as: kept.version.text)
            try versions.synchronize()
        }
        return kept
    }

    private func checkRoom(for pack: Pack, as kept: WaitingPack) throws(AppPackError) {
        let others = try waitingPacks().filter { $0 != kept }
        guard others.count < limits.waiting else {
            throw AppPackError(.refused, "\(limits.waiting) packs wait already; install or remove some")
        }
        var total = pack.byteCount
        for other in others { total += try byteCount(of: other) }
        guard total <= limits.waitingTotal else {
            throw AppPackError(
                .refused, "the packs that wait would be larger than \(limits.waitingTotal >> 20) MiB; remove some")
        }
    }

    /// In the order of domains and versions.
    package func waitingPacks() throws(AppPackError) -> [WaitingPack] {
        try reporting { () throws(FileError) in
            let waiting = try folder(.waiting)
            var packs: [WaitingPack] = []
            for name in try waiting.names(atMost: Self.appLimit).sorted() {
                guard let domain = AppDomain(reversed: name) else { continue }
                let versions = try waiting.folder(name).names(atMost: Self.appLimit).compactMap { AppVersion($0) }
                packs += versions.sorted().map { WaitingPack(domain: domain, version: $0) }
            }
            return packs
        }
    }

    /// What a person, or who acts for one, has to know before it is installed.
    package func inspect(_ waiting: WaitingPack) throws(AppPackError) -> PackInspection {
        try inspect("\(path)/\(waiting.steps.joined(separator: "/"))")
    }

    /// Removes a pack that waits, if it is there.
    /// - Returns: whether it was.
    @discardableResult
    package func remove(_ waiting: WaitingPack) throws(AppPackError) -> Bool {
        try changing { (lock) throws(AppPackError) in
            sweep(holding: lock)
            return try reporting { () throws(FileError) in
                let all = try folder(.waiting)
                guard try all.status(of: waiting.domain.reversed) != nil else { return false }
                let versions = try all.folder(waiting.domain.reversed)
                guard try versions.status(of: waiting.version.text) != nil else { return false }
                try discard(waiting.version.text, in: versions)
                // It stays where other versions wait.
                _ = try? all.removeEmptyFolder(waiting.domain.reversed)
                return true
            }
        }
    }
}
