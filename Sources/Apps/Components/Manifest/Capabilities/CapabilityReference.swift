/// The text of `docs/capabilities.md`: what apps can ask for, from the same table that persons are asked from.
public enum CapabilityReference {
    /// The page as Markdown, with a line feed at its end.
    public static var markdown: String {
        [introduction, served, notServed, forAll, scopes, network, attention].joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Capabilities

        <!-- Generated from Sources/Apps/Components/Manifest/Capabilities. Write it anew with
             `ALCOVE_WRITE_DOCS=1 swift test --filter CapabilityReferenceTests`. -->

        An app has nothing that it was not granted. Each component asks in its manifest, under `capsRequested`. The person who
        installs the app is shown the plain words below, and grants or denies each capability by itself:
        `alcove app permissions NAME --grant network --revoke log`. What is granted counts for the whole app, and each component gets of it
        what it asked for itself. An update that asks for more gets no more until the person is asked again.

        *Sensitive* is what reaches beyond the app's own affairs.
        """

    private static var served: String {
        """
        ## What the built-in core serves

        \(table(Capability.allCases.filter(\.isServed)))
        """
    }

    private static var notServed: String {
        """
        ## What apps may ask for, and is not available yet

        These are shown as asked for and not available. They can be granted, and do not appear in `w3n`.

        \(table(Capability.allCases.filter { !$0.isServed }))
        """
    }

    private static func table(_ capabilities: [Capability]) -> String {
        let rows = capabilities.map { capability in
            let members = capability.members.map { "`w3n.\($0)`" }.joined(separator: ", ")
            return "| `\(capability.rawValue)` | \(capability.words) | `\(capability.manifestKey)` | "
                + "\(members.isEmpty ? "-" : members) | \(capability.isSensitive ? "yes" : "") |"
        }
        return """
            | name | what it lets an app do | asked for by | in `w3n` | sensitive |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }

    private static let forAll = """
        ## What every component has

        `w3n.closeSelf`, `w3n.myVersion` and `w3n.ui.uiFormFactor`. Without `logToPlatform` or its grant, `w3n.log` is there and leads nowhere.
        Components that declare `services` also have `w3n.rpc.exposeService`; those that declare `startCmds` have
        `w3n.shell.getStartedCmd` and `w3n.shell.watchStartCmds`.
        """

    private static let scopes = """
        ## How much is asked for

        | key | values |
        |---|---|
        | `storage.appFS` | `"default"`, which is the app's own domain in both storages, or a list of `{domain, storage}` with its own domain \
        or domains below it (which are folders of this app, and not those of an app of such a domain), and `"local"`, `"synced"` or `"synced-n-local"` |
        | `storage.userFS`, `storage.sysFS` | `"all"`, or a list of `{type, writable}` with `"local"`, `"synced"` or `"device"` |
        | `storage.filesOnDevice` | a list of `{path, writable}` |
        | `appRPC` | a list of names of services |
        | `otherAppsRPC` | a list of `{app, service}` |
        | `shell.startAppCmds`, `shell.fsResource` | `{thisApp, otherApps: {domain: …}}` with a name or a list of names each |
        | `shell.fileDialog`, `shell.clipboard` | `"all"`, `"readonly"`; for the clipboard also `"writeonly"` |
        | `shell.mounts` | `"any"`, `"chat"`, `"mail"`, `"app"`, or a list of them |
        | `shell.openURL` | a list of `{schema, domain, subdomains}`, `{schema, anyDomain: true}` or `{schema: "mailto"}` |
        | `mail` | `{sendingTo, receivingFrom, preflightsTo, config}`, of which each is `"all"`; the first two only count together |
        | `mediaDevices` | `{cameras, microphones, speakers, screens, windows}` with `"all"`, `"select"` or `"use"` |
        | `system.apps` | `"all"`, or a list of `"opener"`, `"downloader"`, `"installer"` |
        | `connectivity` | `"check"` |
        | `mailerid`, `logToPlatform`, `shell.userNotifications`, `shell.openDashboard`, `system.logout` | `true` |
        | `log` | `"all"`, an older name of `logToPlatform` |
        | `keyrings`, `webrtc`, `shell.deviceFiles`, `shell.openFile`, `system.platform`, `system.monitor`, `system.userLogin` | `"all"` |
        """

    private static let network = """
        ## Network

        `connectToExternal.fetch` lists the addresses that an app may reach. For pages it is the platform's own list of `https` and `ws`
        addresses. Components without a page have no network on that platform; here the same list gives them
        `w3n.http.request({method, url, headers, body, timeout})` and a small `fetch` over it, for `https` and `http`. This is an extension of
        Alcove, as are `anyDomain`, `subdomains` and ports.

        ```json
        "connectToExternal": { "fetch": [
            { "schema": "https", "domain": "example.org", "subdomains": true, "pathPrefix": "/feeds/" },
            { "schema": "http", "domain": "localhost:8080" },
            { "schema": "https", "anyDomain": true }
        ] }
        ```

        An entry without a port means the port of its schema. A path with steps upwards fits no prefix. `anyDomain` never reaches this computer
        or the networks around it (loopback, link-local and private addresses); a domain that the manifest names may.
        """

    private static let attention = """
        ## Links and notifications

        `w3n.shell.openURL(url)` takes `https`, `http` and `mailto`. Other links throw `{type: 'shell-open-url', notSupported: true}`, and what
        `shell.openURL` does not name is denied. `anyDomain` covers no link whose text leads to this computer or the networks around it. An
        app may ask for five links at once and five a minute; more throw `{type: 'shell-open-url', tooMany: true}`. That the function returns
        says that the link was handed on. In a terminal, `alcove app run` and `alcove app startup` say which app opens what, and hand it to the
        browser if there is a display. Where the core's screens are shown, the person is asked first. `http`, `mailto` and `subdomains` are
        extensions of Alcove.

        `w3n.shell.userNotifications.addNotification({title, body})` shows one line: in the terminal, or as a notice of the core. A title has at
        most 256 bytes and a body 2048; longer ones throw `{type: 'user-notifications', tooLong: true}`. An app may notify twenty times at
        once and ten times a minute; more throw `{type: 'user-notifications', tooMany: true}`. Of each component 32 stand, the oldest gives way, and
        they go with it. `watch` tells `shown` and `closed`. Nothing here says that a person clicked one, so `clicked` never comes. A `cmd` has
        to name a command, but nobody looks whether the app has that one, and it is not carried out. There are no icons, and nothing makes a
        sound.
        """
}
