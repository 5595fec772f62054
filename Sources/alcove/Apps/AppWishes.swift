import Apps
import HostFunctions

/// Shows what apps that run here ask of the person, in the terminal.
struct AppWishes {
    /// Whether somebody is there for whom pages are opened.
    var opensLinks = true

    /// Shows reports until there are no more.
    func show(_ reports: AsyncStream<AppReport>) async {
        for await report in reports { await show(report) }
    }

    func show(_ report: AppReport) async {
        guard case .asksURL(_, let name, let url) = report else { return }
        let line = "\(AppDescription.printable(name)) opens \(url)"
        guard opensLinks, SystemBrowser.hasDisplay else {
            let reason = opensLinks ? "there is no display" : "nobody may be here"
            return Terminal.log("\(line)  (\(reason): open it by hand)")
        }
        Terminal.log(line)
        do { try await SystemBrowser.open(url) } catch { Terminal.complain("no program was found that opens \(url)") }
    }
}
