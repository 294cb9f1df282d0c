import { auditFile } from './app.ts';
import { demoPassword, demoPeople } from './people.ts';
import { startDemo } from './start.ts';

const portText = process.env['PORT'] ?? '3000';
const port = Number(portText);
if (!/^\d{1,5}$/.test(portText) || port > 65_535) {
  console.error(`PORT must be a port number, not "${portText}".`);
  process.exit(1);
}

try {
  const demo = await startDemo({ port });
  const { harbour, summit } = demo.origins;
  const people = demoPeople.map(({ email, about }) => `  ${email.padEnd(20)} ${about}`);
  const lines = [
    `Harbour School  ${harbour}/`,
    `Summit School   ${summit}/`,
    '',
    `People (password "${demoPassword}"):`,
    ...people,
    '',
    `Discovery       ${harbour}/.well-known/openid-configuration`,
    `Guide           ${harbour}/auth.md`,
    `Tools (MCP)     ${harbour}/mcp/operator`,
    `Try a client    npm run client -- --issuer ${harbour}`,
    `Audit log       ${auditFile}`,
    'Stop            Ctrl+C',
  ];
  console.log(lines.join('\n'));

  let closing: Promise<void> | undefined;
  const stop = () => {
    closing ??= demo.close();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} catch (error) {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(inUse ? `Port ${port} is in use. Set PORT to another port.` : error);
  process.exitCode = 1;
}
