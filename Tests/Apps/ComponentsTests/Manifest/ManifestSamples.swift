import Components
import Wire

/// A manifest of the general form that uses everything, to change at one place.
enum ManifestSample {
    static let full = """
        {"appDomain": "Feeds.Example.org", "version": "1.2.0", "name": "Feeds", "description": "Reads feeds", "icon": "icon.png",
         "components": {
           "/main.mjs": {"runtime": "deno", "multiInstances": false, "forOneConnectionOnly": true,
             "services": {"feeds": {"thisAppComponents": "*", "otherApps": ["chat.example.org"]}},
             "startCmds": {"add": {"thisAppComponents": ["/index.html"]}, "list": {}},
             "sharedLibs": [{"libDomain": "lib.example.org", "version": {"hash": "abc", "alg": "sha256"}}],
             "capsRequested": {
               "logToPlatform": true, "keyrings": "all", "mailerid": true, "webrtc": "all", "connectivity": "check",
               "mail": {"preflightsTo": "all", "sendingTo": "all", "receivingFrom": "all", "config": "all"},
               "storage": {"appFS": [{"domain": "feeds.example.org", "storage": "synced-n-local"},
                                     {"domain": "cache.feeds.example.org", "storage": "local"}],
                           "userFS": "all", "sysFS": [{"type": "local", "writable": false}],
                           "filesOnDevice": [{"path": "/etc/hosts", "writable": false}]},
               "appRPC": ["store"], "otherAppsRPC": [{"app": "chat.example.org", "service": "post"}],
               "shell": {"fileDialog": "all", "deviceFiles": "all", "mounts": "any", "userNotifications": true,
                         "openDashboard": true, "startAppCmds": {"thisApp": "add", "otherApps": {"chat.example.org": ["say", "go"]}},
                         "fsResource": {"otherApps": {"chat.example.org": "pictures"}}, "openFile": "all", "openFolder": "all",
                         "openInMountedFolder": "all", "openURL": [{"schema": "https", "anyDomain": true}], "clipboard": "writeonly"},
               "mediaDevices": {"cameras": "all", "microphones": "select", "speakers": "use", "screens": "all", "windows": "use"},
               "connectToExternal": {"fetch": [{"schema": "https", "anyDomain": true},
                                               {"schema": "http", "domain": "localhost:8080", "pathPrefix": "/a"}]},
               "system": {"apps": ["opener"], "platform": "all", "monitor": "all", "userLogin": "all", "logout": true}}},
           "/index.html": {"runtime": "web-gui", "formFactor": ["desktop", "tablet"], "windowOpts": {"width": 800, "center": true}},
           "/index-mobile.html": {"runtime": "web-gui", "formFactor": "phone", "childOfGUICaller": true, "multiInstances": true}},
         "launchers": [{"name": "Feeds", "icon": "icon.png", "component": "/index.html", "formFactor": "desktop"},
                       {"name": "Feeds", "component": "/index-mobile.html", "formFactor": "phone"},
                       {"name": "Add", "startCmd": {"cmd": "add", "params": ["x", 1]}},
                       {"appStorage": "local", "launchersFolder": "launchers"}],
         "launchOnSystemStartup": [{"component": "/main.mjs"}],
         "exposedFSResources": {"list": {"allow": {"otherApps": "*"}, "appStorage": "local", "path": "list.json", "itemType": "file",
                                         "initValueSrc": "/list.json"}}}
        """

    static func manifest(_ text: String = full) throws -> AppManifest { try AppManifest(decoding: text.utf8) }

    /// One headless component, with this at `capsRequested`.
    static func asking(_ requests: String, version: String = "1.0.0") throws -> AppManifest {
        try manifest(
            """
            {"appDomain": "feeds.example.org", "version": "\(version)", "name": "Feeds",
             "components": {"/main.mjs": {"runtime": "deno", "capsRequested": \(requests)}}}
            """)
    }
}
