"""Clients that read nothing of the user's: no profile, no files, no proxy, no environment variable."""

import functools
import os
from typing import Any

import boto3
import botocore.session
from botocore.config import Config

from agent_rft_local.start_key import StartKey


def client(service: str, region: str, endpoint: str, key: StartKey, **config: Any) -> Any:
    """A boto3 client of the local AWS, the same one each time where nothing is configured: to make one takes longer
    than most requests.

    Args:
        service: Such as ``"sagemaker"``.
        region: Such as ``"us-east-1"``.
        endpoint: The local AWS's.
        key: The key that signs.
        config: Further arguments of botocore's Config.
    """
    return _made(service, region, endpoint, key, **config) if config else _kept(service, region, endpoint, key)


def _made(service: str, region: str, endpoint: str, key: StartKey, **config: Any) -> Any:
    return _session().client(
        service,  # type: ignore[call-overload]
        region_name=region,
        endpoint_url=endpoint,
        aws_access_key_id=key.access_key_id,
        aws_secret_access_key=key.secret_access_key,
        config=Config(proxies={}, **config),
    )


_kept = functools.lru_cache(maxsize=64)(_made)


@functools.cache
def _session() -> boto3.Session:
    """Each of botocore's settings keeps its default, its environment variable taken away, in files that are empty."""
    variables = {
        name: (in_file, None, default, convert)
        for name, (in_file, _, default, convert) in botocore.session.Session.SESSION_VARIABLES.items()
    }
    for name in ("config_file", "credentials_file"):
        variables[name] = (None, None, os.devnull, None)
    return boto3.Session(botocore_session=botocore.session.Session(session_vars=variables))
