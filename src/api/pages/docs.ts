/** Serves the reference page and the machine-readable documents. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { catalogSchema } from '../../contract/catalog-file.ts';
import type { Environment } from '../../contract/wire.ts';
import { etagOf, includesTag, tagsIn } from '../../platform/etag.ts';
import { basePathOf } from '../base-path.ts';
import {
  changelogText,
  committedDocuments,
  guidePages,
  guideTexts,
  markdownPage,
  movedGuides,
} from './guides.ts';
import { homePage } from './home.ts';
import { escaped, writePage } from './page-layout.ts';
import {
  authorizationServerMetadata,
  llmsText,
  partnersChangelog,
  protectedResourceMetadata,
  securityText,
} from './partner-documents.ts';

/** The settings of the pages and the folders of their files. */
export interface DocsContext {
  baseUrl: string;
  environment: Environment;
  /** The project's folder: the documents, the guides. */
  project: string;
  /** The built console, which contains the viewer. */
  consoleFolder: string;
}

interface Resource {
  bytes: Buffer;
  type: string;
  etag: string;
}

const html = 'text/html; charset=utf-8';
const json = 'application/json';
const markdown = 'text/markdown; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

/** Those of the simulation alone. Spec: SANDBOX-1. */
const sandboxDocuments = { 'sandbox-openapi.json': '/sandbox/openapi.json' } as const;

// A weak tag, because the same content is sent in several encodings.
function resource(type: string, content: Buffer | string): Resource {
  const bytes = Buffer.from(content);
  return { bytes, type, etag: `W/${etagOf(bytes)}` };
}

/** Serves content that is generated at the first request. Returns 304 if it has not changed. */
function serve(
  app: FastifyInstance,
  address: string,
  type: string,
  make: () => Buffer | string | Promise<string>,
  options: object = {},
): void {
  let made: Resource | undefined;
  app.get(address, options, async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= resource(type, await make());
    reply.headers({ etag: made.etag, 'cache-control': 'no-cache' });
    if (includesTag(tagsIn(request.headers['if-none-match']), made.etag))
      return reply.code(304).send();
    return reply.header('content-type', made.type).send(made.bytes);
  });
}

const given = '# APPLICATION_ID and APPLICATION_KEY are what the operator gave you.';
const fromTheFile = (member: string): string =>
  `$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).applications[0].${member}' "$CREDENTIALS")`;

/** The shell lines that set an application's ID and key. */
const credentialLines: Readonly<Record<Environment, readonly string[]>> = {
  simulation: [
    '# In the folder where the simulation was started: its first application.',
    'CREDENTIALS="${LATCHKEY_DATA_DIR:-.latchkey}/sandbox-credentials.json"',
    `APPLICATION_ID=${fromTheFile('applicationId')}`,
    `APPLICATION_KEY=${fromTheFile('applicationKey')}`,
  ],
  test: [given],
  live: [given],
};

/** The sample of the token call, ready to paste. The viewer's script inserts the URL of the service. */
const tokenSample = (environment: Environment): string =>
  [
    ...credentialLines[environment],
    'curl {service}/oauth/token \\',
    '  --user "$APPLICATION_ID:$APPLICATION_KEY" \\',
    '  --data grant_type=client_credentials',
  ].join('\n');

const referencePage = (base: string, environment: Environment): string =>
  writePage(base, {
    title: 'Reference · Latchkey',
    place: 'Reference',
    kind: 'reference',
    content: `<div id="content"><div id="app"></div></div>
    <noscript><p>The reference needs JavaScript. The document that it shows is <a href="${base}/openapi.json">openapi.json</a>.</p></noscript>
    <script src="${base}/docs/viewer.js"></script>
    <script src="${base}/docs/reference.js" data-base="${base}" data-sample="${escaped(tokenSample(environment))}"></script>`,
  });

const ownFiles = path.join(import.meta.dirname, 'static');

