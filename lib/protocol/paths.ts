/** Every public path. Specification: Endpoints. */
export const paths = {
  openidConfiguration: '/.well-known/openid-configuration',
  authorizationServer: '/.well-known/oauth-authorization-server',
  protectedResource: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
  authorize: '/oauth/authorize',
  interaction: '/oauth/interaction',
  token: '/api/oauth/token',
  register: '/api/oauth/register',
  userinfo: '/api/oauth/userinfo',
  revoke: '/api/oauth/revoke',
  introspect: '/api/oauth/introspect',
  memberGraphql: '/member/graphql',
  memberSchema: '/member/graphql/schema.graphql',
  mcp: '/mcp',
  openapi: '/openapi.json',
  guide: '/auth.md',
} as const;
