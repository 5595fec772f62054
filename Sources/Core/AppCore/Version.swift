extension Core {
    /// The version of the product.
    package static let version = "0.2.0"
}
