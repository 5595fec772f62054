import Sandbox

@main enum AlcoveComponent {
    static func main() {
        #if os(Linux)
        ComponentProgram.run()
        #endif
    }
}
