import AppCore
import Catalogues
import Components
import Host

extension CapabilityRequest {
    /// How much of it is asked for, one line for each part: what the page says, in English.
    var details: [String] { permissions.compactMap { RequestDetail($0.scope)?.words.english } }
}
