"""What the API, the SDK and the service accept: each fact stands here once, with its source.

Standard library only: the constructs read these at synth, the handler at deploy, the local AWS when it answers.
"""

from agent_rft_handler.facts.buckets import *  # noqa: F403
from agent_rft_handler.facts.categories import *  # noqa: F403 - one namespace, whichever file a fact stands in
from agent_rft_handler.facts.choices import *  # noqa: F403
from agent_rft_handler.facts.forms import *  # noqa: F403
from agent_rft_handler.facts.values import *  # noqa: F403
