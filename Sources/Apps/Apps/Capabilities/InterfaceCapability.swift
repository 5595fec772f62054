internal import Components

/// `w3n.ui`: what kind of device this is.
enum InterfaceCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject {
        let factor = subject.platform.settings.formFactor.rawValue
        return ServiceObject(functions: ["uiFormFactor": .immediateValues { _, _ in .string(factor) }])
    }
}
