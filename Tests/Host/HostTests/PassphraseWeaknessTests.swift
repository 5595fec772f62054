import Host
import Testing

/// What is said about a new passphrase.
@Suite struct PassphraseWeaknessTests {
    @Test(arguments: [
        ("", PassphraseWeakness.short), ("hunter2", .short), ("12345678901", .short), ("201220042012", .digits),
        ("aaaaaaaaaaaaaa", .repetitive), ("abcabcabcabcabc", .repetitive), ("qwertyuiop1234", .repetitive),
        ("abcdefghijklmnop", .repetitive), ("Password12345!", .common), ("correct horse battery staple", .common),
    ])
    func `what people choose first is called easy to guess, with the reason`(text: String, weakness: PassphraseWeakness)
    {
        #expect(PassphraseWeakness(of: text) == weakness)
        #expect(weakness.sentence.contains("Four or more words"))
    }

    @Test(arguments: [
        "violin parsnip gravel monday", "tGq8#kPz!2vLm0", "Überraschung im Gemüsebeet", "天気がいいから散歩しましょうね",
    ])
    func `others are not`(text: String) { #expect(PassphraseWeakness(of: text) == nil) }
}
