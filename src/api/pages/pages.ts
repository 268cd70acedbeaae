/** Serves pages and documents, with headers, compression and static files that the API routes do not have. */
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';
import { basePathOf } from '../base-path.ts';
import { consoleRoutes } from './console.ts';
import { docsRoutes, type DocsContext } from './docs.ts';

/** The default policy of pages: styles and pictures from this service, no scripts. */
const defaultPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

// Large files are compressed by the build. The rest is compressed at a low cost.
const brotliQuality = 4;
const smallestCompressed = 1_024;

/** Serves the pages and documents in a scope of their own. */
export async function pageRoutes(app: FastifyInstance, context: DocsContext): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: defaultPolicy,
      xFrameOptions: { action: 'deny' },
      // The server sets it where the base URL is https.
      strictTransportSecurity: false,
    });
    await scope.register(compress, {
      globalDecompression: false,
      encodings: ['br', 'gzip'],
      threshold: smallestCompressed,
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    });
    await scope.register(staticFiles, {
      root: context.consoleFolder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
    });
    docsRoutes(scope, context);
    for (const page of ['portal', 'operator'] as const) {
      await consoleRoutes(scope, context.consoleFolder, basePathOf(context.baseUrl), page);
    }
  });
}
