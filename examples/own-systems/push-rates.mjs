// A pricing tool pushes nightly prices: node push-rates.mjs rates.json
// rates.json: [{ "listing": "sala-do-mercado", "dates": [{ "date": "2027-08-01", "nightly": 21000 }] }]
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { BASE_URL, LATCHKEY_OPERATOR_TOKEN } = process.env;
const most = { homes: 1_000, dates: 10_000 };

/** Calls. Where the service is busy, or the quota of a minute is used up, it says how long to wait. */
async function call(address, request, tries = 20) {
  const response = await fetch(address, request);
  if (![429, 503].includes(response.status) || tries === 0) return response;
  await wait(Number(response.headers.get('retry-after') ?? 1) * 1000);
  return call(address, request, tries - 1);
}

/** Cuts the rates into calls of at most 1,000 homes and 10,000 dates. */
function calls(rates) {
  const all = [];
  let homes = [];
  let dates = 0;
  for (const home of rates) {
    if (homes.length === most.homes || dates + home.dates.length > most.dates) {
      all.push(homes);
      homes = [];
      dates = 0;
    }
    homes.push(home);
    dates += home.dates.length;
  }
  return homes.length > 0 ? [...all, homes] : all;
}

for (const rates of calls(JSON.parse(await readFile(process.argv[2], 'utf8')))) {
  const response = await call(`${BASE_URL}/operator/v1/rates/bulk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${LATCHKEY_OPERATOR_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ rates }),
  });
  const body = await response.json();
  if (!response.ok) {
    // Nothing of this call was set. `details.fields` names each fault.
    console.error(JSON.stringify(body.error, null, 2));
    process.exit(1);
  }
  console.log(`changed: homes ${body.listings}, dates ${body.dates}`);
}
