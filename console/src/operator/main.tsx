import { renderPage } from '../base/render.tsx';
import { client } from './api/cache.ts';
import { readAllPages, router } from './routes.tsx';

/** Whether the person asked the browser to transfer little, as on a metered connection. Not every browser says. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** By then, the first page is shown. */
const shownMs = 2_000;

renderPage(router, client);
if (!savesData()) setTimeout(() => void readAllPages(), shownMs);
