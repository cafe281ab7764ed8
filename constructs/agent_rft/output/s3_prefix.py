"""A prefix in a bucket: what lies below it, and how it may be written."""

from agent_rft.permissions import literal

TOKEN_END = "]}"  # noqa: S105 - how a token ends in a text


def objects_below(prefix: str) -> str:
    """The objects below the prefix, as IAM writes them; all of the bucket's without one.

    Slashes inside stay as they are: S3 knows no folders, so ``a//b`` is not ``a/b`` [AWS docs: using-prefixes].
    Whether a service doubles the one at the end or not, it stays below the prefix without it. A prefix that ends in a
    token may end in a slash, which cannot be taken away.
    """
    text = literal(prefix.rstrip("/"))
    return f"{text}*" if not text or text.endswith(TOKEN_END) else f"{text}/*"


def prefix_problem(argument: str, prefix: str, instead: str) -> str:
    """What is wrong with a prefix; empty for one that is right."""
    if prefix.startswith("s3:"):
        return f"{argument} is {prefix!r}, but must be a prefix in the bucket. {instead}"
    if prefix.startswith("/"):
        return (
            f"{argument} is {prefix!r}, but S3 would take the slash at its start for a part of every object's key. "
            f"Write {prefix.lstrip('/')!r}."
        )
    return ""
