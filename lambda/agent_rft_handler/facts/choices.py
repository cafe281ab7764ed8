"""The closed choices of the API that a user makes, as enumerations; their texts are taken, too."""

from enum import StrEnum

__all__ = ["ManagedStorageType"]


class ManagedStorageType(StrEnum):
    """Who stores a group's packages, where not the account itself [botocore: sagemaker ManagedStorageType]."""

    RESTRICTED = "Restricted"
    """Storage of AWS's, which a job of a Nova model needs."""
