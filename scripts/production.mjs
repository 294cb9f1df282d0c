// `npm run production`: the platform of examples/production behind nginx, as two processes with one PostgreSQL. Programs come from npm and,
// where they are not installed, from Debian, without root. Everything that is written is in a temporary folder, which goes at the end.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheOf, librariesOf, onPath, unpack } from './debian-package.mjs';
import { findPostgres } from './postgres-binary.mjs';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run production

Builds, and starts the platform of examples/production behind nginx: two processes with one PostgreSQL, until Ctrl+C.
  PORT  of the environment is the port of nginx, 8443 if there is none; the next three are used too`);

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'campus-production-'));
const port = Number(process.env.PORT ?? 8443);
const origin = `https://localhost:${port}`;
const [postgresPort, ...appPorts] = [port + 1, port + 2, port + 3];
const env = {
  ...process.env,
  ORIGIN: origin,
  DATABASE_URL: `postgres://postgres@127.0.0.1:${postgresPort}/postgres`,
  KEYS_FILE: join(folder, 'keys.json'),
};

const running = [];
let isStopping = false;

/** Starts a program that runs until the end; all end if one does. */
function start(name, program, args, options = {}) {
  if (isStopping) throw new Error('stopped');
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  child.on('error', (error) => void stop(`${name}: ${error.message}`));
  child.on('exit', (code) => {
    if (!name.startsWith('process')) void stop(`${name} ended with ${code}`);
  });
  running.push(child);
  return child;
}

/** Ends what runs, last one first. */
async function stop(problem) {
  if (isStopping) return;
  isStopping = true;
  if (problem) console.error(problem);
  for (const child of running.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue;
    const gone = once(child, 'exit');
    child.kill(child.spawnfile.endsWith('postgres') ? 'SIGINT' : 'SIGTERM');
    await gone;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exitCode = problem ? 1 : 0;
}

async function startPostgres() {
  const bin = findPostgres();
  const data = join(folder, 'postgres');
  // PostgreSQL refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  mkdirSync(data);
  if (nobody.uid) for (const each of [folder, data]) chownSync(each, nobody.uid, nobody.gid);
  const options = { ...nobody, cwd: data, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'], options);
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${data}`, 'log_min_messages=fatal'];
  start(
    'PostgreSQL',
    join(bin, 'postgres'),
    ['-D', data, '-p', postgresPort, ...settings.flatMap((each) => ['-c', each])],
    {
      ...options,
      stdio: 'ignore',
    },
  );
}

/** nginx of the machine, or that of Debian. */
function findNginx() {
  const installed = onPath('nginx');
  if (installed) return { nginx: installed, libraries: {} };
  const cache = cacheOf('nginx');
  const nginx = join(cache, 'usr/sbin/nginx');
  const runs = () => {
    try {
      execFileSync(nginx, ['-v'], { env: { ...process.env, ...librariesOf(cache) }, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  if (runs() || (unpack('nginx', cache) && runs())) return { nginx, libraries: librariesOf(cache) };
  throw new Error('this example needs nginx: install it (apt-get install nginx, brew install nginx)');
}

async function startNginx() {
  const { nginx, libraries } = findNginx();
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'certificate.pem', '-days', '30', ...subject], {
    cwd: folder,
    stdio: 'ignore',
  });
  // The file of the example names the services of compose.yaml; here they are ports of this machine.
  const [first, second] = appPorts;
  const text = readFileSync(join(root, 'examples/production/nginx.conf'), 'utf8')
    .replace('app1:3001', `127.0.0.1:${first}`)
    .replace('app2:3002', `127.0.0.1:${second}`)
    .replace('listen 8443', `listen 127.0.0.1:${port}`)
    .replace(
      'http {',
      [
        'http {',
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (name) => `  ${name}_temp_path ${join(folder, name)};`,
        ),
      ].join('\n'),
    );
  writeFileSync(join(folder, 'nginx.conf'), `pid ${join(folder, 'nginx.pid')};\nerror_log stderr;\n${text}`);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'];
  start('nginx', nginx, args, { env: { ...process.env, ...libraries } });
}

/** Asks until the answer is right, or something ended. */
async function until(ask) {
  for (;;) {
    if (isStopping || (await ask())) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}

const cli = (...args) =>
  execFileSync(process.execPath, [join(root, 'dist/lib/cli/main.js'), ...args], { cwd: root, env, stdio: 'pipe' });

function isReady(name, args) {
  try {
    execFileSync(name, args, { stdio: 'ignore', env });
    return true;
  } catch {
    return false;
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());
try {
  await startPostgres();
  const probe =
    "import('pg').then(async ({ default: { Client } }) => { const c = new Client(process.env.DATABASE_URL); await c.connect(); await c.end(); })";
  await until(async () => isReady(process.execPath, ['-e', probe]));
  cli('keys', 'new', env.KEYS_FILE);
  cli('store', 'migrate', 'examples/production/store.ts');
  for (const appPort of appPorts) {
    const child = start(`process ${appPort}`, process.execPath, ['examples/production/server.ts'], {
      cwd: root,
      env: { ...env, PORT: String(appPort) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await until(
      () =>
        child.exitCode === null &&
        fetch(`http://127.0.0.1:${appPort}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
    );
  }
  await startNginx();
  const lines = [
    `Harbour School  ${origin}/`,
    `Certificate     ${join(folder, 'certificate.pem')} (for curl --cacert, or NODE_EXTRA_CA_CERTS)`,
    'Person          olivia@example.com, password "demo"',
    `Try it          node dist/lib/cli/main.js doctor ${origin}`,
    `Processes       ${running
      .slice(1, 3)
      .map(({ pid }) => pid)
      .join(' and ')}: end one, and the other serves`,
    'Stop            Ctrl+C',
  ];
  if (!isStopping) console.log(lines.join('\n'));
} catch (error) {
  await stop(error.message);
}
