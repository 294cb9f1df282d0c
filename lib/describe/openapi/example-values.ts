export const form = 'application/x-www-form-urlencoded';

export const exampleValues = {
  client_id: 'reg-A1b2C3d4E5f6G7h8I9j0Kw',
  redirect_uri: 'http://127.0.0.1:8123/callback',
  code: 'u3zKq0v7Y1mB5nD9sF2hJ4lP6tX8wC0eR_aG-iN3oQs',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  refresh_token: 'p8sVx2Za4Qm6Wt0Yk1Ln3Bd5Fh7Jr9Cu_eG-iO2qSwT',
  access_token: 'c5nRt7Yx9Vb1Zm3Kp5Wq7Ls9Dg1Hj3Fu_aE-iO0kMwQ',
} as const;
