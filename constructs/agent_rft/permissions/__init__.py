"""Every IAM action that the library grants, once, with its reason and source. docs/iam.md is made from this folder."""

from agent_rft.permissions.execution import *
from agent_rft.permissions.handler import *
from agent_rft.permissions.orchestration import *
from agent_rft.permissions.others import *
from agent_rft.permissions.permission import *
