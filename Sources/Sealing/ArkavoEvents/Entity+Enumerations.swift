// The enumerations of `entity.fbs`.

extension Arkavo {
    /// How much somebody does.
    public struct ActivityLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: ActivityLevel = 0
        /// Somebody does little.
        public static let low: ActivityLevel = 1
        /// Somebody does some things.
        public static let medium: ActivityLevel = 2
        /// Somebody does much.
        public static let high: ActivityLevel = 3
    }

    /// What a content is for the senses.
    public struct MediaType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: MediaType = 0
        /// Something to read.
        public static let text: MediaType = 1
        /// A picture.
        public static let image: MediaType = 2
        /// A film.
        public static let video: MediaType = 3
        /// Sound.
        public static let audio: MediaType = 4
    }

    /// How exactly a place is given.
    public struct LocationLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: LocationLevel = 0
        /// The region at most.
        public static let wide: LocationLevel = 1
        /// The neighbourhood.
        public static let approximate: LocationLevel = 2
        /// The place itself.
        public static let precise: LocationLevel = 3
    }

    /// How well it was checked who somebody is (NIST SP 800-63A).
    public struct IdentityAssuranceLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: IdentityAssuranceLevel = 0
        /// Nothing was checked.
        public static let ial0: IdentityAssuranceLevel = 1
        /// Self-asserted: IAL1 of NIST SP 800-63A.
        public static let ial1: IdentityAssuranceLevel = 2
        /// Checked with evidence: IAL2 of NIST SP 800-63A.
        public static let ial2: IdentityAssuranceLevel = 3
        /// Between IAL2 and IAL3; Arkavo's own.
        public static let ial25: IdentityAssuranceLevel = 4
        /// Checked in person: IAL3 of NIST SP 800-63A.
        public static let ial3: IdentityAssuranceLevel = 5
    }

    /// How strongly a profile asks to be encrypted.
    public struct EncryptionLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: EncryptionLevel = 0
        /// The lowest level.
        public static let el0: EncryptionLevel = 1
        /// The middle level.
        public static let el1: EncryptionLevel = 2
        /// The highest level.
        public static let el2: EncryptionLevel = 3
    }

    /// The grade of a stream.
    public struct StreamLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: StreamLevel = 0
        /// The lowest grade.
        public static let sl0: StreamLevel = 1
        /// The middle grade.
        public static let sl1: StreamLevel = 2
        /// The highest grade.
        public static let sl2: StreamLevel = 3
    }

    /// How well somebody knows a matter.
    public struct ExpertLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: ExpertLevel = 0
        /// Somebody begins.
        public static let novice: ExpertLevel = 1
        /// Somebody knows the basics.
        public static let intermediate: ExpertLevel = 2
        /// Somebody knows the matter well.
        public static let expert: ExpertLevel = 3
        /// Somebody teaches it.
        public static let master: ExpertLevel = 4
    }

    /// How far somebody is trusted.
    public struct TrustLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: TrustLevel = 0
        /// Not at all.
        public static let untrusted: TrustLevel = 1
        /// A little.
        public static let low: TrustLevel = 2
        /// In part.
        public static let medium: TrustLevel = 3
        /// Largely.
        public static let high: TrustLevel = 4
        /// It was checked who this is.
        public static let verified: TrustLevel = 5
    }
}
