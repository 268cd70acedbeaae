import { renderPage } from '../base/render.tsx';
import { sessionQuery } from './api/queries.ts';
import { router } from './routes.tsx';

renderPage(router, sessionQuery.queryKey);
