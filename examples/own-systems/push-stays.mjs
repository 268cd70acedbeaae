// A property management system pushes what it has sold: node push-stays.mjs pms stays.json
// stays.json: [{ "id": "R-1042", "listing": "sala-do-mercado", "from": "2027-07-10", "to": "2027-07-14" }]
// A stay with "cancelled": true is removed. Everything may be sent again: the same stay changes nothing.
import { readFile } from 'node:fs/promises';

const { BASE_URL, LATCHKEY_OPERATOR_TOKEN } = process.env;
const [, , source, file] = process.argv;
const authorization = `Bearer ${LATCHKEY_OPERATOR_TOKEN}`;

const removal = { method: 'DELETE', headers: { authorization } };
const putOf = (stay) => ({
  method: 'PUT',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify(stay),
});

for (const { id, cancelled, ...stay } of JSON.parse(await readFile(file, 'utf8'))) {
  const address = `${BASE_URL}/operator/v1/outside-stays/${source}/${encodeURIComponent(id)}`;
  const response = await fetch(address, cancelled ? removal : putOf(stay));
  if (!response.ok) {
    console.error(id, JSON.stringify((await response.json()).error, null, 2));
    process.exitCode = 1;
  } else if (cancelled) {
    console.log(`${id} removed`);
  } else {
    // Nights that somebody else has are conflicts: staff see them, too.
    const { conflicts } = await response.json();
    console.log(`${id} ${conflicts.length === 0 ? 'taken' : JSON.stringify(conflicts)}`);
  }
}
