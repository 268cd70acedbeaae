// A property management system pushes what it has sold: node push-stays.mjs pms stays.json
// stays.json: [{ "id": "R-1042", "listing": "sala-do-mercado", "from": "2027-07-10", "to": "2027-07-14" }]
// A stay with "cancelled": true is removed. Everything may be sent again: the same stay changes nothing.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { BASE_URL, LATCHKEY_OPERATOR_TOKEN } = process.env;
const [, , source, file] = process.argv;
const authorization = `Bearer ${LATCHKEY_OPERATOR_TOKEN}`;

const removal = { method: 'DELETE', headers: { authorization } };
const putOf = (stay) => ({
  method: 'PUT',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify(stay),
});

/** Calls. Where the service is busy, or the quota of a minute is used up, it says how long to wait. */
async function call(address, request, tries = 20) {
  const response = await fetch(address, request);
  if (![429, 503].includes(response.status) || tries === 0) return response;
  await wait(Number(response.headers.get('retry-after') ?? 1) * 1000);
  return call(address, request, tries - 1);
}

for (const { id, cancelled, ...stay } of JSON.parse(await readFile(file, 'utf8'))) {
  const address = `${BASE_URL}/operator/v1/outside-stays/${source}/${encodeURIComponent(id)}`;
  const response = await call(address, cancelled ? removal : putOf(stay));
  if (!response.ok) {
    console.error(id, JSON.stringify((await response.json()).error, null, 2));
    process.exitCode = 1;
  } else if (cancelled) {
    console.log(`${id} removed`);
  } else {
    // Nights that somebody else has are conflicts: staff see them, too.
    const { conflicts } = await response.json();
    const others = conflicts.map(
      (one) => `${one.from} to ${one.to} (${one.reference ?? one.kind})`,
    );
    const but = others.length === 0 ? '' : `, but somebody else has ${others.join(', ')}`;
    console.log(`${id} taken${but}`);
  }
}
