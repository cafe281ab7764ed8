"""Every IAM action that the library grants, once, with its reason and source. docs/iam.md is made from this folder."""

from agent_rft.permissions.execution import *  # noqa: F403 - one namespace, whichever role is granted
from agent_rft.permissions.handler import *  # noqa: F403
from agent_rft.permissions.orchestration import *  # noqa: F403
from agent_rft.permissions.others import *  # noqa: F403
from agent_rft.permissions.permission import *  # noqa: F403
