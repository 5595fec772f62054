/// Something a person can do with a node: a whole action, but for what the person enters.
package struct Offer: Sendable, Hashable, Codable {
    package enum Verb: String, Sendable, Hashable, Codable, CaseIterable {
        case tap
        case setText = "set_text"
        case setSecret = "set_secret"
        case attach
        // Of messages.
        case reply, react, edit, delete, open, save
        // Of a list of messages of which not all are in memory.
        case loadEarlier = "load_earlier"
        case loadLater = "load_later"
    }

    package var verb: Verb
    package var action: Action
    /// The keys of `action`'s JSON object that take what the person enters: a text, a ``SecretRef`` that the host made
    /// for what was entered, or, to attach a file, its `name`, `bytes` and `handle`; to
    /// save one, `to`, the path of a folder or of a new file.
    package var inputs: [String]

    package init(_ verb: Verb, _ action: Action, inputs: [String] = []) {
        self.verb = verb
        self.action = action
        self.inputs = inputs
    }

    package static func tap(_ action: Action) -> Offer { Offer(.tap, action) }
}

extension Offer {
    /// The offer of a list for the row of this id, `kind.thing`: its first input is filled with the thing.
    func about(_ row: String) -> Offer? {
        guard let input = inputs.first, let dot = row.firstIndex(of: ".") else { return nil }
        var offer = self
        offer.inputs.removeFirst()
        guard var json = try? JSONValue(action) else { return nil }
        json[input] = .string(String(row[row.index(after: dot)...]))
        guard let action = try? JSON.decode(Action.self, from: JSON.encode(json)) else { return nil }
        offer.action = action
        return offer
    }

    /// The action with what the person entered, each entry under the key that it is for. Other entries are ignored.
    /// - Throws: `DecodingError` if something is missing or does not fit.
    package func action(filledWith entries: [String: JSONValue]) throws -> Action {
        guard !inputs.isEmpty else { return action }
        var json = try JSONValue(action)
        for input in inputs { json[input] = entries[input] ?? json[input] }
        return try JSON.decode(Action.self, from: JSON.encode(json))
    }
}
