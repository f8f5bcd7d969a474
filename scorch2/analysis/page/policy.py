"""The content policy of pages: they may use their own style and script, and nothing else."""

from base64 import b64encode
from hashlib import sha256


def content_policy(style: str, script: str = "") -> str:
    """Return the value of ``Content-Security-Policy`` for a page with this style, and this script if any.

    >>> content_policy("p { }").split("; ")[0]
    "default-src 'none'"
    """
    parts = ["default-src 'none'", f"style-src {_source(style)}"]
    if script:
        parts.append(f"script-src {_source(script)}")
    return "; ".join([*parts, "base-uri 'none'", "form-action 'none'"])


def _source(content: str) -> str:
    digest = b64encode(sha256(content.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
