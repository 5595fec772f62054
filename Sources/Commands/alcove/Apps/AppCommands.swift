/// Everything that begins with `app`.
enum AppCommands {
    static var all: [CommandEntry] {
        [
            CommandEntry(AppInstallCommand.self), CommandEntry(AppListCommand.self), CommandEntry(AppInfoCommand.self),
            CommandEntry(AppPermissionsCommand.self), CommandEntry(AppRunCommand.self),
            CommandEntry(AppStopCommand.self), CommandEntry(AppLogsCommand.self), CommandEntry(AppRemoveCommand.self),
            CommandEntry(AppNewCommand.self), CommandEntry(AppStartupCommand.self),
            CommandEntry(AppBackgroundCommand.self), CommandEntry(AppCoreCommand.self),
            CommandEntry(AppReplayCommand.self),
        ]
    }
}
