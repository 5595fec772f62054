extension AppState {
    var lockScreen: SemanticNode {
        let isBusy = lock.attempt != nil
        var children = [SemanticNode(.heading, "lock.title", "Alcove is locked")]
        children += storageNodes
        if !notices.isEmpty { children.append(noticesNode) }
        children.append(
            SemanticNode(
                .secretField, "lock.passphrase", "Passphrase", isEnabled: !isBusy && lock.retryAt == nil,
                isBusy: isBusy, isFocused: true,
                offers: [Offer(.setSecret, .app(.unlock(passphrase: "-")), inputs: ["passphrase"])]))
        if let retryAt = lock.retryAt {
            children.append(
                SemanticNode(.status, "lock.wait", "The next attempt is possible at", value: .time(retryAt)))
        }
        children.append(.button("lock.erase", "Passphrase lost: erase everything", .app(.eraseAll)))
        return SemanticNode(.screen, "lock", "Locked", children)
    }
}
