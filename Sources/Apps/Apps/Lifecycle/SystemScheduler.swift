internal import Foundation

/// What this system wakes programs with.
package enum SystemScheduler {
    /// Wakes the apps of a profile by starting the program that runs now; nil where there is no scheduler.
    package static func waking(profile: String) -> (any WakeScheduler)? {
        #if os(Linux)
        let home = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] ?? NSHomeDirectory() + "/.config"
        let path = URL(fileURLWithPath: profile).standardizedFileURL.path
        let program = [Bundle.main.executablePath ?? CommandLine.arguments[0], "--profile", path]
        return SystemdTimers(folder: URL(fileURLWithPath: home + "/systemd/user"), program: program) { words in
            await SystemProgram.run(["/usr/bin/env", "systemctl"] + words)
        }
        #else
        return nil
        #endif
    }
}
