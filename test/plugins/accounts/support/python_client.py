"""What Stripe's own package for Python does with accounts, unmodified. Prints one JSON line for the test to judge.

Takes the address of the server, that of a proxy which cuts the first connection after its request, and the key.
"""
import json
import sys

import stripe
from stripe import StripeClient

direct, cutting, key = sys.argv[1:4]


def client_of(url):
    return StripeClient(key, base_addresses={"api": url}, max_network_retries=2)


def refusal(call):
    try:
        call()
    except stripe.StripeError as error:
        return [type(error).__name__, error.http_status, error.code]
    return None


accounts = client_of(direct).v2.core.accounts
created = accounts.create(
    {
        "display_name": "Kim",
        "identity": {"country": "us", "entity_type": "company"},
        "configuration": {"customer": {}},
        "include": ["identity"],
        "metadata": {"a": "1"},
    }
)
updated = accounts.update(created.id, {"display_name": "Lee", "metadata": {"a": None, "b": "2"}})
retrieved = accounts.retrieve(created.id, {"include": ["identity"]})
made = {accounts.create({"display_name": str(at)}).id for at in range(7)} | {created.id}
listed = [account.id for account in accounts.list({"limit": 3}).auto_paging_iter()]
same = {"idempotency_key": "same"}
accounts.create({"display_name": "a"}, same)
refusals = [
    refusal(lambda: accounts.retrieve("acct_unknown")),
    refusal(lambda: accounts.create({"contact_email": "nobody"})),
    refusal(lambda: accounts.create({"display_name": "b"}, same)),
    refusal(lambda: StripeClient("pb_wrong", base_addresses={"api": direct}).v2.core.accounts.retrieve(created.id)),
]
before = len(list(accounts.list({"limit": 100}).auto_paging_iter()))
cut = client_of(cutting).v2.core.accounts.create({"display_name": "cut"})
after = len(list(accounts.list({"limit": 100}).auto_paging_iter()))
closed = accounts.close(created.id, {"applied_configurations": ["customer"]})

print(
    json.dumps(
        {
            "created": created.identity.country,
            "updated": [updated.display_name, updated.metadata.to_dict()],
            "retrieved": retrieved.identity.entity_type,
            "listed": sorted(listed) == sorted(made),
            "refusals": refusals,
            "cut": [cut.display_name, after - before],
            "closed": closed.closed,
        }
    )
)
