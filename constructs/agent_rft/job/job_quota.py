"""The quota of jobs that run at a time, which one deployment meets that submits several."""

from constructs import Construct

from agent_rft import warnings
from agent_rft.place import Place
from agent_rft_handler.declaration import Declaration


def warn_of_quota(scope: Construct, declaration: Declaration) -> None:
    """Warns on the second job of a category that the stack's deployment itself submits; once, however many follow."""
    if declaration.dry_run:
        return
    submitted = Place.of(scope).kept((warn_of_quota, declaration.job_category), list[Construct])
    submitted.append(scope)
    if len(submitted) == 2:
        warnings.JOB_QUOTA.add_to(scope, first=submitted[0].node.path, category=declaration.job_category)
