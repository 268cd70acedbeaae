/* Starts the viewer of the reference page with the contract document of this service. */
const { base, sample } = document.currentScript.dataset;
const service = `${location.origin}${base}`;

/** Adapts the document so that a reader can send calls: the token comes from the application's ID and key. */
function tryable(contract) {
  const { securitySchemes } = contract.components;
  securitySchemes.Application = {
    type: 'oauth2',
    description: `Client ID is your application ID, Client Secret your application key. "Authorize" gets a token, and "Test Request" sends it. The simulation keeps both in sandbox-credentials.json.\n\n${securitySchemes.Application.description}`,
    flows: {
      clientCredentials: {
        tokenUrl: `${service}/oauth/token`,
        scopes: {},
        'x-scalar-credentials-location': 'header',
      },
    },
  };
  contract.paths['/oauth/token'].post['x-codeSamples'] = [
    { lang: 'Shell', label: 'curl', source: sample.replaceAll('{service}', service) },
  ];
  // Calls from the page go to the service that serves it.
  contract.servers = [{ url: service, description: 'This service' }];
  return contract;
}

async function start() {
  if (!window.Scalar) {
    document.querySelector('#app').textContent =
      'The reference is not built. Run "npm run build:console" in the project\'s folder.';
    return;
  }
  const answer = await fetch(`${base}/openapi.json`);
  window.Scalar.createApiReference('#app', {
    content: tryable(await answer.json()),
    authentication: { preferredSecurityScheme: 'Application' },
    telemetry: false,
    withDefaultFonts: false,
    persistAuth: false,
    defaultOpenAllTags: true,
    documentDownloadType: 'none',
    hideClientButton: true,
    showDeveloperTools: 'never',
  });
}

void start();
