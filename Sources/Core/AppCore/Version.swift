extension Core {
    /// The version of the product.
    public static let version = "0.2.0"
}
