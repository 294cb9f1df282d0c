import { paths } from '../../../http/paths.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { IdTokenAlgorithm } from '../../../core/keys/keys.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import type { SignInOptions } from '../../../core/clients/sign-in-client.ts';
import type { PublicKeys } from '../../../core/keys/public-keys.ts';

/** Where a sign-in client finds the school, and is found. */
interface SignInAddresses {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** What an engineer enters into a sign-in client. */
export interface SignInValues extends SignInAddresses {
  /** What the application can request: `openid`, and others. A request for more is refused. */
  readonly scopes: readonly string[];
  /** How the ID tokens of the application are signed now. */
  readonly algorithm: IdTokenAlgorithm;
}

/** What they enter for signing out of the school as well, with the option `logout`. */
export interface SignOutValues extends SignInValues {
  /** Where people come back to: one of `postLogoutRedirectUris` of the application. */
  readonly signedOutUri: string;
}

type RecipeId =
  | 'moodle'
  | 'nextcloud'
  | 'wordpress'
  | 'canvas'
  | 'gitlab'
  | 'spring'
  | 'apache'
  | 'oauth2-proxy'
  | 'authlib'
  | 'go'
  | 'passport';

type SettingsLanguage = 'text' | 'ruby' | 'yaml' | 'apache' | 'toml' | 'python' | 'go' | 'js';

/** `client_id` says whose the address is also when the key of an ID token is gone. OpenID Connect RP-Initiated Logout 1.0 section 2. */
function logoutAddress({
  issuer,
  clientId,
  signedOutUri,
}: Pick<SignOutValues, 'issuer' | 'clientId'> & Partial<SignOutValues>): string {
  const query = new URLSearchParams({ client_id: clientId });
  if (signedOutUri !== undefined) query.set('post_logout_redirect_uri', signedOutUri);
  return `${issuer}/oauth/logout?${query.toString()}`;
}

/** The settings of one kind of software: all that an engineer copies. They read the secret from a file or the environment. */
export interface SignInRecipe {
  readonly id: RecipeId;
  /** A name, which is not translated. */
  readonly name: string;
  /** What the app is called. */
  readonly app: string;
  /** Whether people know the app by this name. Those of frameworks have names of their own. */
  readonly isProduct?: boolean;
  /** What it lacks by itself, without which nobody can sign in. @default nothing */
  readonly lacks?: TextKey;
  /** Where people return to: the end of its redirect URI, which is usual for each, or has to be. */
  readonly callback: string;
  /** The language of the settings, for a block of Markdown. */
  readonly language: SettingsLanguage;
  readonly settings: (values: SignInValues) => string;
  /** Where it signs out of the school as well: OpenID Connect RP-Initiated Logout 1.0. */
  readonly signOut?: {
    readonly language: 'java' | SettingsLanguage;
    readonly text: (values: SignOutValues) => string;
  };
}

/** In the order of the page and of `docs/guides/sign-in-for-websites.md`, whose blocks are these. */
export const signInRecipes: readonly SignInRecipe[] = [
  {
    id: 'moodle',
    name: 'Moodle',
    app: 'Moodle',
    isProduct: true,
    lacks: 'known.moodle',
    // https://docs.moodle.org/en/OAuth_2_services
    callback: '/admin/oauth2callback.php',
    language: 'text',
    settings: ({ issuer, clientId, scopes }) => `Client ID: ${clientId}
Service base URL: ${issuer}
Scopes included in a login request: ${scopes.join(' ')}

User field mappings
sub                -> idnumber
preferred_username -> username
`,
  },
  {
    id: 'nextcloud',
    name: 'Nextcloud (user_oidc)',
    app: 'Nextcloud',
    isProduct: true,
    // https://github.com/nextcloud/user_oidc
    callback: '/apps/user_oidc/code',
    language: 'text',
    settings: ({ issuer, clientId, scopes }) => `occ user_oidc:provider school --clientid="${clientId}" \\
  --clientsecret="$CLIENT_SECRET" \\
  --discoveryuri="${issuer}${paths.openidConfiguration}" --scope="${scopes.join(' ')}" \\
  --mapping-uid=sub --mapping-display-name=name --mapping-email=email \\
  --mapping-groups=groups --group-provisioning=1
`,
  },
  {
    id: 'wordpress',
    name: 'WordPress (OpenID Connect Generic)',
    app: 'WordPress',
    isProduct: true,
    lacks: 'known.wordpress',
    // https://wordpress.org/plugins/daggerhart-openid-connect-generic/
    callback: '/wp-admin/admin-ajax.php?action=openid-connect-authorize',
    language: 'text',
    settings: ({ issuer, clientId, scopes }) => `Client ID: ${clientId}
OpenID Scope: ${scopes.join(' ')}
Login Endpoint URL: ${issuer}${paths.authorize}
Userinfo Endpoint URL: ${issuer}${paths.userinfo}
Token Validation Endpoint URL: ${issuer}${paths.token}
Identity Key: sub
Nickname Key: preferred_username
`,
  },
  {
    id: 'canvas',
    name: 'Canvas',
    app: 'Canvas',
    isProduct: true,
    lacks: 'known.canvas',
    // https://github.com/instructure/canvas-lms/blob/master/app/views/authentication_providers/_openid_connect_fields.html.erb
    callback: '/login/oauth2/callback',
    language: 'text',
    settings: ({ issuer, clientId, scopes }) => `Client ID: ${clientId}
Discovery URL: ${issuer}${paths.openidConfiguration}
Token Endpoint Authentication Method: client_secret_basic
Scope: ${scopes.join(' ')}
Login Attribute: sub
`,
  },
  {
    id: 'gitlab',
    name: 'GitLab (gitlab.rb)',
    app: 'GitLab',
    isProduct: true,
    // https://docs.gitlab.com/administration/auth/oidc/
    callback: '/users/auth/openid_connect/callback',
    language: 'ruby',
    settings: ({
      issuer,
      clientId,
      redirectUri,
      scopes,
    }) => `gitlab_rails['omniauth_allow_single_sign_on'] = ["openid_connect"]
gitlab_rails['omniauth_providers'] = [
  {
    name: "openid_connect",
    label: "School",
    args: {
      name: "openid_connect",
      issuer: ${quoted(issuer)},
      discovery: true,
      response_type: "code",
      scope: [${scopes.map(quoted).join(', ')}],
      pkce: true,
      client_auth_method: "basic",
      uid_field: "sub",
      client_options: {
        identifier: ${quoted(clientId)},
        secret: File.read("/etc/gitlab/school-client-secret").strip,
        redirect_uri: ${quoted(redirectUri)},
        gitlab: { groups_attribute: "groups" }
      }
    }
  }
]
`,
  },
  {
    id: 'spring',
    name: 'Spring Boot (application.yaml)',
    app: 'Spring Boot',
    callback: '/login/oauth2/code/school',
    language: 'yaml',
    settings: ({ issuer, clientId, redirectUri, scopes }) => `spring:
  security:
    oauth2:
      client:
        provider:
          school:
            issuer-uri: ${quoted(issuer)}
        registration:
          school:
            client-id: ${quoted(clientId)}
            client-secret: \${CLIENT_SECRET}
            client-authentication-method: client_secret_basic
            redirect-uri: ${quoted(redirectUri)}
            scope: ${scopes.join(', ')}
`,
    signOut: {
      language: 'java',
      text: (values) => `var signedOut = new SimpleUrlLogoutSuccessHandler();
signedOut.setDefaultTargetUrl(${quoted(logoutAddress(values))});
http.logout(logout -> logout.logoutSuccessHandler(signedOut));
`,
    },
  },
  {
    id: 'apache',
    name: 'Apache (mod_auth_openidc)',
    app: 'Apache',
    callback: '/oidc-callback',
    language: 'apache',
    settings: ({
      issuer,
      clientId,
      redirectUri,
      scopes,
      algorithm,
    }) => `OIDCProviderMetadataURL ${issuer}${paths.openidConfiguration}
OIDCClientID ${clientId}
OIDCClientSecret "\${CLIENT_SECRET}"
OIDCProviderTokenEndpointAuth client_secret_basic
OIDCRedirectURI ${redirectUri}
OIDCScope "${scopes.join(' ')}"
OIDCPKCEMethod S256
OIDCIDTokenSignedResponseAlg ${algorithm}
OIDCCryptoPassphrase "\${CRYPTO_PASSPHRASE}"
OIDCRemoteUserClaim sub

<Location />
  AuthType openid-connect
  Require valid-user
</Location>
`,
    signOut: {
      language: 'apache',
      text: ({
        issuer,
        clientId,
        redirectUri,
        signedOutUri,
      }) => `# A link signs out: ${redirectUri}?logout=${encodeURIComponent(signedOutUri)}
OIDCProviderEndSessionEndpoint ${logoutAddress({ issuer, clientId })}
<Location ${new URL(signedOutUri).pathname}>
  AuthType None
  Require all granted
</Location>
`,
    },
  },
  {
    id: 'oauth2-proxy',
    name: 'oauth2-proxy',
    app: 'oauth2-proxy',
    callback: '/oauth2/callback',
    language: 'toml',
    settings: ({ issuer, clientId, redirectUri, scopes }) => `provider = "oidc"
oidc_issuer_url = ${quoted(issuer)}
client_id = ${quoted(clientId)}
client_secret_file = "/etc/oauth2-proxy/school-client-secret"
redirect_url = ${quoted(redirectUri)}
scope = "${scopes.join(' ')}"
code_challenge_method = "S256"
insecure_oidc_skip_nonce = false
email_domains = ["*"]
${scopes.includes('email') ? '' : 'oidc_email_claim = "sub"\n'}`,
    signOut: {
      language: 'toml',
      text: ({
        redirectUri,
        ...values
      }) => `# A link signs out: ${new URL(redirectUri).origin}/oauth2/sign_out?rd=${encodeURIComponent(logoutAddress(values))}
whitelist_domains = [${quoted(new URL(values.issuer).host)}]
`,
    },
  },
  {
    id: 'authlib',
    name: 'Authlib (Flask)',
    app: 'Flask',
    callback: '/auth',
    language: 'python',
    settings: ({ issuer, clientId, scopes }) => `oauth.register(
    name="school",
    server_metadata_url=${quoted(`${issuer}${paths.openidConfiguration}`)},
    client_id=${quoted(clientId)},
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "${scopes.join(' ')}", "code_challenge_method": "S256"},
)
`,
    signOut: {
      language: 'python',
      text: ({ clientId, signedOutUri }) => `@app.get("/sign-out")
def sign_out():
    id_token = session.pop("id_token", None)
    return oauth.school.logout_redirect(
        ${quoted(signedOutUri)}, id_token_hint=id_token, client_id=${quoted(clientId)}
    )
`,
    },
  },
  {
    id: 'go',
    name: 'Go (go-oidc)',
    app: 'Go',
    callback: '/callback',
    language: 'go',
    settings: ({
      issuer,
      clientId,
      redirectUri,
      scopes,
      algorithm,
    }) => `provider, err := oidc.NewProvider(ctx, ${quoted(issuer)})
config := oauth2.Config{
	ClientID:     ${quoted(clientId)},
	ClientSecret: os.Getenv("CLIENT_SECRET"),
	Endpoint:     provider.Endpoint(),
	RedirectURL:  ${quoted(redirectUri)},
	Scopes:       []string{${scopes.map((scope) => (scope === 'openid' ? 'oidc.ScopeOpenID' : quoted(scope))).join(', ')}},
}
verifier := provider.Verifier(&oidc.Config{
	ClientID:             config.ClientID,
	SupportedSigningAlgs: []string{oidc.${algorithm}},
})
pkce := oauth2.GenerateVerifier()
address := config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce))
token, err := config.Exchange(ctx, code, oauth2.VerifierOption(pkce))
`,
    signOut: {
      language: 'go',
      text: ({ signedOutUri }) => `var school struct {
	EndSession string \`json:"end_session_endpoint"\`
}
err = provider.Claims(&school)
signOut := school.EndSession + "?" + url.Values{
	"client_id":                {config.ClientID},
	"id_token_hint":            {token.Extra("id_token").(string)},
	"post_logout_redirect_uri": {${quoted(signedOutUri)}},
}.Encode()
`,
    },
  },
  {
    id: 'passport',
    name: 'Passport (openid-client)',
    app: 'Passport',
    callback: '/auth/school/callback',
    language: 'js',
    settings: ({ issuer, clientId, redirectUri, scopes, algorithm }) => `const school = await client.discovery(
  new URL('${issuer}'),
  '${clientId}',
  { id_token_signed_response_alg: '${algorithm}' },
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
);
passport.use(
  new Strategy(
    { name: 'school', config: school, callbackURL: '${redirectUri}', scope: '${scopes.join(' ')}' },
    (tokens, verified) => verified(null, { ...tokens.claims(), tokens }),
  ),
);
`,
    signOut: {
      language: 'js',
      text: ({ clientId, signedOutUri }) => `const signOut = client.buildEndSessionUrl(school, {
  client_id: '${clientId}',
  id_token_hint: req.user.tokens.id_token,
  post_logout_redirect_uri: '${signedOutUri}',
});
`,
    },
  },
];

export interface RecipeText {
  readonly id: RecipeId;
  readonly name: string;
  readonly text: string;
  /** Whether people return to it where they do with these settings. */
  readonly isUsed: boolean;
  /** For an application to which people come back after signing out of the school. */
  readonly signOut: string | undefined;
}

interface RecipeApplication {
  readonly confidential: boolean;
  readonly scopes: readonly Scope[];
  readonly signIn?: SignInOptions | undefined;
  readonly publicKeys?: PublicKeys | undefined;
  /** Where it sends people who sign out of the school, if it has the property of the feature. */
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
}

/**
 * Those for an application. Each signs in with a secret that it sends by HTTP Basic, and takes RS256 or ES256 as the settings say; none
 * of them works without ID tokens.
 */
export function recipesFor(
  { confidential, scopes, signIn, publicKeys, postLogoutRedirectUris }: RecipeApplication,
  { algorithm, ...given }: SignInAddresses & { readonly algorithm: IdTokenAlgorithm | undefined },
): readonly RecipeText[] {
  const isSuited =
    confidential && publicKeys === undefined && signIn?.basic === true && signIn.defaultResource === true;
  if (!isSuited || algorithm === undefined || !scopes.includes('openid')) return [];
  const values = { ...given, scopes, algorithm };
  const [signedOutUri] = postLogoutRedirectUris ?? [];
  const used = recipeWithCallback(given.redirectUri);
  return signInRecipes.map((recipe) => ({
    id: recipe.id,
    name: recipe.name,
    text: recipe.settings(values),
    isUsed: recipe === used,
    signOut: signedOutUri === undefined ? undefined : recipe.signOut?.text({ ...values, signedOutUri }),
  }));
}

export function findRecipe(id: unknown): SignInRecipe | undefined {
  return signInRecipes.find((recipe) => recipe.id === id);
}

/** The one whose callback it is: the longest, because some end as others do. */
function recipeWithCallback(redirectUri: string): SignInRecipe | undefined {
  const [found] = signInRecipes
    .filter(({ callback }) => redirectUri.endsWith(callback))
    .sort((a, b) => b.callback.length - a.callback.length);
  return found;
}

/** Where people return to, from the address of the app. Frameworks return where their code says, so that a path stays as it is. */
export function returnAddress({ callback, isProduct = false }: SignInRecipe, entered: string): string {
  if (!URL.canParse(entered) || entered.endsWith(callback)) return entered;
  const { pathname, search, hash } = new URL(entered);
  const isBase = search === '' && hash === '' && (isProduct || pathname === '/');
  return isBase ? `${entered.replace(/\/$/, '')}${callback}` : entered;
}

/** JSON's quotes are those of YAML, TOML, Python and Go for what an address or an id can have. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
