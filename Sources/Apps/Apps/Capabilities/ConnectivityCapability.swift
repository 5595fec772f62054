internal import Components
internal import Wire

/// `w3n.connectivity`: whether there is a network. This is never certain, and the two answers say so.
enum ConnectivityCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject {
        let network = subject.platform.settings.network
        return ServiceObject(functions: [
            "isOnline": .immediateValues { _, _ throws(RuntimeException) in
                try subject.access.check(.connectivity)
                return .string(answer(network.isPresent))
            },
            "watch": .observableValues { _, _, values async throws(RuntimeException) in
                try subject.access.check(.connectivity)
                for await isPresent in network.changes() {
                    try subject.access.check(.connectivity)
                    try await values.emit(.json(.object(["isOnline": .string(answer(isPresent))])))
                }
            },
        ])
    }

    private static func answer(_ isPresent: Bool) -> String { isPresent ? "online_80%" : "offline_99%" }
}
