import { renderPage } from '../shared/render.tsx';
import { sessionKey } from './api/queries.ts';
import { router } from './routes.tsx';

renderPage(router, sessionKey);
