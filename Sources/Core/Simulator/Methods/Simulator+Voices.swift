import AppCore

extension Simulator {
    static let voices: [String: Method] = [
        "microphone": { simulator, parameters in
            let name = try parameters.needText("is")
            guard let microphone = WorldSettings.Microphone(rawValue: name) else {
                let choices = WorldSettings.Microphone.allCases.map(\.rawValue).joined(separator: ", ")
                throw SimulatorError(.badRequest, "microphone: \"is\" must be one of \(choices).")
            }
            return try simulator.acting {
                try simulator.change { try $0.change { $0.setMicrophone(microphone) } }
            }
        }
    ]
}
