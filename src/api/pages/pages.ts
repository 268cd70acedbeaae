/** Pages and documents: their headers, their compression and their files. The API's own routes have none of it. */
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';
import { basePathOf } from '../base-path.ts';
import { consoleRoutes } from './console.ts';
import { docsRoutes, type DocsParts } from './docs.ts';

/** What pages are allowed where they say nothing else: styles and pictures from here, and no script. */
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

// What is large was compressed by the build; this is for the rest, and cheap.
const brotliQuality = 4;
const smallestCompressed = 1_024;

/** Serves the pages and documents in a scope of their own. */
export async function pageRoutes(app: FastifyInstance, parts: DocsParts): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: defaultPolicy,
      xFrameOptions: { action: 'deny' },
      // Whether a host is reached by TLS alone is for whoever runs it to say.
      strictTransportSecurity: false,
    });
    await scope.register(compress, {
      globalDecompression: false,
      encodings: ['br', 'gzip'],
      threshold: smallestCompressed,
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    });
    await scope.register(staticFiles, {
      root: parts.consoleFolder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
    });
    docsRoutes(scope, parts);
    await consoleRoutes(scope, parts.consoleFolder, basePathOf(parts.baseUrl));
  });
}
