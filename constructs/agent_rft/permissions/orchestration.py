"""What watchers may do, and what starts and ends them."""

from agent_rft.permissions.permission import (
    CALLER,
    ENCRYPTION,
    EVERY_JOB,
    HANDLER_ROLE,
    JOB_POLICY,
    LOOK_ROLE,
    QUEUE_ROLE,
    WATCH_ROLE,
)

START_WATCHER = HANDLER_ROLE.may(
    "states:StartExecution",
    on="a watcher's state machine (only with a notification)",
    reason="starts the job's watcher",
    source="service authorization reference: AWS Step Functions",
)
END_WATCHER = HANDLER_ROLE.may(
    "states:StopExecution",
    on="its executions (only with a notification)",
    reason="ends the watcher when notifications leave the stack",
    source="service authorization reference: AWS Step Functions",
)
READ_EXECUTION = HANDLER_ROLE.may(
    "states:DescribeExecution",
    on="executions of the own account and region (only with a job task)",
    reason="sees whether the execution that asks for a job still runs; state machines are declared after it",
    source="service authorization reference: AWS Step Functions",
)
LOOK_AT_JOBS = LOOK_ROLE.may(
    "sagemaker:DescribeJob",
    on=EVERY_JOB,
    reason="sees the job's status; a job that is replaced has another name",
    source=CALLER,
)
WRITE_LOOK_LOGS = LOOK_ROLE.may(
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    on="its own log group",
    reason="a function writes to its own log group",
    source="AWS docs: lambda-monitoring",
)
CALL_LOOK = WATCH_ROLE.may(
    "lambda:InvokeFunction",
    on="the looking function",
    reason="looks at the job",
    source="AWS docs: Step Functions, connect-lambda",
)
TELL = WATCH_ROLE.may(
    "events:PutEvents",
    on="the default event bus, with this library's own source",
    reason="tells that the job's status changed",
    source="AWS docs: Step Functions, connect-eventbridge",
)
START_FOLLOWER = WATCH_ROLE.may(
    "states:StartExecution",
    on="the evaluation's state machine (only with `evaluate_on_completion`)",
    reason="starts the evaluation of what was tuned",
    source="AWS docs: Step Functions, connect-stepfunctions",
)
START_QUEUE = HANDLER_ROLE.may(
    "states:StartExecution",
    on="a queue's state machine (only with a `JobQueue` or a `Sweep`)",
    reason="starts the queue, and goes on with it after a thousand turns",
    source="service authorization reference: AWS Step Functions",
)
KEEP_QUEUE = HANDLER_ROLE.may(
    "s3:GetObject",
    "s3:PutObject",
    on="the queue's own folder in its bucket (only with a `JobQueue` or a `Sweep`)",
    reason="keeps what is wanted, what became of each job, and the table of results",
    source="service authorization reference: Amazon S3",
)
FIND_QUEUE = HANDLER_ROLE.may(
    "s3:ListBucket",
    on="the queue's bucket, by the folder's prefix (only with a `JobQueue` or a `Sweep`)",
    reason="tells what is not there from what may not be read",
    source="service authorization reference: Amazon S3",
)
USE_QUEUE_KEY = HANDLER_ROLE.may(
    "kms:Decrypt",
    "kms:GenerateDataKey",
    on="the bucket's customer key, through S3 (only with a `JobQueue` or a `Sweep` in such a bucket)",
    reason="reads and writes the queue's folder",
    source=ENCRYPTION,
)
READ_REWARD = HANDLER_ROLE.may(
    "sagemaker:CallMlflowAppApi",
    "sagemaker-mlflow:GetMetricHistory",
    on="the MLflow app of a queued job, or every app of the account when it is found at deploy (only with a `JobQueue` "
    "or a `Sweep`)",
    reason="reads the final reward of a job that has ended, for the table of results",
    source=JOB_POLICY,
)
TAKE_TURN = QUEUE_ROLE.may(
    "lambda:InvokeFunction",
    on="the function that takes a queue's turns",
    reason="looks at what runs, and submits what comes next",
    source="AWS docs: Step Functions, connect-lambda",
)
