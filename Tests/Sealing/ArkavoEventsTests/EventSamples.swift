import ArkavoEvents
import Wire

/// Messages in which every field of every table is set, as values and as the JSON that `flatc` speaks.
enum EventSamples {
    static let events: [(value: Arkavo.Event, json: String)] = [
        (
            event(.user(user)),
            """
            {"action": "invite", "timestamp": 18446744073709551615, "status": "fulfilled", "data_type": "UserEvent",
             "data": {"source_type": "account_profile", "target_type": "stream_profile", "source_id": [1, 2, 3],
                      "target_id": [255], "attribute_type": ["time", "location"], "entity_type": "server"}}
            """
        ),
        (
            event(.cache(cache)),
            """
            {"action": "invite", "timestamp": 18446744073709551615, "status": "fulfilled", "data_type": "CacheEvent",
             "data": {"target_id": [9, 8], "target_payload": [0, 127, 128], "ttl": 4294967295, "one_time_access": true}}
            """
        ),
        (
            event(.route(route)),
            """
            {"action": "invite", "timestamp": 18446744073709551615, "status": "fulfilled", "data_type": "RouteEvent",
             "data": {"target_type": "server", "target_id": [4], "source_type": "account_profile", "source_id": [5],
                      "attribute_type": "location", "entity_type": "stream_profile", "payload": [6, 7]}}
            """
        ),
        (Arkavo.Event(), "{}"),
    ]

    static let entities: [(value: Arkavo.EntityRoot, json: String)] = [
        (
            root(.account(account)),
            """
            {"entity_type": "Account", "entity":
             {"public_id": {"id": [1, 1]}, "profile": \(profileJSON), "activity": \(activityJSON)}}
            """
        ),
        (
            root(.stream(stream)),
            """
            {"entity_type": "Stream", "entity":
             {"public_id": {"id": [2, 2]}, "profile": \(profileJSON), "activity": \(activityJSON),
              "creator_public_id": {"id": [3]}, "members_public_id": [{"id": [4]}, {"id": [5, 6]}, {}],
              "stream_level": "sl2"}}
            """
        ),
        (
            root(.thought(thought)),
            """
            {"entity_type": "Thought", "entity":
             {"public_id": {"id": [7]}, "creator_public_id": {"id": [8]}, "stream_public_id": {"id": [9]},
              "content": [104, 105], "media_type": "audio"}}
            """
        ),
    ]

    static let metadata: [(value: Arkavo.Metadata, json: String)] = [
        (
            full,
            """
            {"created": -9223372036854775808, "id": [1], "related": [2, 3], "creator": [4, 5, 6],
             "rating": {"violent": "none", "sexual": "mild", "profane": "moderate", "substance": "severe", "hate": "none",
                        "harm": "mild", "mature": "moderate", "bully": "severe"},
             "purpose": {"educational": 0.5, "entertainment": 0.25, "news": 0.125, "promotional": 1.5, "personal": 2.5,
                         "opinion": 3.5, "transactional": 4.5, "harmful": -1.0, "confidence": 0.75},
             "topics": [1, 2, 4294967295], "archive": {"type": "zstd", "version": "1.5", "profile": "fast"},
             "content": {"media_type": "text", "data_encoding": "quoted_printable",
                         "format": {"type": "pdf", "version": "1.7", "profile": "naïve 🙂"}}}
            """
        ),
        (Arkavo.Metadata(), "{}"),
    ]

    private static func event(_ data: Arkavo.EventData) -> Arkavo.Event {
        var event = Arkavo.Event()
        event.action = .invite
        event.timestamp = .max
        event.status = .fulfilled
        event.data = data
        return event
    }

    private static var user: Arkavo.UserEvent {
        var user = Arkavo.UserEvent()
        user.sourceType = .accountProfile
        user.targetType = .streamProfile
        user.sourceID = [1, 2, 3]
        user.targetID = [255]
        user.attributeTypes = [.time, .location]
        user.entityType = .server
        return user
    }

    private static var cache: Arkavo.CacheEvent {
        var cache = Arkavo.CacheEvent()
        cache.targetID = [9, 8]
        cache.targetPayload = [0, 127, 128]
        cache.ttl = .max
        cache.isOneTimeAccess = true
        return cache
    }

