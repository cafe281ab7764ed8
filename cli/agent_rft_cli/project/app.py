"""The app that `cdk` runs: one stack, in the account and region of your credentials."""

import os

from aws_cdk import App, Environment
from wordle_training import WordleTraining

app = App()
WordleTraining(
    app,
    "WordleTraining",
    env=Environment(account=os.environ.get("CDK_DEFAULT_ACCOUNT"), region=os.environ.get("CDK_DEFAULT_REGION")),
)
app.synth()
