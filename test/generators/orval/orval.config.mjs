export default {
  latchkey: {
    input: '../../../openapi.json',
    output: {
      target: 'generated/client.ts',
      client: 'fetch',
      override: { mutator: { path: 'fetcher.ts', name: 'fetcher', extension: '.js' } },
    },
  },
};
