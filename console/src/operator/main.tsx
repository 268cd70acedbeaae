import { renderPage } from '../base/render.tsx';
import { sessionQuery } from './api/session.ts';
import { router } from './routes.tsx';

renderPage(router, sessionQuery.queryKey);
