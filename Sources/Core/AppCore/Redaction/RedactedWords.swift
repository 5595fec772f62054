// Sentences keep their keys; what was said in them goes.

extension Words {
    var redacted: Words {
        switch self {
        case .key(let key, let args): .key(key, args.mapValues(\.redacted))
        case .said(let text): .said(text.redacted)
        case .all(let words): .all(words.map(\.redacted))
        case .list(let words): .list(words.map(\.redacted))
        }
    }
}

extension Words.Arg {
    fileprivate var redacted: Words.Arg {
        switch self {
        case .said(let text): .said(text.redacted)
        case .words(let words): .words(words.redacted)
        case .list(let words): .list(words.map(\.redacted))
        case .count, .bytes, .time, .duration: self
        }
    }
}
