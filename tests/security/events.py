"""Events that use every right of the handler's role."""

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from inbox import Inbox

from agent_rft_handler.facts import MODEL_ALIASES
from agent_rft_local import LocalAws

PUBLIC_MODELS = "arn:aws:sagemaker:us-east-1:aws:hub-content/SageMakerPublicHub/Model"


@dataclass(frozen=True)
class Events:
    """Events straight to the stack's function, for a resource of their own, so that no round knows another's jobs."""

    aws: LocalAws
    inbox: Inbox
    sent: dict[str, Any]

    def worked(self) -> Iterator[str]:
        """What comes of events that use every right: create, two refusals with lists, tags, replace, delete.

        What most rights are needed for comes first, so that a round without one of them soon ends.
        """
        event = {**self.sent, "LogicalResourceId": f"Worked{uuid.uuid4().hex}"}
        declared = event["ResourceProperties"]
        tagged = {**declared, "Tags": {"Worked": "yes"}}
        other = {**tagged, "RunId": "another", "Replacement": "stop_first"}
        # a version that the declared model's rights cover, and that it does not have
        model = MODEL_ALIASES.get(declared["Model"], declared["Model"])
        content = model if ":hub-content/" in model else f"{PUBLIC_MODELS}/{model}"
        missing = "no-such-model" if ":model-package" in model else f"{content.removesuffix('/1.0.0')}/9.9.9"
        yield (first := self.deliver(event, "Create", declared))
        yield self.deliver(event, "Create", {**declared, "Hyperparameters": {"max_epoch": "1"}})
        yield self.deliver(event, "Create", {**declared, "Model": missing})
        yield self.deliver(event, "Update", tagged, first, declared)
        yield (second := self.deliver(event, "Update", other, first, tagged))
        yield self.deliver(event, "Delete", other, second)

    def deliver(self, event: dict[str, Any], kind: str, properties: Any, pid: str = "", old: Any = None) -> str:
        """The id in the answer to one event, or the sentence of the refusal."""
        request_id = uuid.uuid4().hex
        more = {"PhysicalResourceId": pid} if pid else {}
        more |= {"OldResourceProperties": old} if old else {}
        given = {**event, **more, "RequestType": kind, "RequestId": request_id, "ResourceProperties": properties}
        payload = json.dumps({**given, "ResponseURL": self.inbox.url})
        function = properties["ServiceToken"]
        invoked = self.aws.client("lambda").invoke(FunctionName=function, Payload=payload)
        assert "FunctionError" not in invoked, invoked["Payload"].read()
        answer = self.inbox.answers.pop(request_id)
        return str(answer["PhysicalResourceId"] if answer["Status"] == "SUCCESS" else answer["Reason"])
