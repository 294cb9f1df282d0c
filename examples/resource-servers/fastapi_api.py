# fastapi_api.py
import hashlib
import os
import time

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request

ISSUER = os.environ["ISSUER"]  # https://harbour.example
CREDENTIALS = (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
CACHE_SECONDS = 10

app = FastAPI()
client = httpx.AsyncClient(auth=CREDENTIALS, timeout=5)
cache: dict[str, tuple[float, dict]] = {}


def challenge(status: int, error: str, scope: str) -> HTTPException:
    metadata = f"{ISSUER}/.well-known/oauth-protected-resource"
    header = f'Bearer error="{error}", scope="{scope}", resource_metadata="{metadata}"'
    return HTTPException(status, error, {"WWW-Authenticate": header})


async def introspect(token: str) -> dict:
    key = hashlib.sha256(token.encode()).hexdigest()  # the cache holds no tokens
    until, known = cache.get(key, (0, {}))
    if until > time.time():
        return known
    try:
        response = await client.post(f"{ISSUER}/api/oauth/introspect", data={"token": token})
        response.raise_for_status()
    except httpx.HTTPError as error:
        raise HTTPException(503, "temporarily_unavailable", {"Retry-After": "1"}) from error
    found = response.json()
    if found["active"]:
        if len(cache) >= 10_000:
            cache.clear()
        cache[key] = (min(time.time() + CACHE_SECONDS, found["exp"]), found)
    return found


def require(scope: str):
    async def check(request: Request) -> dict:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        found = await introspect(token) if scheme.lower() == "bearer" and token else {"active": False}
        if not found["active"] or found["token_type"] != "Bearer":
            raise challenge(401, "invalid_token", scope)
        if scope not in found["scope"].split() or found["client_audience"] == "service":
            raise challenge(403, "insufficient_scope", scope)
        return found

    return Depends(check)


@app.get("/courses")
async def courses(found: dict = require("courses:read")) -> dict:
    return {"courses": ["Knots"], "school": found["org_id"], "member": found["sub"], "roles": found["roles"]}