/** The files of the pages, by their paths below `/docs`. */
const pageFiles = ['page.css', 'reference.js', 'latchkey.svg'];

// The viewer writes style attributes and data URLs of its own; everything else comes from here.
const viewerPolicy = {
  helmet: {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  },
};

// Tools on other origins read documents; nothing in them belongs to a session.
const readableFromOtherOrigins = {
  helmet: { crossOriginResourcePolicy: { policy: 'cross-origin' as const } },
};

/** Serves the documents that are text or JSON, to pages of every origin. */
function documentRoutes(
  app: FastifyInstance,
  { baseUrl, project, environment }: DocsContext,
): void {
  const base = basePathOf(baseUrl);
  void app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('access-control-allow-origin', '*');
      reply.header('access-control-expose-headers', 'etag');
    });
    const document = (address: string, type: string, make: () => Buffer | string): void =>
      serve(scope, address, type, make, readableFromOtherOrigins);
    const documents = {
      ...committedDocuments,
      ...(environment === 'simulation' && sandboxDocuments),
    };
    for (const [file, address] of Object.entries(documents)) {
      // Read at the start, so that a missing file stops the start.
      const bytes = readFileSync(path.join(project, file));
      document(address, json, () => bytes);
    }
    document('/catalog.schema.json', 'application/schema+json', catalogSchema);
    const metadata = {
      'oauth-authorization-server': authorizationServerMetadata(baseUrl),
      'oauth-protected-resource': protectedResourceMetadata(baseUrl),
    };
    for (const [name, value] of Object.entries(metadata)) {
      // With a path in the base URL, the name stands between host and path (RFC 8414, 3.1).
      for (const suffix of new Set(['', base])) {
        document(`/.well-known/${name}${suffix}`, json, () => JSON.stringify(value));
      }
    }
    const changelog = changelogText(partnersChangelog(project));
    document('/changelog.md', markdown, () => changelog);
    document('/llms.txt', plain, () => llmsText(project, baseUrl));
    for (const [address, text] of guideTexts(project)) document(address, markdown, () => text);
    scope.get('/.well-known/security.txt', readableFromOtherOrigins, async (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'content-type': plain })
        .send(securityText(baseUrl, new Date())),
    );
  });
}

/** The pictures in guides, below `docs`. */
const picturesFolder = 'reservations-team/pictures';

/** Serves `/`, the reference, the guides, and the committed documents. */
export function docsRoutes(app: FastifyInstance, context: DocsContext): void {
  const { baseUrl, environment, project, consoleFolder } = context;
  const viewerFolder = path.join(consoleFolder, 'docs');
  const base = basePathOf(baseUrl);
  documentRoutes(app, context);
  serve(app, '/changelog', html, () => markdownPage(base, 'Changes', partnersChangelog(project)));
  serve(app, '/docs/security', html, () =>
    markdownPage(base, 'Security', readFileSync(path.join(project, 'SECURITY.md'), 'utf8')),
  );
  serve(app, '/', html, () => homePage(base, baseUrl, environment));
  for (const address of ['/docs', '/docs/']) {
    serve(app, address, html, () => referencePage(base, environment), viewerPolicy);
  }
  for (const [address, write] of guidePages(project, base)) serve(app, address, html, write);
  for (const [from, to] of movedGuides(project)) {
    app.get(from, (_request, reply) => reply.redirect(`${base}${to}`, 308));
  }
  const docs = path.join(project, 'docs');
  const pictures = readdirSync(path.join(docs, picturesFolder));
  const files = [
    ...pageFiles.map((name) => [name, ownFiles]),
    ['viewer.js', viewerFolder],
    ...pictures.map((name) => [`${picturesFolder}/${name}`, docs]),
  ];
  for (const [name = '', folder] of files) {
    app.get(`/docs/${name}`, (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' })
        .sendFile(name, folder),
    );
  }
}
