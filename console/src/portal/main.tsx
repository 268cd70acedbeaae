import { renderPage } from '../shared/render.tsx';
import { sessionQuery } from './api/queries.ts';
import { router } from './routes.tsx';

renderPage(router, sessionQuery.queryKey);
