"""Clients of PyPI, unmodified: a line of JSON in names a client and what it is to do, a line out has what it was told."""

import json
import logging
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
logging.disable(logging.CRITICAL)

ASK = "how is it?"
PICTURE = "iVBORw0KGgo="
DATA_URL = f"data:image/png;base64,{PICTURE}"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def chat_request(model, task):
    content = [{"type": "text", "text": ASK}]
    if task.get("image"):
        content.append({"type": "image_url", "image_url": {"url": DATA_URL}})
    request = {
        "model": model,
        "messages": [{"role": "system", "content": "be kind"}, {"role": "user", "content": content}],
    }
    if task.get("tools"):
        request["tools"] = [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]
    if task.get("schema"):
        schema = {"name": "answer", "schema": SCHEMA, "strict": True}
        request["response_format"] = {"type": "json_schema", "json_schema": schema}
    if task.get("thinking"):
        request["reasoning_effort"] = "medium"
    return request


def chat_stream(chunks):
    """The whole of a stream, as a message, and its usage."""
    text, thinking, calls, usage = "", "", {}, None
    for chunk in chunks:
        usage = getattr(chunk, "usage", None) or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            thinking += getattr(choice.delta, "reasoning_content", None) or ""
            for call in choice.delta.tool_calls or []:
                made = calls.setdefault(call.index, {"id": "", "name": "", "arguments": ""})
                made["id"] = call.id or made["id"]
                made["name"] = call.function.name or made["name"]
                made["arguments"] += call.function.arguments or ""
    return text, thinking, list(calls.values()), usage


def chat(ask, request, task):
    def once():
        if task.get("stream"):
            return chat_stream(ask(**request, stream=True, stream_options={"include_usage": True}))
        answer = ask(**request)
        message = answer.choices[0].message
        calls = [
            {"id": call.id, "name": call.function.name, "arguments": call.function.arguments}
            for call in message.tool_calls or []
        ]
        return message.content or "", getattr(message, "reasoning_content", None) or "", calls, answer.usage

    text, thinking, calls, usage = once()
    if task.get("roundTrip"):
        made = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
            for call in calls
        ]
        request["messages"].append({"role": "assistant", "content": text or None, "tool_calls": made})
        for call in calls:
            request["messages"].append({"role": "tool", "tool_call_id": call["id"], "content": "sunny"})
        text, thinking, calls, usage = once()
    return {
        "text": text,
        "thinking": thinking,
        "calls": [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in calls],
        "input": usage.prompt_tokens,
        "output": usage.completion_tokens,
    }


def openai_chat(url, key, model, task):
    from openai import OpenAI

    client = OpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)
    return chat(client.chat.completions.create, chat_request(model, task), task)


def litellm_openai(url, key, model, task):
    import litellm

    def ask(**request):
        return litellm.completion(api_key=key, api_base=f"{url}/v1", max_retries=0, num_retries=0, **request)

    request = chat_request(f"openai/{model}", task)
    if "reasoning_effort" in request:
        request["allowed_openai_params"] = ["reasoning_effort"]
    return chat(ask, request, task)


def litellm_anthropic(url, key, model, task):
    import litellm

    def ask(**request):
        return litellm.completion(api_key=key, api_base=url, max_retries=0, num_retries=0, **request)

    request = chat_request(f"anthropic/{model}", task)
    if request.pop("reasoning_effort", None):
        request["thinking"] = {"type": "enabled", "budget_tokens": 2048}
        request["max_tokens"] = 4000
        request["allowed_openai_params"] = ["thinking"]
    return chat(ask, request, task)


