"""The model that a job trains."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import Fn
from aws_cdk.aws_sagemaker import CfnModelPackage, CfnModelPackageGroup
from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.arguments.attribute import attribute_at_start
from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import TEXT_TOKEN, is_text_token, known_region, refuse, unresolved
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.interfaces import Group
from agent_rft.model.hub_access import hub_access
from agent_rft.model.model_names import other_name_problem
from agent_rft.permissions import statement
from agent_rft.place import Place
from agent_rft_handler.facts import MODEL_PACKAGE_ARN, MODEL_PACKAGE_GROUP_ARN, NOVA_REGIONS, REGIONS, is_nova

PACKAGE_REFS = ("AWS::SageMaker::ModelPackage.Ref", "AWS::SageMaker::ModelPackage.ModelPackageArn")
GROUP_REFS = ("AWS::SageMaker::ModelPackageGroup.Ref", "AWS::SageMaker::ModelPackageGroup.ModelPackageGroupArn")
"""Attributes that are ARNs [AWS docs: CloudFormation, return values]."""
CHOICES = "Model.from_hub, from_hub_content_arn, from_model_package or from_model_package_group"


@checked
@dataclass(frozen=True)
class Model:
    """A base model of a SageMaker hub, or a model package whose training continues.

    A string means what it means to the SDK: a hub name, an alias such as ``amazon.nova-2-lite-v1``, a hub-content ARN
    or a model package ARN.
    """

    reference: str
    """What it is called: a hub name, an alias or an ARN."""
    model_package_arn: str = ""
    """The package from which training continues, or a pattern for those of a group; empty for a base model."""
    model_package_group: Group | None = None
    """The group whose newest package it is; None for any other model."""
    only_approved: bool = False
    """Whether only an approved package of the group will do."""
    is_guessed: bool = False
    """Whether a token was taken for a base model, as nothing says what it is."""

    @classmethod
    @checked
    def from_hub(cls, hub_content_name: str) -> "Model":
        """A model of SageMakerPublicHub by its name; the hub's current version is resolved at deploy.

        Args:
            hub_content_name: Such as ``huggingface-reasoning-qwen3-32b``.
        """
        return cls(hub_content_name)

    @classmethod
    @checked
    def from_hub_content_arn(cls, hub_content_arn: str) -> "Model":
        """A model of any hub; the ARN goes into the document as it is.

        Args:
            hub_content_arn: With a version (``.../Model/NAME/1.0.0``) to pin it, else the hub's current one.
        """
        return cls(hub_content_arn)

    @classmethod
    @checked
    def from_model_package(cls, model_package: CfnModelPackage | str) -> "Model":
        """A model package that a customization job made: training continues from it.

        Args:
            model_package: Its ARN, or the resource.
        """
        arn = model_package if isinstance(model_package, str) else model_package.ref
        return cls(arn, model_package_arn=arn)

    @classmethod
    @checked
    def from_model_package_group(cls, group: Group, *, only_approved: bool = False) -> "Model":
        """The newest model package of a group, as it is when the job is submitted: training continues from it.

        What defines the job is the group, so a newer package alone submits nothing: change ``run_id``. A retry or a
        rollback looks for no package anew. The group must hold one when the stack deploys, so the job that registers
        it must have ended by then.

        Example::

            Model.from_model_package_group(first.model_package_group)

        Args:
            group: Such as the ``model_package_group`` of an earlier trainer; a construct, the L1, or an ARN.
            only_approved: Set True to take only what was approved (ModelApprovalStatus); without it, whatever was not
                rejected.
        """
        if isinstance(group, CfnModelPackageGroup):
            arn = group.ref
        else:
            arn = group if isinstance(group, str) else group.model_package_group_arn
        head, name = (Fn.select(number, Fn.split(":model-package-group/", arn)) for number in (0, 1))
        return cls(arn, f"{head}:model-package/{name}/*", group, only_approved)

    @classmethod
    def of(cls, scope: Construct, model: "Model | str") -> "Model":
        """The model itself, or the one that a string names.

        Raises:
            ValueError: for a name of Bedrock's or Hugging Face's.
        """
        refuse(scope, [other_name_problem(model if isinstance(model, str) else model.reference)])
        if isinstance(model, Model):
            return model
        if not unresolved(model) and MODEL_PACKAGE_GROUP_ARN.accepts(model):
            return cls.from_model_package_group(model)
        if is_text_token(model):
            return cls._of_token(model)
        is_package = not unresolved(model) and MODEL_PACKAGE_ARN.accepts(model)
        return cls.from_model_package(model) if is_package else cls(model)

    @classmethod
    def _of_token(cls, model: str) -> "Model":
        """By the resource of the app whose attribute it is; else taken for a hub's, with a warning."""
        attribute = attribute_at_start(model)
        if attribute and attribute.of in PACKAGE_REFS:
            return cls.from_model_package(model)
        if attribute and attribute.of in GROUP_REFS:
            return cls.from_model_package_group(model)
        return cls(model, is_guessed=True)

    @property
    def declared(self) -> Mapping[str, object]:
        """What it is called, and which packages of a group count."""
        return {"model": self.reference, "only_approved": self.only_approved}

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to read the base model in the hub."""
        is_package = bool(self.model_package_arn)
        access = hub_access(Place.of(scope), self.reference, is_package=is_package)
        role.allow(statement(permissions.READ_HUB, *access.hubs, *access.contents))
        if self.is_guessed:
            warnings.UNKNOWN_KIND.add_to(scope, what="model", taken="a model of a hub", instead=CHOICES)
        region, regions = known_region(scope), NOVA_REGIONS if self.is_nova else REGIONS
        if region and region not in regions:
            warnings.REGION.add_to(scope, region=region, regions=", ".join(regions))

    @property
    def is_nova(self) -> bool:
        """Whether it is a Nova model, as far as synth can tell: a package does not say what its base model is."""
        parts = (self.reference.partition(":hub-content/")[2] or self.reference).split("/")  # HUB/Model/NAME, or NAME
        name = re.sub(TEXT_TOKEN, "", parts[min(2, len(parts) - 1)])  # what a token is called is no model's name
        return not self.model_package_arn and is_nova(name)

    @property
    def model_package_group_name(self) -> str:
        """The group of the model package, which the tuned model joins; empty where there is none."""
        arn = self.model_package_arn
        if not arn or (not unresolved(arn) and arn.count("/") < 2):
            return ""
        return Fn.select(1, Fn.split("/", arn)) if unresolved(arn) else arn.split("/")[1]
