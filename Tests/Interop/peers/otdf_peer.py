"""The NanoTDF half of otdf-python, one operation a call: bytes come on standard input and go to standard output.

    otdf_peer.py open PRIVATE_KEY_PEM
    otdf_peer.py create PUBLIC_KEY_PEM CURVE plain|encrypted
"""

import sys

from otdf_python.config import KASInfo, NanoTDFConfig
from otdf_python.nanotdf import NanoTDF

KINDS = {"plain": "EMBEDDED_POLICY_PLAIN_TEXT", "encrypted": "EMBEDDED_POLICY_ENCRYPTED"}


def text(path):
    with open(path) as file:
        return file.read()


def main(operation, key, curve=None, policy="plain"):
    data = sys.stdin.buffer.read()
    if operation == "open":
        result = NanoTDF().read_nanotdf(data, {"kas_private_key": text(key)})
    else:
        config = NanoTDFConfig(
            kas_info_list=[KASInfo(url="https://kas.example.com", public_key=text(key))],
            attributes=["https://example.com/attr/place/value/home"],
            ecc_mode=curve,
            policy_type=KINDS[policy],
        )
        result = NanoTDF().create_nanotdf(data, config)
    sys.stdout.buffer.write(result)


main(*sys.argv[1:])
