import AppCore
import Testing

/// Places as people write them, and as maps and phones hand them on.
@Suite struct WrittenPlaceTests {
    @Test(arguments: [
        "48.2, 16.37", "48.2,16.37", " 48.2 16.37\n", "+48.2; 16.37", "48.2° N, 16.37° E", "48.2N 16.37E",
        "16.37 e 48.2 n",
        "geo:48.2,16.37", "GEO:48.2,16.37,171;crs=WGS84;u=35", "geo:48.2,16.37?q=48.2,16.37(Cafe)",
        "https://www.openstreetmap.org/#map=16/48.2/16.37",
        "https://www.openstreetmap.org/?mlat=48.2&mlon=16.37#map=12/1/2",
        "https://www.openstreetmap.org/#map=16/48.2/16.37&layers=T", "https://maps.google.com/?q=48.2,16.37",
        "https://www.google.com/maps/@48.2,16.37,15z", "https://www.google.at/maps?ll=48.2%2C16.37&z=3",
        "https://www.google.com/maps/place/Wien/@1.5,2.5,17z/data=!3m1!4b1!4m6!3d48.2!4d16.37!16zL20",
        "https://www.google.com/maps/search/?api=1&query=48.2%2c16.37", "https://maps.apple.com/?ll=48.2,16.37&q=Cafe",
    ])
    func aPlaceIsRead(text: String) {
        let place = Location(written: text)
        #expect(place?.latitude == 48.2 && place?.longitude == 16.37)
    }

    @Test func directionsAndRadius() {
        let south = Location(written: "33.9° S, 18.4° W")
        #expect(south?.latitude == -33.9 && south?.longitude == -18.4)
        #expect(Location(written: "geo:48.2,16.37;u=35")?.accuracy == 35)
    }

    @Test(arguments: [
        "", " ", "Vienna", "48.2", "48.2, 16.37, 3", "48,2 16,37", "91, 0", "0, 181", "nan, nan", "0x1p3, 1", "1e1, 1",
        "inf, 0",
        "48.2 N, 16.37 S", "48.2 N N, 16.37 E", "N 48.2", "geo:", "geo:48.2", "geo:48.2,16.37;crs=mars", "geo:,",
        "geo:1,2,3,4",
        "https://maps.app.goo.gl/abc", "https://www.google.com/maps", "https://",
        "https://www.openstreetmap.org/#map=16/48.2",
        "https://example.org/?q=Vienna", "javascript:48.2,16.37", "https://www.google.com/maps/@,,15z", "\u{0}", "°, °",
    ])
    func whatIsNoPlaceIsRefused(text: String) { #expect(Location(written: text) == nil) }

    @Test func aLongOneIsNotRead() {
        #expect(Location(written: "48.2, 16.37" + String(repeating: " ", count: RoomLimits.placeBytes)) == nil)
    }

    @Test func itIsSentAndAMistakeIsSaid() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        #expect(driver.tree.find("chat.place")?.offers.first?.inputs == ["text"])
        try driver.chat(.sharePlace(room: room, text: "somewhere"))
        #expect(driver.state.rooms[room]?.messages.all.contains { $0.direction == .sent } == false)
        #expect(driver.text.contains("There is no place in this."))
        try driver.chat(.sharePlace(room: room, text: "geo:48.2,16.37;u=35"))
        // Where somebody is was not measured.
        #expect(
            driver.state.rooms[room]?.messages.last?.body
                == .location(Location(latitude: 48.2, longitude: 16.37, accuracy: 35)))
    }
}
