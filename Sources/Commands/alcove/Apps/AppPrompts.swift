import Apps
import Components
import HostFunctions

/// Shows what apps that run here ask of the person, in the terminal.
struct AppPrompts {
    /// Whether somebody is there for whom pages are opened.
    var opensLinks = true

    /// Shows reports until there are no more.
    func show(_ reports: AsyncStream<AppReport>) async {
        for await report in reports { await show(report) }
    }

    func show(_ report: AppReport) async {
        switch report {
        case .asksURL(let app, let name, let url): await open(url, for: Self.title(name, app))
        case .notified(let app, let name, let notification):
            let text = notification.text.isEmpty ? "it calls for you" : notification.text
            Terminal.log("\(Self.title(name, app)): \(text)")
        case .changed, .logged, .packsChanged: break
        }
    }

    /// Anybody may give an app any name, so its domain stands beside it.
    private static func title(_ name: String, _ app: AppDomain) -> String {
        "\(name) (\(app))"
    }

    private func open(_ url: ExternalURL, for name: String) async {
        let line: TerminalText = "\(name) opens \(url)"
        guard opensLinks, SystemBrowser.hasDisplay else {
            let reason = opensLinks ? "there is no display" : "nobody may be here"
            return Terminal.log("\(line)  (\(reason): open it by hand)")
        }
        Terminal.log(line)
        do { try await SystemBrowser.open(url) } catch { Terminal.complain("no program was found that opens \(url)") }
    }
}
