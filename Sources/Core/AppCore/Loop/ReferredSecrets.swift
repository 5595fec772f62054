extension AppState {
    /// The secrets that something refers to, or that work under way may still need: others can go.
    ///
    /// Where they can stand in several places they are looked for in the JSON, in which a reference is a text. So some texts are none.
    package var secrets: Set<SecretRef> {
        var found = rooms.map(\.words) + settings.usedIceServers.map(\.credential)
        for view in views { found += [view.joinForm.words, view.agents.key] }
        var texts: Set<String> = []
        for agent in agents.inOrder { (try? JSONValue(agent))?.addTexts(to: &texts) }
        for effect in pendingEffects.byID.values { (try? JSONValue(effect))?.addTexts(to: &texts) }
        return texts.reduce(into: Set(found.compactMap(\.self))) { $0.insert(SecretRef($1)) }
    }
}

extension JSONValue {
    fileprivate func addTexts(to texts: inout Set<String>) {
        switch self {
        case .string(let text): texts.insert(text)
        case .array(let values): for value in values { value.addTexts(to: &texts) }
        case .object(let members): for value in members.values { value.addTexts(to: &texts) }
        default: break
        }
    }
}
