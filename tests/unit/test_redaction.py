"""Secrets out of captured text, before anything of it is kept."""

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from m1nd.domain.receipts.redaction import redact

SECRETS = {
    "aws_key": "AKIA" + "IOSFODNN7EXAMPLE",
    "github_token": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "gitlab_token": "glpat-" + "zMkWHsxBYv2o1QpZ_abc",
    "slack_token": "xoxb-" + "123456789012-abcdefABCDEF",
    "google_key": "AIza" + "SyA-1234567890abcdefghijklmnopqrstu",
    "stripe_key": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "model_key": "sk-ant-" + "api03-abcdefghijklmnopqrstuvwx",
    "npm_token": "npm_" + "a" * 36,
    "pypi_token": "pypi-" + "AgEIcHlwaS5vcmcCJDY2" + "a" * 20,
    "crates_token": "cio" + "abcdefghijklmnopqrstuvwxyz012345",
    "sendgrid_key": "SG." + "abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz",
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "m1nd_token": "m1nd_ci_01234567_" + "a" * 40,
    "age_key": "AGE-SECRET-KEY-1" + "Q" * 58,
    "mailchimp_key": "0123456789abcdef0123456789abcdef" + "-us12",
    "square_token": "sq0csp-" + "a1B2" * 10 + "abc",
    "twilio_key": "SK" + "0123456789abcdef" * 2,
    "artifactory_token": "AKC" + "p8nG" * 16,
    "vault_token": "hvs." + "CAESIJ1234567890abcdefgh",
}


@pytest.mark.parametrize("kind", SECRETS)
def test_a_credential_is_known_by_its_form_wherever_it_stands(kind: str) -> None:
    secret = SECRETS[kind]
    for before, after in (("", ""), ("using ", " now"), ("(", ")"), ('"', '",'), ("x=", "\n")):
        shown = redact(f"{before}{secret}{after}")
        assert secret not in shown, shown
        assert "[redacted:" in shown


@pytest.mark.parametrize(
    "text, shown",
    [
        ("password=hunter2", "password=[redacted:secret]"),
        ('  "db_password": "two words",', '  "db_password": [redacted:secret],'),
        ("export AWS_SECRET_ACCESS_KEY='abc/def'", "export AWS_SECRET_ACCESS_KEY=[redacted:secret]"),
        ("cargo publish --token s3cr3t --quiet", "cargo publish --token [redacted:secret] --quiet"),
        ("curl -H 'Authorization: Bearer abc.def'", "curl -H 'Authorization: [redacted:authorization]'"),
        ("postgres://ada:pw@db/x", "postgres://ada:[redacted:url_password]@db/x"),
        ("Set-Cookie: id=1; Path=/", "Set-Cookie: [redacted:cookie]"),
        ("api_key := k1", "api_key := [redacted:secret]"),
        ("client-secret: 'it''s'", "client-secret: [redacted:secret]'s'"),
        ("//registry/:_authToken=abc", "//registry/:_authToken=[redacted:npm_token]"),
    ],
)
def test_a_value_goes_where_its_name_says_that_it_is_secret(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_a_private_key_goes_whole_also_when_it_is_cut_off() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\nAAAA\n"
    end = "-----END OPENSSH PRIVATE KEY-----"
    assert redact(f"a\n{key}{end}\nb") == "a\n[redacted:private_key]\nb"
    assert redact(f"a\n{key}") == "a\n[redacted:private_key]"


@pytest.mark.parametrize(
    "text",
    [
        "test tide::height ... ok",
        "error[E0425]: cannot find value `token` in this scope",
        "expected one of `,` or `}`, found token `;`",
        "running 441 tests; tokens: 12; secrets = 0",
        "password: none",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "https://github.com/owner/repo/actions/runs/7",
        "0123456789abcdef0123456789abcdef01234567",
        "src/token.rs:12:5: warning: unused variable: `secret`",
    ],
)
def test_what_a_compiler_and_a_test_say_stays_readable(text: str) -> None:
    assert redact(text) == text


@given(st.text(alphabet=string.printable, max_size=200))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "password" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 8_000,
        "a=" * 100_000,
        "x" * 300_000,
        "eyJ" * 80_000,
    ],
    ids=["names", "keys", "assignments", "one word", "tokens"],
)
def test_hostile_text_takes_no_long_time(text: str) -> None:
    started = time.perf_counter()
    redact(text)
    assert time.perf_counter() - started < 5
