internal import Components

/// The objects that one component finds at `w3n`: only those that its manifest asks for. Objects that were not granted are there too,
/// and refuse each call. So a grant that is given or revoked takes effect at once.
struct CapabilityTree {
    let root: ServiceObject

    init(of instance: Instance, platform: AppPlatform) {
        let subject = CapabilitySubject(instance, platform)
        var members: [String: ServiceObject] = ["ui": InterfaceCapability.object(subject)]
        let requested = instance.component.requested
        if requested.contains(.connectivity) { members["connectivity"] = ConnectivityCapability.object(subject) }
        if !requested.addresses.isEmpty { members["http"] = HTTPCapability.object(subject) }
        members["storage"] = StorageCapability.object(subject)
        members["rpc"] = RPCCapability.object(subject)
        members["shell"] = ShellCapability.object(subject)
        members["system"] = SystemCapability.object(subject)
        root = ServiceObject(functions: BaseCapability.functions(subject), members: members)
    }
}

/// Whom capabilities are made for.
struct CapabilitySubject: Sendable {
    let id: Instance.ID
    let app: RunningApp
    let component: AppComponent
    let command: StartCommand?
    let commands: CommandQueue
    let access: PermissionCheck
    let transcript: Transcript
    let memory: MemoryBudget
    unowned let platform: AppPlatform

    init(_ instance: Instance, _ platform: AppPlatform) {
        id = instance.id
        app = instance.app
        component = instance.component
        command = instance.command
        commands = instance.commands
        access = instance.access
        transcript = instance.transcript
        memory = instance.memory
        self.platform = platform
    }

    var requested: Permissions { component.requested }
    var entryPoint: String { component.entryPoint.text }
}

extension ServiceObject {
    /// Nil instead of an object that nothing could be done with.
    static func unlessEmpty(
        functions: [String: ServiceFunction] = [:], members: [String: ServiceObject] = [:]
    ) -> ServiceObject? {
        functions.isEmpty && members.isEmpty ? nil : ServiceObject(functions: functions, members: members)
    }

    /// The names at every object of this tree, by path.
    func listing(under path: [String]) -> [[String]: [String]] {
        var listing = [path: names]
        for (name, member) in members { listing.merge(member.listing(under: path + [name])) { first, _ in first } }
        return listing
    }
}
