internal import Components
internal import Wire

/// What every component has: `w3n.log`, `w3n.closeSelf`, `w3n.myVersion`.
enum BaseCapability {
    static func functions(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        let version = subject.app.manifest.version.text
        return [
            "log": .immediateValues { arguments, _ throws(RuntimeException) in
                try log(arguments, subject)
                return nil
            },
            "closeSelf": .promiseValues { _, _ in
                await subject.platform.closeSelf(subject.id)
                return nil
            },
            "myVersion": .immediateValues { _, _ in .string(version) },
        ]
    }

    /// `log(type, msg, err?)`. Without the grant it leads nowhere, and no call of it fails: no app should end because the person does not want to
    /// read what it says.
    private static func log(_ arguments: [IPCValue], _ subject: CapabilitySubject) throws(RuntimeException) {
        guard subject.access.permissions.contains(.log) else {
            _ = subject.access.deny(.log)
            return
        }
        let level = AppLog.Entry.Level(rawValue: try arguments.argument(0, \.string)) ?? .info
        var text = try arguments.argument(1, \.string)
        if arguments.count > 2, let error = arguments[2].json, error != .null { text += ": \(describe(error))" }
        subject.app.log.write(level, from: subject.entryPoint, text)
        subject.transcript.print(PrintedLine(level: level, text: text))
    }

    private static func describe(_ error: JSONValue) -> String {
        error.object?["message"]?.string ?? error.string ?? error.text
    }
}

/// `w3n.ui`: what kind of device this is.
enum InterfaceCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject {
        let factor = subject.platform.settings.formFactor.rawValue
        return ServiceObject(functions: ["uiFormFactor": .immediateValues { _, _ in .string(factor) }])
    }
}
