package import Components
internal import Wire

extension HostActions {
    /// The ports `ui_*`, `js_startComponent`, `open_external`, `connectivity_isOnline` and `scan_url_qr`.
    package var functions: [String: NativeFunction] {
        [
            "ui_startAppActivity": Self.promise {
                (arguments: ComponentsProto.ComponentEntrypointArgs) async throws(NativeError) in
                try await showComponent(Component(arguments))
            },
            "ui_closeAppActivity": Self.promise {
                (arguments: ComponentsProto.ConnectorIdArgs) async throws(NativeError) in
                try await closeComponent(arguments.connectorId)
            },
            "ui_focusAppActivity": Self.promise {
                (arguments: ComponentsProto.ConnectorIdArgs) async throws(NativeError) in
                try await focusComponent(arguments.connectorId)
            },
            "js_startComponent": Self.promise {
                (arguments: ComponentsProto.ComponentEntrypointArgs) async throws(NativeError) in
                try await startComponent(Component(arguments))
            },
            "ui_showSystemErrorBox": Self.promise {
                (arguments: ComponentsProto.SystemErrBoxArgs) async throws(NativeError) in
                showError(
                    String(arguments.title.prefix(Self.titleLimit)), String(arguments.content.prefix(Self.contentLimit))
                )
            },
            "ui_exitAll": .immediate { [exit] _ throws(NativeError) in
                exit()
                return []
            },
            "open_external": Self.promise { (arguments: FnCallsProto.StringValue) async throws(NativeError) in
                guard let url = ExternalURL(arguments.value) else {
                    throw .text("only http, https and mailto are opened outside")
                }
                try await open(url)
            },
            "connectivity_isOnline": .immediate { [isOnline] _ throws(NativeError) in
                ConnectivityProto.OnlineStatus(status: isOnline() ? "network-present" : "no-network").encoded
            },
            "scan_url_qr": .immediate { _ throws(NativeError) in
                let fields: JSONObject = ["notAvailable": true, "capability": "scan_url_qr"]
                throw .exception(RuntimeException(type: "capability", fields))
            },
        ]
    }

    /// Characters of what an error box shows.
    private static let titleLimit = 200
    private static let contentLimit = 4000

    private static func promise<Arguments: ComponentMessage>(
        _ body: @escaping @Sendable (Arguments) async throws(NativeError) -> Void
    ) -> NativeFunction {
        .promise { bytes async throws(NativeError) in
            guard let arguments = try? Arguments(decoding: bytes) else { throw .text("the arguments cannot be read") }
            try await body(arguments)
            return []
        }
    }
}

extension HostActions.Component {
    fileprivate init(_ arguments: ComponentsProto.ComponentEntrypointArgs) {
        self.init(
            connector: arguments.connectorId, appDomain: arguments.appDomain, entrypoint: arguments.entrypoint)
    }
}
