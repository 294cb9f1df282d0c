import { beforeAll, describe, expect, test } from '@jest/globals';
import { errorCode, type ErrorName } from '../../lib/describe/error-codes.ts';
import * as errors from '../../lib/kernel/errors.ts';
import { paths } from '../../lib/http/paths.ts';
import { allScopes } from '../helpers/scopes.ts';
import { acme, everything, little } from './configurations.ts';
import { expectValid } from './described.ts';
import { type Description, describedOperations } from './description.ts';
import { type Published, publishedBy } from './published.ts';

describe('/openapi.json content', () => {
  let full: Published;
  let less: Published;
  beforeAll(async () => {
    [full, less] = await Promise.all([publishedBy(everything()), publishedBy(little)]);
  });

  test('describes every path of the specification, and begins with discovery', () => {
    const { interaction: _page, pageScript: _script, ...specified } = paths;
    const inserted = [paths.mcp, paths.mcpOperator, paths.mcpMember, paths.memberGraphql].map(
      (path) => `${paths.protectedResource}${path}`,
    );
    const described = Object.keys(full.description.paths);
    expect(described.toSorted()).toEqual([...Object.values(specified), ...inserted].toSorted());
    expect(described[0]).toBe(paths.openidConfiguration);
  });

  test('lists every scope', () => {
    const { scopes } = full.description.components.securitySchemes.oauth.flows.authorizationCode;
    expect(Object.keys(scopes)).toEqual(allScopes);
  });

  test('lists every OAuthError class with its status', () => {
    const codes = Object.values(errors)
      .filter((made) => made.prototype instanceof errors.OAuthError)
      .map((Made): errors.OAuthError => Reflect.construct(Made, ['words', ['openid']]));
    expect(codes.length).toBeGreaterThan(10);
    const listed = full.description.components.schemas['Error']?.properties?.['error']?.enum ?? [];
    for (const { error, status } of codes) {
      // Only a route of the host, or a tool, that asks how somebody has signed in sends it.
      if (error === 'insufficient_user_authentication') continue;
      expect(listed).toContain(error);
      // Without a status it is sent to the redirect URI.
      if (error === 'access_denied') continue;
      const { status: described } = errorCode(listed.find((code): code is ErrorName => code === error) ?? 'slow_down');
      expect([error, described]).toEqual([error, status]);
    }
  });

  test('omits disabled features', () => {
    expect(less.description.paths).not.toHaveProperty([paths.register]);
    expect(less.description.paths).not.toHaveProperty([paths.memberSchema]);
    expect(JSON.stringify(less.description)).not.toContain('my_courses');
    expect(JSON.stringify(less.description)).not.toContain(acme.clientName);
    expect(JSON.stringify(full.description)).toContain(acme.clientName);
  });

  test('describes 429 at limited endpoints, and nowhere if limits are off', () => {
    const limited = (description: Description) =>
      describedOperations(description)
        .filter(({ operation }) => operation.responses['429'])
        .map(({ path }) => path);
    const { authorize, token, register, userinfo, memberGraphql, mcp, mcpOperator, mcpMember } = paths;
    expect(limited(full.description).toSorted()).toEqual(
      [authorize, token, register, userinfo, userinfo, memberGraphql, mcp, mcpOperator, mcpMember].toSorted(),
    );
    expect(limited(less.description)).toEqual([]);
  });

  test('Member API: says that it serves only who the viewer is without data, and describes GraphiQL if enabled', () => {
    const of = ({ description }: typeof full) => description.paths[paths.memberGraphql];
    expect(of(full)?.['post']?.description).not.toContain('only `id`');
    expect(of(less)?.['post']?.description).toContain('only `id`, `name` and `email`');
    expect(of(full)?.['get']?.responses['200']?.content).toHaveProperty(['text/html']);
    expect(of(less)).not.toHaveProperty('get');
  });

  test('JsonRpcRequest accepts a request, a notification or a response, and nothing else', () => {
    const validate = (members: object) => () =>
      expectValid(full.description, full.description.components.schemas['JsonRpcRequest'] ?? {}, {
        jsonrpc: '2.0',
        ...members,
      });
    expect(validate({ id: 1, method: 'tools/list' })).not.toThrow();
    expect(validate({ method: 'notifications/initialized' })).not.toThrow();
    expect(validate({ id: 1, result: {} })).not.toThrow();
    expect(validate({ error: { code: 1, message: 'no' } })).not.toThrow();
    for (const wrong of [{ id: 1 }, { result: {} }, { id: 1, result: 5 }]) expect(validate(wrong)).toThrow();
    expect(full.description.paths[paths.memberGraphql]?.['post']?.responses['400']?.description).toContain('1 to 100');
  });

  test('x-tools lists the tools with their scopes', () => {
    const tools = full.description.paths[paths.mcp]?.['post']?.['x-tools'];
    expect(tools).toContainEqual(expect.objectContaining({ name: 'school_info', public: true }));
    expect(tools).toContainEqual(expect.objectContaining({ name: 'my_courses', scopes: ['account:read'] }));
  });
});
