internal import Components

/// The functions that a core exposes to its host, with their types.
///
/// ``initialise(dataFolder:)`` comes first and once; the others exist when it has returned.
package struct CoreFunctions: Sendable {
    /// Where an app's component is met.
    package struct Entry: Hashable, Sendable {
        package var connector: String
        package var entrypoint: String

        package init(connector: String, entrypoint: String) {
            (self.connector, self.entrypoint) = (connector, entrypoint)
        }

        /// Stands for a connector when the core signed in by itself: the launcher is to be shown.
        package static let proceedToLauncher = "proceed-to-launcher"
    }

    let ports: HostPorts
    /// How long the core may take for an answer.
    let patience: Duration

    /// Gives the core the folder of its data. It exists, and is where `HostFiles` is confined to.
    package func initialise(dataFolder: String) async throws(CoreError) {
        _ = try await call("init", InitProto.DataDirArgs(dataDir: dataFolder))
    }

    /// Makes the core open its port `c-<id>`. Once for each connector.
    package func attach(_ connector: String) async throws(CoreError) {
        _ = try await call("attachComponentPortToConnector", InitProto.ConnectorIdArgs(connectorId: connector))
    }

    /// The names of what a component may call at a path; none for a path that does not exist.
    package func names(at path: [String], in connector: String) async throws(CoreError) -> [String] {
        let bytes = try await call(
            "listObjPathInConnector", InitProto.ConnectorAndObjPathArgs(connectorId: connector, objPath: path))
        return try read(FnCallsProto.StringArrayValue.self, bytes).values
    }

    /// Who signed in. Waits for it, for however long.
    package func signedInUser() async throws(CoreError) -> String {
        let bytes = try await answer("getSignedUserIdEventually", [])
        return try read(FnCallsProto.StringValue.self, bytes).value
    }

    /// Whether the code of an app is among the host's assets and never installed.
    package func isBundled(_ appDomain: String) async throws(CoreError) -> Bool {
        let bytes = try await call("isBundledApp", ComponentsProto.AppDomainArgs(appDomain: appDomain))
        return try read(FnCallsProto.BooleanValue.self, bytes).value
    }

    /// Tells the core that the person or the host has closed a component.
    package func componentClosed(_ connector: String) async throws(CoreError) {
        _ = try await call("onComponentClosedInAndroid", ComponentsProto.ConnectorIdArgs(connectorId: connector))
    }

    /// Bytes of a file of a component's app; nil when it is not there.
    package func fileSize(_ path: String, of connector: String) async throws(CoreError) -> Int? {
        let bytes = try await call(
            "getFileSizeInAppCodeFS", ComponentsProto.ConnectorAndPathArgs(connectorId: connector, path: path))
        let size = try read(FnCallsProto.IntValue.self, bytes).value
        return size < 0 ? nil : Int(size)
    }

    /// Bytes of a file of a component's app, from the start of the range to its end at most.
    package func readFile(
        _ path: String, of connector: String, _ range: Range<Int32>
    ) async throws(CoreError) -> [UInt8] {
        let arguments = ComponentsProto.FileReadArgs(
            connectorId: connector, path: path, start: range.lowerBound, end: range.upperBound)
        return try await call("readBytesFromFileInAppCodeFS", arguments)
    }

    /// Opens an app. The answer's connector is ``Entry/proceedToLauncher`` when the startup app is not needed.
    package func launch(_ appDomain: String) async throws(CoreError) -> Entry {
        let bytes = try await call("launchAppFromAndroid", ComponentsProto.AppDomainArgs(appDomain: appDomain))
        let entry = try read(ComponentsProto.ConnectorAndEntrypoint.self, bytes)
        return Entry(connector: entry.connectorId, entrypoint: entry.entrypoint)
    }

    /// Hands over a deep link after sign-in.
    package func process(url: String) async throws(CoreError) {
        _ = try await call("processURL", InitProto.UrlArgs(url: url))
    }

    /// Hands over a deep link before sign-in. The answer is a fragment for the page of the startup app, or empty.
    package func processBeforeLogin(url: String) async throws(CoreError) -> String {
        let bytes = try await call("processURLBeforeLogin", InitProto.UrlArgs(url: url))
        return bytes.isEmpty ? "" : try read(FnCallsProto.StringValue.self, bytes).value
    }

    private func read<Message: ComponentMessage>(_ type: Message.Type, _ bytes: [UInt8]) throws(CoreError) -> Message {
        // A core answers with nothing at all where there is nothing to say.
        if bytes.isEmpty, let empty = try? Message(decoding: bytes) { return empty }
        do { return try Message(decoding: bytes) } catch {
            throw CoreError(.malformedAnswer, "the core's answer is no \(Message.schemaName)")
        }
    }

    private func call(_ function: String, _ arguments: some ComponentMessage) async throws(CoreError) -> [UInt8] {
        let bytes = arguments.encoded
        let call = Task { await Result { () async throws(CoreError) in try await answer(function, bytes) } }
        let deadline = Task { [patience] in
            guard (try? await Task.sleep(for: patience)) != nil else { return false }
            call.cancel()
            return true
        }
        let outcome = await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            call.cancel()
        }
        deadline.cancel()
        if case .failure = outcome, await deadline.value {
            throw CoreError(.timeout, "the core did not answer \(function) within \(patience)")
        }
        return try outcome.get()
    }

    private func answer(_ function: String, _ arguments: [UInt8]) async throws(CoreError) -> [UInt8] {
        do throws(NativeError) {
            return try await ports.call(function, arguments)
        } catch {
            throw CoreError(.failed, "\(function) of the core failed: \(error.text.prefix(500))")
        }
    }
}

extension Result {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
