"""Names that stand in a bucket's place and are none: IAM checks rights on what they name by other ARNs or actions.

Source: AWS docs, bucket naming rules; access points and s3express in the service authorization reference: Amazon S3.
"""

__all__ = ["ACCESS_POINT_ARN", "RESERVED_SUFFIXES", "kind_of_bucket"]

ACCESS_POINT_ARN = "arn:"
"""How the ARN of an access point starts, which S3 takes in a bucket's place."""

RESERVED_SUFFIXES = {
    "-s3alias": "the alias of an access point",
    "--ol-s3": "the alias of an S3 Object Lambda access point",
    ".mrap": "the alias of a multi-region access point",
    "--op-s3": "the alias of an access point of S3 on Outposts",
    "--x-s3": "a directory bucket",
    "--table-s3": "a table bucket",
}


def kind_of_bucket(name: str) -> str:
    """What the name is of, in words; empty for a general purpose bucket."""
    if name.startswith(ACCESS_POINT_ARN):
        return "the ARN of an access point"
    return next((kind for suffix, kind in RESERVED_SUFFIXES.items() if name.endswith(suffix)), "")
