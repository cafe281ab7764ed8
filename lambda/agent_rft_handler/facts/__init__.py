"""What the API, the SDK and the service accept: each fact stands here once, with its source.

Standard library only: the constructs read these at synth, the handler at deploy, the local AWS when it answers.
"""

from agent_rft_handler.facts.categories import *
from agent_rft_handler.facts.forms import *
from agent_rft_handler.facts.values import *
