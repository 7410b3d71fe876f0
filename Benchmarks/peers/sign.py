"""Signs decoded transactions as Apple would, with a chain of test certificates made for this run.

usage: sign.py TRANSACTIONS.jsonl COUNT OUT.jws     also writes the root certificate: OUT.jws.root.der

The intermediate and the leaf carry the two extensions by which Apple's certificates for the App Store are known."""
import base64
import datetime
import itertools
import json
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding

INTERMEDIATE_MARKER = "1.2.840.113635.100.6.2.1"
LEAF_MARKER = "1.2.840.113635.100.6.11.1"
ASN1_NULL = b"\x05\x00"


class Identity:
    """A key and its certificate, issued by `issuer` or by itself."""

    def __init__(self, name, curve, issuer=None, is_authority=True, marker=None):
        self.name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(curve)
        issuer = issuer or self
        public = self.key.public_key()
        builder = (
            x509.CertificateBuilder(issuer.name, self.name, public, x509.random_serial_number())
            .not_valid_before(datetime.datetime(2025, 1, 1))
            .not_valid_after(datetime.datetime(2040, 1, 1))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(self.usage(is_authority), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), critical=False)
        )
        if marker:
            extension = x509.UnrecognizedExtension(x509.ObjectIdentifier(marker), ASN1_NULL)
            builder = builder.add_extension(extension, critical=False)
        self.der = builder.sign(issuer.key, hashes.SHA256()).public_bytes(Encoding.DER)

    @staticmethod
    def usage(is_authority):
        allowed = {"key_cert_sign", "crl_sign"} if is_authority else {"digital_signature"}
        names = (
            "digital_signature content_commitment key_encipherment data_encipherment key_agreement key_cert_sign"
            " crl_sign encipher_only decipher_only"
        ).split()
        return x509.KeyUsage(**{name: name in allowed for name in names})


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, count, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    root = Identity("Test Root", ec.SECP384R1())
    intermediate = Identity("Test Intermediate", ec.SECP384R1(), root, marker=INTERMEDIATE_MARKER)
    leaf = Identity("Test Leaf", ec.SECP256R1(), intermediate, is_authority=False, marker=LEAF_MARKER)
    with open(target + ".root.der", "wb") as file:
        file.write(root.der)

    chain = [base64.b64encode(identity.der).decode() for identity in (leaf, intermediate, root)]
    header = base64url(json.dumps({"alg": "ES256", "x5c": chain}).encode())
    written = 0
    with open(source, "rb") as lines, open(target, "wb") as file:
        for line in itertools.islice(lines, count):
            message = header + b"." + base64url(line.rstrip(b"\n"))
            r, s = decode_dss_signature(leaf.key.sign(message, ec.ECDSA(hashes.SHA256())))
            file.write(message + b"." + base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big")) + b"\n")
            written += 1
    if written < count:
        sys.exit(f"sign.py: {source} holds only {written} transactions")


main()
