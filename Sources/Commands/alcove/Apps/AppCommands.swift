/// Everything that begins with `app`.
enum AppCommands {
    static var all: [CommandEntry] {
        CommandEntry.each([
            AppInstallCommand.self, AppListCommand.self, AppInfoCommand.self, AppPermissionsCommand.self,
            AppRunCommand.self, AppStopCommand.self, AppLogsCommand.self, AppRemoveCommand.self, AppNewCommand.self,
            AppStartupCommand.self, AppBackgroundCommand.self, AppCoreCommand.self, AppReplayCommand.self,
        ])
    }
}
