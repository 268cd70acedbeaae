import { createClient } from '../base/api/client.ts';
import { notifyFailure } from '../base/components/notify.tsx';
import { renderPage } from '../base/render.tsx';
import { sessionQuery } from './api/queries.ts';
import { router } from './routes.tsx';

renderPage(router, createClient(sessionQuery.queryKey, notifyFailure));
