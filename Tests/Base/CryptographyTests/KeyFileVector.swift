/// Key files that `openssl` made of the P-256 key of ``CurveVector``, and keys of unsupported kinds.
enum KeyFileVector {
    static let certificateKey = CurveVector.all[0].compressed
    static let certificate = """
        MIIBeTCCAR+gAwIBAgIUecfLS0ueRcnG8YBGTe5KA3gPmLMwCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGYWxjb3ZlMCAXDTI2MTEy
        MTE5MjEzOVoYDzIxMjYxMDI4MTkyMTM5WjARMQ8wDQYDVQQDDAZhbGNvdmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQB+3EZ
        aW5JUzUIKn04+obA2HH3v1fdMpxfNJgVwHnP+LhQponGplcXDBOPLrggnPNdf2QxQET5A/YqOmycH0Bho1MwUTAdBgNVHQ4EFgQU
        pK5LDCzcmACXyfTvgHIP161wkBowHwYDVR0jBBgwFoAUpK5LDCzcmACXyfTvgHIP161wkBowDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNIADBFAiEAw9k4zhHXiM6d1WBLwvjEcBgn3pHdWn9TiNA1WyoIkhECIEP6zYqv0Uh49/MXSUBnID4SfpdKiYxgeMms
        62u8FBgn
        """
    static let withoutPublicKey = """
        MDECAQEEILjbTrDzWO2oktnRzFcSi+W/iLG5HenU1kZtWd5QjYwSoAoGCCqGSM49AwEH
        """
    static let encrypted = """
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiiuM9WNLlFRgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoE
        EOmUp2BUYbX/lrW1EHxwSKEEgZAWZE5Aqo1kOx3ixpr6RW4cyL0wS0pBJ3BtvDq92bY2DLDHoN5o53RHfpAdMrTR470t9kOfG/LE
        ZYznXDpMExXNb4XlZBsqiLWAEBOXlR1wBw35QZTJT6Gc2MzRMw7kxXy8WNAp3eKEX2+kwaS/vJOC1q5bho/eyMsF+MFRyD9jXU+d
        ES83SGsd0+MpNJbpFnE=
        """
    static let ed25519 = """
        MC4CAQAwBQYDK2VwBCIEIJP9WFkr5iskn1fYSioficfjIPEbm+04NgW5mQN961ny
        """
    static let brainpool = """
        MHgCAQEEIAVcPKnq6JXF7b9TIshYIuUgU6+t2bYrQ7BPy0WzsM2moAsGCSskAwMCCAEBB6FEA0IABFh19cKAh6GaPx4dM76enUsh
        nnY0PGEaenLFWT2TEU/Nf35a/eTPczc1T1xsa5sLCsKinI14ard8lfD4rASxik4=
        """
    static let encryptedTraditional = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,19CBA3895FD932C2029BED3500739C0A

        /9vP1otyLCKdElqdipWP/D+zJ0PdU0QICDw7T2BWe6aolLsULEBExK4uoPQt5US+
        amaRMYzchGS/mQasTwOybzzM6CMiQ4M1oToZ5Z217WVJEGzhMk+z6Zedy+aT7EOM
        tx30sdHmEqXa8tAs3qSarzEV0n6KyVGGahf5WpNc3D0=
        -----END EC PRIVATE KEY-----

        """
}
