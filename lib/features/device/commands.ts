import type { ClientInShell } from '../../core/enabled/grant-type.ts';
import { paths } from '../../http/paths.ts';
import { quoted } from '../../kernel/shell-quotes.ts';
import { deviceGrant, devicePaths } from './names.ts';

/** An app that asks for a code and, once a person has entered it, for the tokens. */
export function deviceCommands(
  { origin }: { readonly origin: string },
  { clientId, scopes, confidential }: ClientInShell,
): string {
  const shared = `  --data-urlencode ${quoted(`client_id=${clientId}`)} \\${confidential ? '\n  --data-urlencode "client_secret=$CLIENT_SECRET" \\' : ''}
  --data-urlencode ${quoted(`resource=${origin}`)}`;
  return `curl -sS ${quoted(`${origin}${devicePaths.authorization}`)} \\
  --data-urlencode ${quoted(`scope=${scopes.join(' ')}`)} \\
${shared}
printf '\\ndevice_code, after a person has entered the user_code: '
read -r DEVICE_CODE
curl -sS ${quoted(`${origin}${paths.token}`)} \\
  --data-urlencode ${quoted(`grant_type=${deviceGrant}`)} \\
  --data-urlencode "device_code=$DEVICE_CODE" \\
${shared}
`;
}
