@main
enum AlcoveComponent {
    static func main() {}
}
