/** Programs that verify the signature of one real delivery, ready to run. */
import type { SignedRequest } from '../../api/types.ts';

/** The environment variable that the programs read the secret from. */
export const secretVariable = 'LATCHKEY_WEBHOOK_SECRET';

interface Snippet {
  name: string;
  /** The language of the syntax highlighting. */
  syntax: string;
  file: string;
  run: string;
  write: (request: SignedRequest) => string;
}

// A JSON string is also a valid string in JavaScript and Python.
const quoted = (text: string): string => JSON.stringify(text);
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const javascript = ({ headers, body }: SignedRequest): string =>
  `import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/**
 * Whether a delivery is from Latchkey and recent. The body must be the text as received, not parsed and
 * serialized again.
 */
function isGenuine({ headers, body }, secret, nowSeconds) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) return false;
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const secret = process.env['${secretVariable}'];
if (!secret) throw new Error('Set ${secretVariable}.');

const delivery = {
  headers: {
    'webhook-id': ${quoted(headers['webhook-id'])},
    'webhook-timestamp': ${quoted(headers['webhook-timestamp'])},
    'webhook-signature': ${quoted(headers['webhook-signature'])},
  },
  body: ${quoted(body)},
};

// Your receiver passes Date.now() / 1000. Here, the delivery's own time is used.
const genuine = isGenuine(delivery, secret, Number(delivery.headers['webhook-timestamp']));
console.log(genuine ? 'The signature is genuine.' : 'The signature is wrong.');
process.exitCode = genuine ? 0 : 1;
`;

const python = ({ headers, body }: SignedRequest): string =>
  `import base64
import hashlib
import hmac
import os
import sys

TOLERANCE_SECONDS = 300


def is_genuine(headers: dict[str, str], body: bytes, secret: str, now_seconds: float) -> bool:
    """Whether a delivery is from Latchkey and recent. The body must be the received bytes."""
    try:
        identifier = headers["webhook-id"]
        timestamp = headers["webhook-timestamp"]
        signatures = headers["webhook-signature"]
        age = abs(now_seconds - int(timestamp))
    except (KeyError, ValueError):
        return False
    if age > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{identifier}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(
        hmac.compare_digest(expected.encode(), given.encode()) for given in signatures.split(" ")
    )


headers = {
    "webhook-id": ${quoted(headers['webhook-id'])},
    "webhook-timestamp": ${quoted(headers['webhook-timestamp'])},
    "webhook-signature": ${quoted(headers['webhook-signature'])},
}
body = ${quoted(body)}.encode()

# Your receiver passes time.time(). Here, the delivery's own time is used.
genuine = is_genuine(
    headers, body, os.environ["${secretVariable}"], int(headers["webhook-timestamp"])
)
print("The signature is genuine." if genuine else "The signature is wrong.")
sys.exit(0 if genuine else 1)
`;

const curl = ({ headers, body }: SignedRequest): string =>
  `#!/usr/bin/env bash
# Verifies a delivery with openssl; with RECEIVER set, posts it there with curl.
set -euo pipefail

id=${shellQuoted(headers['webhook-id'])}
timestamp=${shellQuoted(headers['webhook-timestamp'])}
signatures=${shellQuoted(headers['webhook-signature'])}
body=${shellQuoted(body)}

key=$(printf '%s' "\${${secretVariable}#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
expected=v1,$(printf '%s' "$id.$timestamp.$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

case " $signatures " in
  *" $expected "*) echo 'The signature is genuine.' ;;
  *) echo 'The signature is wrong.' && exit 1 ;;
esac

# For example RECEIVER=http://localhost:3000/hook. A receiver that checks the time refuses an old delivery.
if [ -n "\${RECEIVER:-}" ]; then
  curl --include --data-binary "$body" "$RECEIVER" \\
    --header 'content-type: application/json' --header "webhook-id: $id" \\
    --header "webhook-timestamp: $timestamp" --header "webhook-signature: $signatures"
fi
`;

/** The languages of the page, in display order. */
export const snippets = {
  javascript: {
    name: 'JavaScript',
    syntax: 'javascript',
    file: 'verify.mjs',
    run: 'node verify.mjs',
    write: javascript,
  },
  python: {
    name: 'Python',
    syntax: 'python',
    file: 'verify.py',
    run: 'python3 verify.py',
    write: python,
  },
  curl: { name: 'curl', syntax: 'bash', file: 'verify.sh', run: 'bash verify.sh', write: curl },
} as const satisfies Record<string, Snippet>;

export type Language = keyof typeof snippets;
