"""Signed heads: who says that this was the head of a log (Ed25519, RFC 8032).

The chain shows that a log was not changed since its head was taken, not who took it.  The keys are PEM
files as other programs make them.  This needs the package ``cryptography``, the extra ``signatures``.
"""

from __future__ import annotations

import os
from typing import Any

import msgspec

from cascade_es.errors import InputError
from cascade_es.log.disk import read_file
from cascade_es.log.heads import RememberedHead

__all__ = ["is_signed_by", "new_keys", "public_key", "read_private", "read_public", "sign"]


def new_keys() -> tuple[bytes, bytes]:
    """A new key: the private part (keep it to yourself) and the public part, as PEM.

    Raises:
        InputError: when signatures are not installed.
    """
    keys, coding = _library()
    private = keys.Ed25519PrivateKey.generate()
    secret = private.private_bytes(coding.Encoding.PEM, coding.PrivateFormat.PKCS8, coding.NoEncryption())
    return secret, _public_pem(private.public_key())


def public_key(private: bytes) -> bytes:
    """The public part of a private key, both as PEM; raises as :func:`sign` does."""
    return _public_pem(_private(private).public_key())


def sign(head: RememberedHead, private: bytes) -> RememberedHead:
    """The head with a signature made by this private key (PEM).

    Raises:
        InputError: when that is no Ed25519 key without a password, or signatures are not installed.
    """
    return msgspec.structs.replace(head, signature=_private(private).sign(head.signed_part))


def is_signed_by(head: RememberedHead, public: bytes) -> bool:
    """Whether the head has a signature, and this public key (PEM) made it.

    Raises:
        InputError: when that is no Ed25519 key, or signatures are not installed.
    """
    key = _public(public)
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(head.signature, head.signed_part)
    except InvalidSignature:
        return False
    return True


def read_private(path: str | os.PathLike[str]) -> bytes:
    """The private key in a file, checked; raises as :func:`sign` does."""
    pem = _read(path)
    try:
        _private(pem)
    except InputError as error:
        raise InputError(error.what, where=os.fspath(path)) from None
    return pem


def read_public(path: str | os.PathLike[str]) -> bytes:
    """The public key in a file, checked; raises as :func:`is_signed_by` does."""
    pem = _read(path)
    try:
        _public(pem)
    except InputError as error:
        raise InputError(error.what, where=os.fspath(path)) from None
    return pem


def _read(path: str | os.PathLike[str]) -> bytes:
    return read_file(path)


def _library() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        what = "signatures need the package 'cryptography'; pip install 'cascade-es[signatures]'"
        raise InputError(what) from None
    return ed25519, serialization


def _private(pem: bytes) -> Any:
    keys, coding = _library()
    try:
        key = coding.load_pem_private_key(pem, None)
    except Exception:  # of many kinds, by what is wrong with it
        key = None
    if not isinstance(key, keys.Ed25519PrivateKey):
        raise InputError(
            "no private Ed25519 key in PEM without a password; make one with 'cascade-es keygen'"
        )
    return key


def _public(pem: bytes) -> Any:
    keys, coding = _library()
    try:
        key = coding.load_pem_public_key(pem)
    except Exception:  # of many kinds, by what is wrong with it
        key = None
    if not isinstance(key, keys.Ed25519PublicKey):
        raise InputError("no public Ed25519 key in PEM; give the one that 'cascade-es keygen' made")
    return key


def _public_pem(key: Any) -> bytes:
    _, coding = _library()
    pem: bytes = key.public_bytes(coding.Encoding.PEM, coding.PublicFormat.SubjectPublicKeyInfo)
    return pem
