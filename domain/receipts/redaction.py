"""Secrets out of captured text, before anything of it is kept, shown or hashed (BLOCKS.md, `stdout_excerpt`).

One function, `redact`. What has the form of a credential is replaced by `[redacted:kind]`; what is named like one loses
its value. Forms only: a secret that looks like a word is not known as one.
"""

import re

MARK = "[redacted:{}]"

_SECRET_NAME = (
    r"[\w.-]{0,64}(?:passw(?:or)?d|passphrase|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|"
    r"private[_-]?key|encryption[_-]?key|credential|auth[_-]?key|client[_-]?secret|connection[_-]?string)s?[\w.-]{0,64}"
)
"""Bounded on both sides: a text made of such words must not take for ever."""

# The whole match is replaced, or only its group `value` where there is one. In this order.
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private_key",
        re.compile(
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
            re.DOTALL,
        ),
    ),
    ("age_key", re.compile(r"AGE-SECRET-KEY-1[0-9A-Z]{20,}")),
    ("aws_key", re.compile(r"\b(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[A-Z0-9]{16}\b")),
    (
        "github_token",
        re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})"),
    ),
    (
        "gitlab_token",
        re.compile(
            r"\bgl(?:pat|ptt|dt|rt|soat|cbt|ft|imt|agent|oas)-[A-Za-z0-9_-]{16,}|\bGR1348941[\w-]{20,}"
        ),
    ),
    ("slack_token", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{8,}|\bxapp-[A-Za-z0-9-]{8,}")),
    ("slack_hook", re.compile(r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]+")),
    ("google_key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}|\bya29\.[0-9A-Za-z_-]{20,}")),
    ("stripe_key", re.compile(r"\b[rs]k_(?:live|test)_[0-9A-Za-z]{10,}|\bwhsec_[0-9A-Za-z]{20,}")),
    ("model_key", re.compile(r"\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{20,}|\bhf_[A-Za-z0-9]{20,}")),
    ("npm_token", re.compile(r"\bnpm_[A-Za-z0-9]{36}|(?P<name>_authToken\s*=\s*)(?P<value>\S+)")),
    ("pypi_token", re.compile(r"\bpypi-[A-Za-z0-9_-]{32,}")),
    ("crates_token", re.compile(r"\bcio[A-Za-z0-9]{32}\b")),
    ("sendgrid_key", re.compile(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}")),
    ("mailchimp_key", re.compile(r"\b[0-9a-f]{32}-us[0-9]{1,2}\b")),
    ("square_token", re.compile(r"\bsq0[a-z]{3}-[0-9A-Za-z_-]{22,43}")),
    ("twilio_key", re.compile(r"\bSK[0-9a-f]{32}\b")),
    ("artifactory_token", re.compile(r"(?<![\w-])AKC[a-zA-Z0-9]{32,}")),
    ("digitalocean_token", re.compile(r"\bdo[oprt]_v1_[a-f0-9]{64}")),
    ("shop_token", re.compile(r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}")),
    ("telegram_token", re.compile(r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,}")),
    ("discord_token", re.compile(r"\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}")),
    ("vault_token", re.compile(r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}")),
    ("m1nd_token", re.compile(r"\bm1nd_[a-z]+_[0-9a-f]{8}_[0-9a-f]{40}")),
    ("jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*")),
    (
        "url_password",
        re.compile(r"(?P<name>\b[a-z][a-z0-9+.-]*://[^\s/:@]*:)(?P<value>[^\s/@]+)(?=@)", re.IGNORECASE),
    ),
    ("url_user", re.compile(r"(?P<name>\bhttps?://)(?P<value>[^\s/:@]{16,})(?=@)", re.IGNORECASE)),
    (
        "authorization",
        re.compile(
            r"(?P<name>\b(?:proxy-)?authorization\s*[:=]\s*[\"']?)(?P<value>(?:(?:bearer|basic|token|digest)\s+)?[^\s\"']+)",
            re.IGNORECASE,
        ),
    ),
    ("bearer", re.compile(r"(?P<name>\bbearer\s+)(?P<value>[A-Za-z0-9._~+/-]{16,}=*)", re.IGNORECASE)),
    ("cookie", re.compile(r"(?P<name>\b(?:set-)?cookie\s*:\s*)(?P<value>[^\r\n]+)", re.IGNORECASE)),
    (
        "secret",
        re.compile(
            rf"(?P<name>(?<![\w.-]){_SECRET_NAME}[\"']?\s*(?:=>|:=|[:=])\s*)"
            r"(?P<value>\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'|[^\s\"',;&]+)",
            re.IGNORECASE,
        ),
    ),
    (
        "secret",
        re.compile(
            rf"(?P<name>(?<!\S)--?{_SECRET_NAME}\s+)(?P<value>\"[^\"\r\n]*\"|'[^'\r\n]*'|(?!-)\S+)",
            re.IGNORECASE,
        ),
    ),
)

_PLAIN = re.compile(
    r"(?i)[\"']?(?:true|false|none|null|nil|\d{1,5}(?::\d{1,5})*:?|\[redacted:\w+\].*|)[\"']?"
)
"""Values that are no secret, whatever their name says: `token: none`, `secrets = 3`, `token.rs:12:5:`."""


def redact(text: str) -> str:
    """`text` without what looks like a secret. Redacting twice changes nothing more."""
    for kind, form in _FORMS:
        mark = MARK.format(kind)

        def hidden(match: re.Match[str], mark: str = mark) -> str:
            groups = match.groupdict()
            if groups.get("value") is None:
                return mark
            return match[0] if _PLAIN.fullmatch(groups["value"]) else f"{groups['name']}{mark}"

        text = form.sub(hidden, text)
    return text