    private static var route: Arkavo.RouteEvent {
        var route = Arkavo.RouteEvent()
        route.targetType = .server
        route.targetID = [4]
        route.sourceType = .accountProfile
        route.sourceID = [5]
        route.attributeType = .location
        route.entityType = .streamProfile
        route.payload = [6, 7]
        return route
    }

    private static func root(_ entity: Arkavo.Entity) -> Arkavo.EntityRoot {
        var root = Arkavo.EntityRoot()
        root.entity = entity
        return root
    }

    private static func name(_ bytes: UInt8...) -> Arkavo.PublicID {
        var name = Arkavo.PublicID()
        name.id = bytes
        return name
    }

    private static let profileJSON = """
        {"name": "Anna", "blurb": "naïve 🙂", "interests": "chess, rain", "location": "Ulm", "location_level": "precise",
         "identity_assurance_level": "ial25", "encryption_level": "el2"}
        """

    private static var profile: Arkavo.Profile {
        var profile = Arkavo.Profile()
        profile.name = "Anna"
        profile.blurb = "naïve 🙂"
        profile.interests = "chess, rain"
        profile.location = "Ulm"
        profile.locationLevel = .precise
        profile.identityAssuranceLevel = .ial25
        profile.encryptionLevel = .el2
        return profile
    }

    private static let activityJSON = """
        {"date_created": -1, "expert_level": "master", "activity_level": "high", "trust_level": "verified"}
        """

    private static var activity: Arkavo.Activity {
        var activity = Arkavo.Activity()
        activity.created = -1
        activity.expertLevel = .master
        activity.activityLevel = .high
        activity.trustLevel = .verified
        return activity
    }

    private static var account: Arkavo.Account {
        var account = Arkavo.Account()
        account.publicID = name(1, 1)
        account.profile = profile
        account.activity = activity
        return account
    }

    private static var stream: Arkavo.Stream {
        var stream = Arkavo.Stream()
        stream.publicID = name(2, 2)
        stream.profile = profile
        stream.activity = activity
        stream.creator = name(3)
        stream.members = [name(4), name(5, 6), name()]
        stream.level = .sl2
        return stream
    }

    private static var thought: Arkavo.Thought {
        var thought = Arkavo.Thought()
        thought.publicID = name(7)
        thought.creator = name(8)
        thought.stream = name(9)
        thought.content = [104, 105]
        thought.mediaType = .audio
        return thought
    }

    private static var full: Arkavo.Metadata {
        var metadata = Arkavo.Metadata()
        metadata.created = .min
        metadata.id = [1]
        metadata.related = [2, 3]
        metadata.creator = [4, 5, 6]
        metadata.rating = rating
        metadata.purpose = purpose
        metadata.topics = [1, 2, .max]
        metadata.archive = Arkavo.ArchiveInfo()
        metadata.archive?.type = .zstd
        metadata.archive?.version = "1.5"
        metadata.archive?.profile = "fast"
        metadata.content = Arkavo.ContentFormat()
        metadata.content?.mediaType = .text
        metadata.content?.dataEncoding = .quotedPrintable
        metadata.content?.format = Arkavo.FormatInfo()
        metadata.content?.format?.type = .pdf
        metadata.content?.format?.version = "1.7"
        metadata.content?.format?.profile = "naïve 🙂"
        return metadata
    }

    private static var rating: Arkavo.Rating {
        var rating = Arkavo.Rating()
        rating.violent = .none
        rating.sexual = .mild
        rating.profane = .moderate
        rating.substance = .severe
        rating.hate = .none
        rating.harm = .mild
        rating.mature = .moderate
        rating.bully = .severe
        return rating
    }

    private static var purpose: Arkavo.Purpose {
        var purpose = Arkavo.Purpose()
        purpose.educational = 0.5
        purpose.entertainment = 0.25
        purpose.news = 0.125
        purpose.promotional = 1.5
        purpose.personal = 2.5
        purpose.opinion = 3.5
        purpose.transactional = 4.5
        purpose.harmful = -1
        purpose.confidence = 0.75
        return purpose
    }
}
