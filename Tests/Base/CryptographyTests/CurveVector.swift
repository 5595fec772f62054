import Cryptography
import Testing

/// A key pair, and results of Python's cryptography 50 (OpenSSL) for it. The scalars are digests of "alcove own" and
/// "alcove peer".
struct CurveVector: Sendable, CustomTestStringConvertible {
    let curve: EllipticCurve
    let scalar: String
    let compressed: String
    let peer: String
    let secret: String
    /// Of "alcove".
    let signature: String
    let sec1: String
    let pkcs8: String
    let spki: String

    var testDescription: String { curve.name }

    static let all = [
        CurveVector(
            curve: .p256,
            scalar: """
                b8db4eb0f358eda892d9d1cc57128be5bf88b1b91de9d4d6466d59de508d8c12
                """,
            compressed: """
                0301fb7119696e495335082a7d38fa86c0d871f7bf57dd329c5f349815c079cff8
                """,
            peer: """
                026f2564a97c8103599da1e679bfca573e6146e922dc22e3284a3db1e4e30b33da
                """,
            secret: """
                24f9e00f57037de95d861675aedd359d7f91cf87fa40a2b61023a416aa5c165d
                """,
            signature: """
                3e22006e9fcdb36a449d3adc9ade54c74daa7681559aab15d410ebc68f62daf6bbaa7e94be0c2079ae8227ff640dde2e60fd
                8f4975633b69a493ae35f8fcf625
                """,
            sec1: """
                MHcCAQEEILjbTrDzWO2oktnRzFcSi+W/iLG5HenU1kZtWd5QjYwSoAoGCCqGSM49AwEHoUQDQgAEAftxGWluSVM1CCp9OPqGwNhx
                979X3TKcXzSYFcB5z/i4UKaJxqZXFwwTjy64IJzzXX9kMUBE+QP2KjpsnB9AYQ==
                """,
            pkcs8: """
                MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguNtOsPNY7aiS2dHMVxKL5b+Isbkd6dTWRm1Z3lCNjBKhRANCAAQB
                +3EZaW5JUzUIKn04+obA2HH3v1fdMpxfNJgVwHnP+LhQponGplcXDBOPLrggnPNdf2QxQET5A/YqOmycH0Bh
                """,
            spki: """
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAftxGWluSVM1CCp9OPqGwNhx979X3TKcXzSYFcB5z/i4UKaJxqZXFwwTjy64IJzz
                XX9kMUBE+QP2KjpsnB9AYQ==
                """),
        CurveVector(
            curve: .p384,
            scalar: """
                001ef566b01a707d93eaa3a4f6c609d5f7664fb4f4b5b5344e0b9d46e5e739eef8e765ecfa5d1520e9424e048cf1a2e7
                """,
            compressed: """
                033ef5d56abdf21cc73f4014794e50efc3cbaed7730eeee1a1a5a68dbbef0949d5d9e611fe7756a9151a5a315d780d1e76
                """,
            peer: """
                03fef5994a77819e1d1b7b25744dced21069d574d47d09513550808e411b7c783cf6a5ddc1e54daeda3f889166cc417b71
                """,
            secret: """
                a918a1c1d07bddccd9b99a6b4a5b42e18b590fc6fea8063659f89310b190dc742127b4e54fa4d9e3ac51c5f09930d136
                """,
            signature: """
                97a4517a28f61c7c5906f4586a28f696d683c564d81ddd07c069617cad9d5840dd3f2af8c4b87ae5a1aab1d33f538355f235
                3ff4b269d2b3927bbd3d3581cf05809713e67a233c47538cf3618033a06d651646e37211f7a89097a46da1236018
                """,
            sec1: """
                MIGkAgEBBDAAHvVmsBpwfZPqo6T2xgnV92ZPtPS1tTROC51G5ec57vjnZez6XRUg6UJOBIzxouegBwYFK4EEACKhZANiAAQ+9dVq
                vfIcxz9AFHlOUO/Dy67Xcw7u4aGlpo277wlJ1dnmEf53VqkVGloxXXgNHnasKY07pm0yfqH157/yZ6lajtKewsCAsBNOCcU64rEN
                Dup1p5eJHLVh6Pzp5XoJBgE=
                """,
            pkcs8: """
                MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAAHvVmsBpwfZPqo6T2xgnV92ZPtPS1tTROC51G5ec57vjnZez6XRUg
                6UJOBIzxouehZANiAAQ+9dVqvfIcxz9AFHlOUO/Dy67Xcw7u4aGlpo277wlJ1dnmEf53VqkVGloxXXgNHnasKY07pm0yfqH157/y
                Z6lajtKewsCAsBNOCcU64rENDup1p5eJHLVh6Pzp5XoJBgE=
                """,
            spki: """
                MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEPvXVar3yHMc/QBR5TlDvw8uu13MO7uGhpaaNu+8JSdXZ5hH+d1apFRpaMV14DR52rCmN
                O6ZtMn6h9ee/8mepWo7SnsLAgLATTgnFOuKxDQ7qdaeXiRy1Yej86eV6CQYB
                """),
        CurveVector(
            curve: .p521,
            scalar: """
                001ef566b01a707d93eaa3a4f6c609d5f7664fb4f4b5b5344e0b9d46e5e739eef8e765ecfa5d1520e9424e048cf1a2e755d0
                bf8c9625638ca904763fca524be9e516
                """,
            compressed: """
                0301440342a6ab19cf94c7a81724a477e900d9dcf71e1710f284ce84b11db8bbb1e0b512414dc865f2bf802d2ee066bb4ae5
                87fa75c8f19637a47f956726a1498f69ef
                """,
            peer: """
                0301c7fc882482fd14591b7f6eba4a0d6afb6a3133ae1b60376e7d59ea3c9dd821df07fa18a9091dddfad01ea38ae9c19cb7
                57c8b186aaa9036defd79959fbc27c9553
                """,
            secret: """
                0037fed0525ded242a5e949bd2c02522a32f1fe6803d8e84f53157dea735bd4e6167012b3dff0212036811acf1b954e42ff8
                e9df5844f85069b6788f8ab352be59f6
                """,
            signature: """
                003a4190419c773b30528cbfbe8384ee925c0a034586c6ae81464beb1c82181ea93d7a12dbf85a42f92e526ad270c72d7007
                73cf4bc3091347e2de8b7230a487577601e290588a6d8984697d8af772d316ed67a15b7f5c40a9ad18252dbdc9ca62aa3421
                0e87961c03cbd87efac4db4ddcc705e1abce5723bb17c1da35d3d47c1486ba5f
                """,
            sec1: """
                MIHcAgEBBEIAHvVmsBpwfZPqo6T2xgnV92ZPtPS1tTROC51G5ec57vjnZez6XRUg6UJOBIzxoudV0L+MliVjjKkEdj/KUkvp5Rag
                BwYFK4EEACOhgYkDgYYABAFEA0KmqxnPlMeoFySkd+kA2dz3HhcQ8oTOhLEduLux4LUSQU3IZfK/gC0u4Ga7SuWH+nXI8ZY3pH+V
                ZyahSY9p7wAeJOoPttEHIaQQxq7rx6qWY+92P1aIlhELvEHx9zZ88vYTMdpKwEfE3GroiFA/0vEogQSxvkHcKSJTfacRxPIICQ==
                """,
            pkcs8: """
                MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIAHvVmsBpwfZPqo6T2xgnV92ZPtPS1tTROC51G5ec57vjnZez6XRUg
                6UJOBIzxoudV0L+MliVjjKkEdj/KUkvp5RahgYkDgYYABAFEA0KmqxnPlMeoFySkd+kA2dz3HhcQ8oTOhLEduLux4LUSQU3IZfK/
                gC0u4Ga7SuWH+nXI8ZY3pH+VZyahSY9p7wAeJOoPttEHIaQQxq7rx6qWY+92P1aIlhELvEHx9zZ88vYTMdpKwEfE3GroiFA/0vEo
                gQSxvkHcKSJTfacRxPIICQ==
                """,
            spki: """
                MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBRANCpqsZz5THqBckpHfpANnc9x4XEPKEzoSxHbi7seC1EkFNyGXyv4AtLuBmu0rl
                h/p1yPGWN6R/lWcmoUmPae8AHiTqD7bRByGkEMau68eqlmPvdj9WiJYRC7xB8fc2fPL2EzHaSsBHxNxq6IhQP9LxKIEEsb5B3Cki
                U32nEcTyCAk=
                """),
        CurveVector(
            curve: .secp256k1,
            scalar: """
                b8db4eb0f358eda892d9d1cc57128be5bf88b1b91de9d4d6466d59de508d8c12
                """,
            compressed: """
                02fb307993a22db92552f0b66c52e32c9b89eabc3ae91d0484e01de143658a5da9
                """,
            peer: """
                02f43f20d9c346f2afa125ab7172afd2e161e307ae81f2b881df024559bf520f59
                """,
            secret: """
                96ddbb292e99bbc9cd77e10efc82e0af6f349dc274de3593d436e7a41e09ec23
                """,
            signature: """
                e8a2d25e35323a0e6116428e4c18342f6556ce0c4cbca3dba0d07a7a56b2f6139dd0af0d253e82c2ba95ac591781b7c5d3c6
                daa40859feab6477fdc4013e8927
                """,
            sec1: """
                MHQCAQEEILjbTrDzWO2oktnRzFcSi+W/iLG5HenU1kZtWd5QjYwSoAcGBSuBBAAKoUQDQgAE+zB5k6ItuSVS8LZsUuMsm4nqvDrp
                HQSE4B3hQ2WKXaljP0EVZFSswEMJL5qJ2HivXCCXu8sfX6pK6ULHWUwHaA==
                """,
            pkcs8: """
                MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQguNtOsPNY7aiS2dHMVxKL5b+Isbkd6dTWRm1Z3lCNjBKhRANCAAT7MHmT
                oi25JVLwtmxS4yybieq8OukdBITgHeFDZYpdqWM/QRVkVKzAQwkvmonYeK9cIJe7yx9fqkrpQsdZTAdo
                """,
            spki: """
                MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAE+zB5k6ItuSVS8LZsUuMsm4nqvDrpHQSE4B3hQ2WKXaljP0EVZFSswEMJL5qJ2HivXCCX
                u8sfX6pK6ULHWUwHaA==
                """),
    ]
}
