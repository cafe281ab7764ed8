"""``agent-rft``: what an account and a region have for AgentRFT jobs, on the command line."""
