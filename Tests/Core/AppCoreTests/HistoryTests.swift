import Testing

@testable import AppCore

/// Messages that leave memory and come back, against a list of all that there are.
@Suite struct HistoryTests {
    /// A log and all that it has ever taken and not lost, which is what the disk would hold.
    private struct Model {
        var log = MessageLog()
        var kept: [Message] = []
        var random: SplitMix64

        mutating func append() {
            let id = MessageID("m\(log.nextOrder)-\(UInt32.random(in: 0...9, using: &random))")
            let isSent = Bool.random(using: &random)
            var message = Message(
                id: id, order: 0, direction: isSent ? .sent : .received, body: .text(id.text),
                at: Timestamp(milliseconds: 0),
                sentAt: Timestamp(milliseconds: 0),
                status: isSent && Int.random(in: 0..<8, using: &random) == 0 ? .pending : .delivered)
            log.append(message)
            message.order = log.nextOrder - 1
            kept.append(message)
        }

        mutating func unload() {
            guard log.all.count > 2 else { return }
            let start = Int.random(in: 0..<log.all.count - 1, using: &random)
            log.unload(start..<Int.random(in: start..<log.all.count, using: &random))
        }

        mutating func load() {
            guard let gap = log.gaps.randomElement(using: &random) else { return }
            let limit = Int.random(in: 1...6, using: &random)
            let missing = kept.filter { gap.contains($0.order) }
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let page = Array(missing.suffix(limit))
                let first = page.count < limit ? gap.after + 1 : page[0].order
                log.fill(page, from: first, through: gap.before - 1, earlier: nil)
            case 1:
                let page = Array(missing.prefix(limit))
                let last = page.count < limit ? gap.before - 1 : page[limit - 1].order
                log.fill(page, from: gap.after + 1, through: last, earlier: nil)
            default:
                let place = Int.random(in: 0..<kept.count, using: &random)
                let first = max(0, place - limit / 2)
                let page = Array(kept[first..<min(kept.count, first + limit)])
                log.fill(
                    page, from: page[0].order, through: page[page.count - 1].order,
                    earlier: .init(count: first, unread: kept[..<first].count(where: log.isUnread)))
            }
        }

        mutating func lose() {
            guard let message = kept.randomElement(using: &random) else { return }
            if log.contains(message.id) {
                #expect(log.remove(message.id) == message)
            } else if Bool.random(using: &random) {
                log.hold(message)
                #expect(log.remove(message.id) == message)
            } else {
                log.forget([message.order], bytes: message.savedBytes) { [log] _ in log.isUnread(message) }
            }
            kept.removeAll { $0.id == message.id }
        }

        mutating func see() {
            // A person sees what is in memory, and with it all before.
            guard let order = log.all.randomElement(using: &random)?.order, order > log.seen else { return }
            _ = log.seeGaps(through: order)
            log.seen = order
        }

        mutating func change() {
            guard let index = kept.indices.randomElement(using: &random) else { return }
            if !log.contains(kept[index].id) { log.hold(kept[index]) }
            log.update(kept[index].id) { $0.body = .text("changed") }
            kept[index].body = .text("changed")
            if Bool.random(using: &random) { log.release() }
        }

        func check() {
            #expect(log.count == kept.count)
            #expect(log.pendingCount == kept.count { $0.status == .pending })
            #expect(log.savedBytes + log.gapBytes == kept.reduce(0) { $0 + $1.savedBytes })
            #expect(zip(log.all, log.all.dropFirst()).allSatisfy { $0.order < $1.order })
            for (place, message) in log.all.enumerated() {
                #expect(log[message.id] == message && log.position(of: message.id) == place)
                #expect(kept.firstIndex(of: message) == log.rank(of: place))
            }
            for message in kept where message.isHeld { #expect(log[message.id] == message) }
            for gap in log.gaps {
                let missing = kept.filter { gap.contains($0.order) }
                #expect(missing.count == gap.count && gap.count > 0)
                #expect(missing.count(where: log.isUnread) == gap.unread)
            }
            #expect(zip(log.gaps, log.gaps.dropFirst()).allSatisfy { $0.before <= $1.after })
        }
    }

    @Test(arguments: 0..<60) func memoryAndDiskTogetherHoldEverything(seed: UInt64) {
        var model = Model(random: SplitMix64(seed: seed))
        for _ in 0..<300 {
            switch Int.random(in: 0..<20, using: &model.random) {
            case 0..<8: model.append()
            case 8..<11: model.unload()
            case 11..<15: model.load()
            case 15..<17: model.lose()
            case 17: model.see()
            default: model.change()
            }
            model.check()
        }
    }
}
