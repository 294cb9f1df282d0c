// introspection.js
import crypto from 'crypto';

async function check(r) {
  const sent = /^Bearer +([\w~-]+)$/i.exec(r.headersIn['Authorization'] || '');
  if (!sent) return r.return(401);
  const args = crypto.createHash('sha256').update(sent[1]).digest('hex'); // the key of the cache
  const reply = await r.subrequest('/_introspect', { method: 'POST', args, body: `token=${sent[1]}` });
  if (reply.status !== 200) return r.return(500); // auth_request makes 500 of all else
  const found = JSON.parse(reply.responseText);
  if (!found.active || found.token_type !== 'Bearer') return r.return(401);
  const hasScope = found.scope.split(' ').includes(r.variables.needed_scope);
  if (!hasScope || found.client_audience === 'service') return r.return(403);
  r.headersOut['X-School'] = found.org_id;
  r.headersOut['X-Member'] = found.sub;
  r.headersOut['X-Roles'] = found.roles.join(' ');
  return r.return(204);
}

export default { check };
