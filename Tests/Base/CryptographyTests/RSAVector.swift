/// A key and its RSASSA-PKCS1-v1_5 signatures of "alcove", made with the Python package `cryptography`.
enum RSAVector {
    static let message = Array("alcove".utf8)
    static let exponent: [UInt8] = [1, 0, 1]
    static let modulus = hex(
        """
        ab2d5b978ed5764b862ce9a6f1d525f0eec4cd445af1b3b045fdbf51ae206faead13aaca2857beba88656c623b196c7c \
        6ebbfa6aa3d411a24e82a53f26a2af06a38275c4c95f7810a1400feff54e67c5e4b1b238fef269e4d3bea040d9adb34e \
        34565eaaeca1c1121fc750a368acd397757d8f64dd894e0daa4efe9277375aef2159f2ba8f3d83f2063e9d1cc3866a93 \
        d19404cfdd9f69b277294896dcef86bc764f6065baf3e83fb350006336086d775a0b3f5eb3ce89168fb89e5ef4272107 \
        f5989322e83577d7be700dfc69915fa57fef578e17fda3e7ad44a205110d02eaa7f55233c8fb8c1314a48587cb1b9c78 \
        5c4196719821e27c543697afddc8c26b
        """)
    static let sha256 = hex(
        """
        1995210f047b11a21ef63ba87a07c1057007f84f659feefa0a43f88e7ffe6c71c9bb975180554157218bc8a2f0232d72 \
        7a4375226af44736b64aaefc1f3a3bd6c732bf342c5e1e724d1e62d6d7d7ef002139743ad3f559f27f2b189579155229 \
        bb98105f63faea2f6329215bf754fc252dc104974b5fc9344a1966881bffc1a3693a89a133cc5e4b9ace86d185cc3a6a \
        ffc614e74e7418fb3723255c94eeb29745769911e5a51036678909f5748da90934653b4852c33fdbc58092f287196ef5 \
        6e026f2c9fba3013e9542547be7bff785a85aeb1e688a76d81030cac7927480b6db3b7025106a845c3ff7ad4311043fa \
        8a80e2dc49286af11eb59a2009fba630
        """)
    static let sha384 = hex(
        """
        48837857658a749bb20d7a17b16fe8d138b6ee9859a947c18b8f903577fc5124e329d816bb84930faa64f886a63522bc \
        cf6bb5a387b04012346bac98540e0003155e8e5d3f301796097afe652ff68ad9efb8c80999a8aae49aa4f3d4a6a5e904 \
        c924df32e45bbbc031e78bea336db052e20b5e1ee8eb959a95d32b882d9cc5596aa3bbf2cf5d8e92c4d258446eb8a2b1 \
        5dbf8fbaec54aa215c6154b2aee18e034c41f0fad23ad7c51122b5cdc9ad9fe8d1cd368a27795b9815f42773e791edaf \
        a2e5d9bb3a84b20903d2390463acb37db44e64ff0cd989fa5367664be25427a1d57ede7c07fbfa23c5f81462e84ab2d0 \
        d7c5c37665e527d59e60474d37cf80e7
        """)
    static let sha512 = hex(
        """
        131933bc632a1a406eacc67175d5c9f2318e09f79c456ac35e08a5aae2be56ed90ad9369fc059b91bbfed25b029ba5d3 \
        6fa7d68cee49e7cfb3e357c653ed86b5ea0719e58e5d4084f2930e0a626b01d32b06f96a7ad33bc557e7f4e61688218a \
        65895d590e78ea940699826a7ebb15a0e2bc509b8f329f471fca246f11e52985b5e4914a9dee27f04cb33c85db3a2ce1 \
        2a78cf247fdca136dfd23e029973cf613f3f6366602169be5d78d185f7ae1619ea08eb377c6503b5f3b126775a284857 \
        b13fdcc8861def51891803b3f87530cb410a57fd66a601ec56761bf4fe44eff2827afad6ba2d4b9032f884537aeadabc \
        4a400d817a5ed540d5e01d4fbde5a65e
        """)
    static let pem = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqy1bl47VdkuGLOmm8dUl
        8O7EzURa8bOwRf2/Ua4gb66tE6rKKFe+uohlbGI7GWx8brv6aqPUEaJOgqU/JqKv
        BqOCdcTJX3gQoUAP7/VOZ8XksbI4/vJp5NO+oEDZrbNONFZequyhwRIfx1CjaKzT
        l3V9j2TdiU4Nqk7+knc3Wu8hWfK6jz2D8gY+nRzDhmqT0ZQEz92fabJ3KUiW3O+G
        vHZPYGW68+g/s1AAYzYIbXdaCz9es86JFo+4nl70JyEH9ZiTIug1d9e+cA38aZFf
        pX/vV44X/aPnrUSiBRENAuqn9VIzyPuMExSkhYfLG5x4XEGWcZgh4nxUNpev3cjC
        awIDAQAB
        -----END PUBLIC KEY-----
        """
}
