import * as openid from 'openid-client';
import { renderUnicodeCompact } from 'uqr';
import { approveDeviceAs, type Person } from './automatic-person.ts';
import { askViewer } from './member-api.ts';
import { heading, print, show } from './output.ts';

/** An app without a browser: the person signs in on another device, for example a phone. RFC 8628. */
export async function deviceWalkthrough(issuer: string, person: Person | undefined): Promise<void> {
  heading('Discover the server');
  const config = await openid.discovery(new URL(issuer), 'harbour-member-app', {}, openid.None(), {
    // The demo uses plain HTTP.
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  });
  const server = config.serverMetadata();
  show(server);
  if (server.device_authorization_endpoint === undefined) {
    throw new Error('this school connects no devices; start the demo with DEMO_GRANTS=all');
  }

  heading('Ask for a code');
  const resource = issuer;
  const codes = await openid.initiateDeviceAuthorization(config, { scope: 'openid profile account:read', resource });
  show(codes);

  heading(`Wait until the person has entered ${codes.user_code}`);
  const link = codes.verification_uri_complete ?? codes.verification_uri;
  print(`Open ${codes.verification_uri} on your phone or computer and enter the code,`);
  print(`or open ${link}`);
  console.log(renderUnicodeCompact(link));
  const [tokens] = await Promise.all([
    openid.pollDeviceAuthorizationGrant(config, codes, { resource }),
    person && approveDeviceAs(person, link),
  ]);
  show(tokens);

  heading('Read the ID token, and query the Member API');
  show(tokens.claims());
  show(await askViewer(config, issuer, tokens.access_token));

  heading('Redeem the device code again');
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
  const parameters = { device_code: codes.device_code, resource };
  const again = await openid.genericGrantRequest(config, grantType, parameters).catch((error: unknown) => error);
  if (!(again instanceof openid.ResponseBodyError)) throw new Error('a device code should be redeemed once');
  print(`${again.error}: ${again.error_description ?? ''}`);
}
