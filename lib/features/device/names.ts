/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export const devicePaths = { authorization: '/api/oauth/device_authorization', page: '/oauth/device' } as const;
