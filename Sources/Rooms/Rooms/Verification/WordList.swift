/// The words of join codes: 256 of them, so that a word is worth eight bits.
///
/// Each is short, common, easy to say and distinct: the first three letters are unique, any two words differ in at
/// least two letters, and none sounds like another English word. The words are part of the protocol; their order is
/// not.
package enum WordList {
    /// In alphabetical order.
    package static let words: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    /// The word that begins with these letters; three are enough, and more have to be right.
    package static func word(beginningWith letters: some StringProtocol) -> String? {
        guard letters.utf8.count >= 3 else { return nil }
        return words.first { $0.hasPrefix(letters) }
    }

    private static let text = """
        acorn album almond alpine amber anchor angle anvil apple apron arrow aspen atlas attic autumn bacon
        badge bagel baker bamboo banjo basil beaver bench birch blade bobcat bottle branch brick bronze
        brush bubble bucket bundle butter cabin cactus camel canal carbon castle cedar cello chalk cherry
        cider cinema circus citrus clover cobalt cocoa comet copper coral cotton coyote cradle curry daisy
        delta domino donkey dragon dune dust eagle easel echo elbow fabric falcon finch flame foam forest
        fossil frost gadget galaxy garlic gecko ginger glove goblet goose grape guitar hammer harbor helmet
        hockey honey hotel hummus husky igloo indigo insect iron island ivory jacket jaguar jelly jersey
        jigsaw kayak kettle kiosk kitten kiwi koala ladder lagoon laptop laurel lava lemon lilac lime linen
        lizard locket lotus lunch magnet mango maple marble meadow melon meteor mirror mosaic muffin museum
        napkin nectar needle noodle nugget nutmeg nylon ocean olive onion onyx opal orange orbit orchid
        otter oven oyster paddle palace panda papaya parrot pasta pebble pecan pencil pepper piano pigeon
        pillow pine pixel pizza planet poem pony poppy potato prism pulley puma puzzle python quail quest
        quill rabbit radar raven razor ribbon ridge river robin rodeo ruby rudder salad sandal satin scarf
        shadow shovel shrimp sketch slate sloth smoke sofa sonar spider sponge storm sugar summit sunset
        surf swan syrup talon taxi teapot temple tennis ticket tiger timber toast tomato torch tower trophy
        tulip tundra turtle twig vacuum valley vault velvet viking violin waffle wagon walnut wasabi widget
        window wolf wombat wrench yacht yellow yogurt zebra zigzag zipper
        """
}
