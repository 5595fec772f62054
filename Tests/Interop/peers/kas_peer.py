"""otdf-python as the client of a key access service: it fetches the public key, seals, asks for the key, and opens.

    kas_peer.py seal URL ATTRIBUTE
    kas_peer.py open DPOP_KEY_PEM TOKEN

Bytes come on standard input and go to standard output.
"""

import sys
from io import BytesIO

from otdf_python.config import KASInfo, NanoTDFConfig
from otdf_python.kas_client import KASClient
from otdf_python.nanotdf import NanoTDF


class Services:
    def __init__(self, client):
        self.client = client

    def kas(self):
        return self.client


def main(operation, first, second):
    token = second if operation == "open" else None
    client = KASClient(token_source=(lambda: token) if token else None, use_plaintext=True)
    nano = NanoTDF(services=Services(client))
    data, result = sys.stdin.buffer.read(), BytesIO()
    if operation == "seal":
        config = NanoTDFConfig(kas_info_list=[KASInfo(url=first)], attributes=[second])
        nano.create_nano_tdf(data, result, config)
    else:
        # It signs with a key that it makes up and tells nobody. A service has to know it, so it gets one that is known.
        with open(first) as file:
            client._dpop_private_key_pem = file.read()
        nano.read_nano_tdf(data, result, NanoTDFConfig())
    sys.stdout.buffer.write(result.getvalue())


main(*sys.argv[1:])