def openai_responses(url, key, model, task):
    from openai import OpenAI

    client = OpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)
    content = [{"type": "input_text", "text": ASK}]
    if task.get("image"):
        content.append({"type": "input_image", "detail": "auto", "image_url": DATA_URL})
    items = [{"role": "user", "content": content}]
    request = {"model": model, "instructions": "be kind", "store": False, "include": ["reasoning.encrypted_content"]}
    if task.get("tools"):
        request["tools"] = [{"type": "function", "name": "weather", "parameters": SCHEMA, "strict": True}]
    if task.get("schema"):
        request["text"] = {"format": {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": True}}
    if task.get("thinking"):
        request["reasoning"] = {"effort": "medium", "summary": "auto"}

    def once():
        if not task.get("stream"):
            return client.responses.create(input=items, **request)
        with client.responses.stream(input=items, **request) as stream:
            stream.until_done()
            return stream.get_final_response()

    answer = once()
    if task.get("roundTrip"):
        items += [item.to_dict(mode="json") for item in answer.output]
        for item in answer.output:
            if item.type == "function_call":
                items.append({"type": "function_call_output", "call_id": item.call_id, "output": "sunny"})
        for item in items:
            item.pop("parsed_arguments", None)
        answer = once()
    return {
        "text": answer.output_text,
        "thinking": "".join(part.text for item in answer.output if item.type == "reasoning" for part in item.summary),
        "calls": [
            {"name": item.name, "arguments": json.loads(item.arguments)}
            for item in answer.output
            if item.type == "function_call"
        ],
        "input": answer.usage.input_tokens,
        "output": answer.usage.output_tokens,
    }


def anthropic(url, key, model, task):
    from anthropic import Anthropic

    client = Anthropic(api_key=key, base_url=url, max_retries=0)
    content = [{"type": "text", "text": ASK}]
    if task.get("image"):
        source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
        content.append({"type": "image", "source": source})
    request = {
        "model": model,
        "max_tokens": 4000,
        "system": "be kind",
        "messages": [{"role": "user", "content": content}],
    }
    if task.get("tools"):
        request["tools"] = [{"name": "weather", "input_schema": SCHEMA}]
    if task.get("schema"):
        request["output_config"] = {"format": {"type": "json_schema", "schema": SCHEMA}}
    if task.get("thinking"):
        request["thinking"] = {"type": "enabled", "budget_tokens": 2048}

    def once():
        if not task.get("stream"):
            return client.messages.create(**request)
        with client.messages.stream(**request) as stream:
            return stream.get_final_message()

    answer = once()
    if task.get("roundTrip"):
        request["messages"].append({"role": "assistant", "content": answer.content})
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": "sunny"}
            for block in answer.content
            if block.type == "tool_use"
        ]
        request["messages"].append({"role": "user", "content": results})
        answer = once()
    return {
        "text": "".join(block.text for block in answer.content if block.type == "text"),
        "thinking": "".join(block.thinking for block in answer.content if block.type == "thinking"),
        "calls": [
            {"name": block.name, "arguments": block.input} for block in answer.content if block.type == "tool_use"
        ],
        "input": answer.usage.input_tokens + (answer.usage.cache_read_input_tokens or 0),
        "output": answer.usage.output_tokens,
    }


def google(url, key, model, task):
    from google import genai
    from google.genai import types

    client = genai.Client(api_key=key, http_options=types.HttpOptions(base_url=url))
    parts = [types.Part(text=ASK)]
    if task.get("image"):
        import base64

        parts.append(types.Part.from_bytes(data=base64.b64decode(PICTURE), mime_type="image/png"))
    contents = [types.Content(role="user", parts=parts)]
    config = {"system_instruction": "be kind"}
    if task.get("tools"):
        declared = types.FunctionDeclaration(name="weather", parameters_json_schema=SCHEMA)
        config["tools"] = [types.Tool(function_declarations=[declared])]
    if task.get("schema"):
        config |= {"response_mime_type": "application/json", "response_json_schema": SCHEMA}
    if task.get("thinking"):
        config["thinking_config"] = types.ThinkingConfig(include_thoughts=True, thinking_budget=2048)

    def once():
        request = {"model": model, "contents": contents, "config": types.GenerateContentConfig(**config)}
        models = client.models
        chunks = (
            list(models.generate_content_stream(**request))
            if task.get("stream")
            else [models.generate_content(**request)]
        )
        said = [
            part
            for chunk in chunks
            for candidate in chunk.candidates or []
            for part in (candidate.content and candidate.content.parts) or []
        ]
        return said, chunks[-1].usage_metadata

    said, usage = once()
    if task.get("roundTrip"):
        contents.append(types.Content(role="model", parts=said))
        results = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=part.function_call.id, name=part.function_call.name, response={"output": "sunny"}
                )
            )
            for part in said
            if part.function_call
        ]
        contents.append(types.Content(role="user", parts=results))
        said, usage = once()
    return {
        "text": "".join(part.text or "" for part in said if not part.thought),
        "thinking": "".join(part.text or "" for part in said if part.thought),
        "calls": [
            {"name": part.function_call.name, "arguments": part.function_call.args}
            for part in said
            if part.function_call
        ],
        "input": usage.prompt_token_count,
        "output": (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0),
    }


CLIENTS = {
    "Python openai": openai_chat,
    "Python openai responses": openai_responses,
    "Python anthropic": anthropic,
    "Python google-genai": google,
    "LiteLLM openai": litellm_openai,
    "LiteLLM anthropic": litellm_anthropic,
}

answers = sys.stdout
sys.stdout = sys.stderr
for line in sys.stdin:
    question = json.loads(line)
    try:
        client = CLIENTS[question["client"]]
        told = client(question["url"], question["key"], question["model"], question["task"])
    except Exception as error:
        status = getattr(error, "status_code", None) or getattr(error, "code", None)
        told = {"error": str(error), "status": status if isinstance(status, int) else None, "kind": type(error).__name__}
    answers.write(json.dumps(told) + "\n")
    answers.flush()
