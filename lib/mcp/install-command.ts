/** Installs the optional peers that tools need. */
export const installCommand = 'npm install @modelcontextprotocol/server ajv@8';
