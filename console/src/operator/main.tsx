import { renderPage } from '../base/render.tsx';
import { sessionQuery } from './api/session.ts';
import { readAllPages, router } from './routes.tsx';

/** By then, the first page is shown. */
const shownMs = 2_000;

renderPage(router, sessionQuery.queryKey);
setTimeout(() => void readAllPages(), shownMs);
