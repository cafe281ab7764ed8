"""A Wordle agent: the job calls it once per rollout, it plays a game and reports the reward.

Event and answers: AWS docs, model-customize-mtrl-agent. The model is sampled through the Job Runtime, never directly.
"""

import json
import re
from typing import Any

import boto3

runtime: Any = boto3.client("sagemakerjobruntime")

GUESS = re.compile(r"<guess>\s*([a-zA-Z]{5})\s*</guess>")


def handler(event: dict[str, Any], _context: object) -> dict[str, str]:
    """Plays the game in ``prompt`` and answers with an empty object, or with an error that fails the rollout."""
    rollout = json.loads(event["body"]) if "body" in event else event
    try:
        game = json.loads(rollout["prompt"])
    except (KeyError, ValueError) as error:
        return {"errorType": "ValidationError", "errorMessage": f"the prompt is not a game: {error}"}
    ids = {"JobArn": rollout["metadata"]["jobArn"], "TrajectoryId": rollout["metadata"]["rolloutId"]}
    rewards = play(game, rollout.get("inferenceParams", {}), ids)
    runtime.complete_rollout(**ids, Status="ready")
    runtime.update_reward(**ids, Rewards=rewards)
    return {}


def play(game: dict[str, Any], inference: dict[str, Any], ids: dict[str, str]) -> list[float]:
    """One game; a reward per turn: a little for each letter in its place, one for the word."""
    messages = [{"role": "system", "content": game["system"]}]
    rewards: list[float] = []
    while len(rewards) < game["max_turns"]:
        answer = sample(messages, inference, ids)
        found = GUESS.search(answer)
        marks = mark(found.group(1).lower(), game["secret"]) if found else ""
        messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": marks or "No guess found."}]
        rewards.append(1.0 if marks == "GGGGG" else 0.1 * marks.count("G"))
        if marks == "GGGGG":
            break
    return rewards


def sample(messages: list[dict[str, str]], inference: dict[str, Any], ids: dict[str, str]) -> str:
    """The model's next turn."""
    body = {
        "messages": messages,
        "temperature": inference.get("temperature"),
        "top_p": inference.get("topP"),
        "max_tokens": inference.get("maxTokens"),
    }
    given = {name: value for name, value in body.items() if value is not None}
    answer = json.loads(runtime.sample(**ids, Body=json.dumps(given).encode())["Body"].read())
    return str(answer["choices"][0]["message"]["content"])


def mark(guess: str, secret: str) -> str:
    """G for a letter in its place, Y for one elsewhere in the word, - for neither."""
    left = [letter for letter, own in zip(secret, guess, strict=True) if letter != own]
    marks = ""
    for letter, own in zip(secret, guess, strict=True):
        if letter == own:
            marks += "G"
        elif own in left:
            left.remove(own)
            marks += "Y"
        else:
            marks += "-"
    return marks
