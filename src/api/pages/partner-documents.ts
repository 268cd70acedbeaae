/** The documents for partners beside the contract: changelog, list for language models, security contact, metadata of OAuth. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scopesOf } from '../../contract/scopes.ts';
import { guideFiles, guideTitle } from './guides.ts';

const scopes = Object.values(scopesOf).flat();

/** The metadata of the token endpoint (RFC 8414). Spec: VERSION-8. */
export const authorizationServerMetadata = (baseUrl: string): object => ({
  issuer: baseUrl,
  token_endpoint: `${baseUrl}/oauth/token`,
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: scopes,
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  service_documentation: `${baseUrl}/docs`,
});

/** The metadata of the API as a resource (RFC 9728). */
export const protectedResourceMetadata = (baseUrl: string): object => ({
  resource: baseUrl,
  resource_name: 'Latchkey',
  authorization_servers: [baseUrl],
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/docs`,
});

/** The part of the changelog for partners, as Markdown. */
export function partnersChangelog(project: string): string {
  const whole = readFileSync(path.join(project, 'CHANGELOG.md'), 'utf8');
  const [, partners = ''] = /^## For partners: the contract\n(.*?)(?=^## )/ms.exec(whole) ?? [];
  return `# Changes of the contract\n${partners.replaceAll(/^#(#+) /gm, '$1 ')}`;
}

/** What a language model should read about this service, as https://llmstxt.org describes. */
export function llmsText(project: string, baseUrl: string): string {
  const guides = guideFiles(project, 'partners').map(
    (file) => `- [${guideTitle(project, file)}](${baseUrl}/${file})`,
  );
  return [
    '# Latchkey',
    '',
    '> Search, price and reserve vacation homes in real time, from server to server, over HTTPS and JSON.',
    '',
    'Read the contract first: it is complete, with an example of every call. Follow `nextActions` in responses. Values of states, actions, reasons and event types can be added; treat an unknown one as "read again later". Never call the service from a browser.',
    '',
    '## Contract',
    '',
    `- [OpenAPI 3.1 document](${baseUrl}/openapi.json)`,
    `- [Changes](${baseUrl}/changelog.md)`,
    `- [Release manifest](${baseUrl}/release-manifest.json): wire version, revision and digest of the document`,
    '',
    '## Guides',
    '',
    ...guides,
    '',
  ].join('\n');
}

const monthsValid = 12;

/**
 * The security contact (RFC 9116). It expires a year after the first of this month, so that it is the same for a
 * month.
 */
export function securityText(baseUrl: string, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsValid, 1));
  return [
    `Contact: ${baseUrl}/docs/security`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
