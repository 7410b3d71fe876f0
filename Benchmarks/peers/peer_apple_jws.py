"""Apple's own Python library verifies signed transactions, one after the other. Prints how many a second.

usage: peer_apple_jws.py SIGNED.jws COUNT     of the first COUNT lines; SIGNED.jws.root.der is the root to trust"""
import itertools
import sys
import time

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path, count = sys.argv[1], int(sys.argv[2])
    with open(path + ".root.der", "rb") as file:
        root = file.read()
    with open(path, encoding="ascii") as file:
        lines = [line.strip() for line in itertools.islice(file, count)]
    # Without revocation lists: these certificates are in none.
    verifier = SignedDataVerifier([root], False, Environment.PRODUCTION, "com.example.game", 1)
    start = time.perf_counter()
    for line in lines:
        verifier.verify_and_decode_signed_transaction(line)  # raises where it does not verify
    seconds = time.perf_counter() - start
    print(f"app-store-server-library: {len(lines)} in {seconds:.2f} s, {len(lines) / seconds:.0f} a second")


main()
