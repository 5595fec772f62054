import AppCore
import Components
import ExternalCore
import Foundation
import Storage

/// What serves apps: the built-in core, or a core library that the person chose.
///
/// A library runs in a session of its own, with its folder in that of the apps. Windows are not shown yet, so signing in is not possible here.
extension HostedApps {
    private var coreFolder: String { path + "/core" }
    /// Names the bundle that was chosen; missing for the built-in core.
    private var choiceFile: String { coreFolder + "/bundle" }

    /// Chooses what serves apps from now on. Returns when that is settled.
    func chooseCore(_ bundle: String?) async throws {
        _ = try await library()
        let choice = (folder: coreFolder, file: choiceFile)
        let loaded = try await waiting {
            let loaded = try bundle.map { (bundle) throws(CoreError) in try CoreBundle(path: bundle) }
            if let bundle {
                _ = try CoreConfiguration(folder: choice.folder, showError: { _, _ in }, exit: {})
                try AtomicFile.write(Array(bundle.utf8), to: choice.file)
            } else if FileManager.default.fileExists(atPath: choice.file) {
                try AtomicFile.remove(choice.file)
            }
            return loaded
        }
        await endCore()
        guard let bundle, let loaded else { return tellCore(.builtIn) }
        startCore(loaded, from: bundle)
    }

    /// Takes up what was chosen in an earlier run, if that has not happened.
    func resumeCore() async {
        guard core == nil else { return }
        core = .builtIn
        let file = choiceFile
        guard let bytes = try? await waiting({ try AtomicFile.read(file, atMost: 4096) }) else { return }
        let bundle = String(decoding: bytes, as: UTF8.self)
        do {
            startCore(try await waiting { try CoreBundle(path: bundle) }, from: bundle)
        } catch {
            tellCore(AppsCore(bundle: bundle, state: .failed, failure: Failure(error)))
        }
    }

    private func tellCore(_ now: AppsCore) {
        core = now
        tell(.coreChanged(core: now))
    }

    private func startCore(_ bundle: CoreBundle, from path: String) {
        let choice = coreChoice
        tellCore(AppsCore(bundle: path, state: .starting))
        Task {
            do {
                let session = CoreSession(windows: windows(choice), components: try configuration.sandbox()) { event in
                    if case .ended(let end) = event { Task { await self.coreEnded(choice, end == .stopped) } }
                }
                guard choice == coreChoice else { return }
                self.session = session
                try await session.start(
                    bundle, try CoreConfiguration(folder: coreFolder, showError: { _, _ in }, exit: {}))
                await tellPhase(choice)
            } catch {
                guard choice == coreChoice else { return }
                session = nil
                tellCore(AppsCore(bundle: path, state: .failed, failure: Failure(error)))
            }
        }
    }

    /// There are none to be driven; but when a core wants one, someone may have signed in.
    private func windows(_ choice: Int) -> CoreWindows {
        CoreWindows(
            show: { [weak self] _, _, _ in await self?.tellPhase(choice) }, focus: { _ in },
            close: { [weak self] _ in await self?.tellPhase(choice) })
    }

    private func tellPhase(_ choice: Int) async {
        guard let phase = await session?.boot.phase, choice == coreChoice, var now = core else { return }
        switch phase {
        case .starting: now.state = .starting
        case .idle, .loggingIn: now.state = .signedOut
        case .signedIn: now.state = .signedIn
        case .ended: return
        }
        if now != core { tellCore(now) }
    }

    private func coreEnded(_ choice: Int, _ isOrderly: Bool) {
        guard choice == coreChoice, var now = core, now.state != .failed else { return }
        session = nil
        now.state = isOrderly ? .stopped : .failed
        now.failure = isOrderly ? nil : Failure(.coreInvalid, "the core ended by itself")
        tellCore(now)
    }

    func endCore() async {
        coreChoice += 1
        let ending = session
        session = nil
        await ending?.stop()
    }
}

extension AppsCore {
    /// It is there whenever it is asked for, and has no accounts.
    static let builtIn = AppsCore(state: .signedIn)
}
