const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** What starts a program in a shell, with the libraries that it needs. */
export function startCommand(bin, env) {
  const set = Object.entries(env).filter(([, value]) => value !== '');
  return [...set.map(([name, value]) => `${name}=${quoted(value)}`), quoted(bin)].join(' ');
}
