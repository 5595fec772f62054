"""The NanoTDF half of otdf-python, on files of one folder.

    otdf_peer.py open PRIVATE_KEY_PEM FILE...           writes FILE.opened
    otdf_peer.py create PUBLIC_KEY_PEM CURVE FILE...    writes FILE.plain and FILE.encrypted, named after their policies
"""

import sys
from pathlib import Path

from otdf_python.config import KASInfo, NanoTDFConfig
from otdf_python.nanotdf import NanoTDF

KINDS = {"plain": "EMBEDDED_POLICY_PLAIN_TEXT", "encrypted": "EMBEDDED_POLICY_ENCRYPTED"}


def open_all(key, *files):
    for file in files:
        opened = NanoTDF().read_nanotdf(Path(file).read_bytes(), {"kas_private_key": Path(key).read_text()})
        Path(file + ".opened").write_bytes(opened)


def create_all(key, curve, *files):
    for file in files:
        for policy, kind in KINDS.items():
            config = NanoTDFConfig(
                kas_info_list=[KASInfo(url="https://kas.example.com", public_key=Path(key).read_text())],
                attributes=["https://example.com/attr/place/value/home"],
                ecc_mode=curve,
                policy_type=kind,
            )
            created = NanoTDF().create_nanotdf(Path(file).read_bytes(), config)
            Path(f"{file}.{policy}").write_bytes(created)


{"open": open_all, "create": create_all}[sys.argv[1]](*sys.argv[2:])
