extension Presentation {
    var createScreen: SemanticNode {
        let choices = RoomLimits.expiryChoices.map { seconds in
            SemanticNode(
                .choice, "create.expires.\(seconds)", .key("duration", ["time": .duration(seconds * 1000)]),
                isEnabled: view.createForm.expiresIn != seconds, isSelected: view.createForm.expiresIn == seconds,
                offers: [.tap(.rooms(.editCreate(name: nil, expiresIn: seconds)))])
        }
        return page(
            "create",
            [
                .field(
                    "create.name", text: view.createForm.name,
                    .rooms(.editCreate(name: "", expiresIn: nil)), input: "name", isFocused: true),
                SemanticNode(.section, "create.expires", choices),
                .button(
                    "create.submit",
                    .rooms(.createRoom(name: view.createForm.name, expiresIn: view.createForm.expiresIn)),
                    isEnabled: canMakeRooms, isBusy: pendingEffects.isErasing),
            ])
    }

    private var canMakeRooms: Bool { !pendingEffects.isErasing && storageFailure == nil }

    var joinScreen: SemanticNode {
        let digits = view.joinForm.code.utf8.filter((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        return page(
            "join",
            [
                .field(
                    "join.code", text: view.joinForm.code,
                    .rooms(.editJoin(code: "", words: nil, name: nil)), input: "code", isFocused: true
                ).invalid(digits.count > 6 ? Wording.codeInvalid : nil),
                SemanticNode(
                    .secretField, "join.words",
                    value: view.joinForm.words.map { .secret($0) }, detail: .key("join.words.detail"),
                    offers: [
                        Offer(
                            .setSecret, .rooms(.editJoin(code: nil, words: "-", name: nil)), inputs: ["words": .secret])
                    ]),
                .field(
                    "join.name", text: view.joinForm.name,
                    .rooms(.editJoin(code: nil, words: nil, name: "")), input: "name"),
                .button(
                    "join.submit",
                    .rooms(.joinRoom(code: view.joinForm.code, words: view.joinForm.words, name: view.joinForm.name)),
                    isEnabled: digits.count == 6 && canMakeRooms, isBusy: pendingEffects.isErasing),
            ])
    }

    var lockScreen: SemanticNode {
        let isBusy = lock.attempt != nil
        var children = [SemanticNode(.heading, "lock.title")]
        children += storageNodes
        if !notices.isEmpty { children.append(noticesNode) }
        children.append(
            SemanticNode(
                .secretField, "lock.passphrase", isEnabled: !isBusy && lock.retryAt == nil,
                isBusy: isBusy, isFocused: true,
                offers: [Offer(.setSecret, .app(.unlock(passphrase: "-")), inputs: ["passphrase": .secret])]))
        if let moved = lock.moved {
            let words = Words.key("lock.moving", ["done": .count(moved.done), "total": .count(moved.total)])
            let value = SemanticNode.Value.progress(done: Int64(moved.done), total: Int64(moved.total))
            children.append(SemanticNode(.status, "lock.moving", words, value: value))
        }
        if let retryAt = lock.retryAt {
            children.append(
                SemanticNode(.status, "lock.wait", value: .time(retryAt)))
        }
        children.append(.button("lock.erase", .app(.eraseAll)))
        return SemanticNode(.screen, "lock", children)
    }
}
