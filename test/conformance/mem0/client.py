"""mem0's client of PyPI, unmodified, against the server of HOST with KEY: prints what it was told as JSON."""

import json
import os
import sys

from mem0 import MemoryClient
from mem0.exceptions import MemoryNotFoundError, ValidationError

client = MemoryClient(api_key=os.environ["KEY"], host=os.environ["HOST"])
told = {}

told["added"] = client.add(
    [{"role": "user", "content": "I drink green tea."}, {"role": "user", "content": "My cat is called Tom."}],
    user_id="ann",
    metadata={"kind": "note"},
    infer=False,
)["status"]
filters = {"user_id": "ann"}
page = client.get_all(filters=filters)
told["count"] = page["count"]
found = client.search("what tea?", filters=filters, top_k=1)["results"]
told["found"] = [memory["memory"] for memory in found]
memory_id = found[0]["id"]
client.update(memory_id, text="I drink black tea.")
told["changed"] = client.get(memory_id)["memory"]
told["history"] = [event["event"] for event in client.history(memory_id)]
told["users"] = [entity["name"] for entity in client.users()["results"]]
client.batch_update([{"memory_id": memory_id, "text": "I drink white tea."}])
client.feedback(memory_id, feedback="POSITIVE")
told["metadata"] = client.get(memory_id)["metadata"]
client.batch_delete([{"memory_id": memory_id}])
try:
    client.get(memory_id)
except MemoryNotFoundError as error:
    told["gone"] = str(error)
try:
    client.delete_all()
except ValidationError as error:
    told["refused"] = str(error)
client.delete_all(user_id="ann")
told["left"] = client.get_all(filters=filters)["count"]
json.dump(told, sys.stdout)
