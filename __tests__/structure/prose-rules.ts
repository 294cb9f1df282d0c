import type { Passage } from './prose.ts';

/** A habit that makes a text hard to read, in the manner of Vale. `example` breaks the rule, `better` says the same without it. */
interface Rule {
  readonly why: string;
  readonly pattern: RegExp;
  readonly example: string;
  readonly better: string;
}

/** The beginning of a sentence. */
const opening = String.raw`(?:^[\s\-*|#\d.“"(]*|[.!?;:][*"”)]* +)`;

function rule(why: string, pattern: string, example: string, better: string, flags = 'gi'): Rule {
  return { why, pattern: new RegExp(pattern, flags), example, better };
}

/** For every document, comment and message. */
export const rules: readonly Rule[] = [
  rule(
    'inverted: begin with the subject',
    String.raw`(?:^[\s\-*|#\d.“"(]*Of|[.!?;:][*"”)]* +[Oo]f) (?!course)`,
    'Of a stored secret only the digest exists.',
    'A stored secret exists as a digest.',
    'g',
  ),
  rule(
    'name who it is',
    String.raw`${opening}who (?!(?:is|are|was|may|can|could|did|made|connects|the|this)\b|[^ ]*,)(?:[^.?!]|[.?!]\S)*\.(?:\s|$)`,
    'Who does not import it loads nothing.',
    'A host without it loads nothing.',
  ),
  rule(
    'inverted: begin with the subject',
    String.raw`(?:^|[.,;:!?] )(?:so|nor|neither) (?:is|are|do|does|has|have|can|was|were|did) (?:[a-z]|\`)`,
    'A rejected document is listed, so is a blocked one.',
    'A rejected document and a blocked one are listed.',
  ),
  rule('no comma before “too”', ', too\\b', 'It works on Redis, too.', 'It also works on Redis.'),
  rule('leave it out', String.raw`\bthat there (?:is|are)\b`, 'The scopes that there are.', 'The declared scopes.'),
  rule(
    '“depends on”',
    String.raw`\bhang(?:s|ing)? on\b`,
    'Validity hangs on the grant.',
    'Validity depends on the grant.',
  ),
  rule(
    '“is based on”, “depends on”',
    String.raw`\brests? on\b`,
    'Security rests on the digest.',
    'Security depends on it.',
  ),
  rule(
    'say what it is',
    String.raw`\bwhat there (?:still )?(?:is|are)\b`,
    'Of what was granted, what there still is',
    'Drop scopes that are no longer declared',
  ),
  rule(
    'say what is missing',
    String.raw`\bha(?:s|d|ve) none[.;,]`,
    'A grant of another origin has none.',
    'Grants of other origins have no scopes.',
  ),
  rule(
    'say what happens',
    String.raw`\basks? nobody\b|\bto blame\b`,
    'It asks nobody.',
    'It grants the consent silently.',
  ),
  rule(
    '“unstable”',
    String.raw`\bclock(?: of \w+)? jumps?\b`,
    'The clock of Redis jumps.',
    'The Redis clock is unstable.',
  ),
  rule('“again”', String.raw`\banew\b`, 'It is made anew.', 'It is made again.'),
  rule('“without effect”, “needlessly”', String.raw`\bin vain\b`, 'It is signed in vain.', 'It is signed needlessly.'),
  rule(
    '“anyone who”, or name them',
    String.raw`\bwho(?:so)?ever\b`,
    'It serves whoever asks.',
    'It serves anyone who asks.',
  ),
  rule('“is duplicated”', String.raw`\b(?:is|are) there twice\b`, 'x is there twice', 'x is duplicated'),
  rule(
    '“immediately invalid”',
    String.raw`\bgood for nothing\b`,
    'The token is good for nothing.',
    'The token is invalid.',
  ),
  rule(
    'use the active voice',
    String.raw`\bit is (?:looked|asked|waited|gone)\b`,
    'Then it is looked at.',
    'Then we look at it.',
  ),
  rule(
    '“only”',
    String.raw`\b(?:nothing|nobody|no one|none) but\b`,
    'It has nothing but a name.',
    'It has only a name.',
  ),
  rule('“no longer”', String.raw`\bany ?more\b`, 'It is not valid any more.', 'It is no longer valid.'),
  rule('“otherwise”', String.raw`[:;,.] else (?!if\b)`, 'Keep it, else it is lost.', 'Keep it; otherwise it is lost.'),
  rule(
    '“except”',
    String.raw`, save (?:in|for|that|when|inside|by)\b`,
    'All, save in a test.',
    'All, except in a test.',
  ),
  rule(
    '“is not”',
    String.raw`(?<!there )\bis (?:no|none of) (?!\w+ (?:than|longer)|longer|more|less)\w+(?: \w+)?[.,;:)]`,
    'This is no attack.',
    'This is not an attack.',
  ),
  rule(
    'an old word',
    String.raw`\b(?:hence|thereby|therein|thereof|whereby|wherein|hitherto|upon|lest|shall|albeit|whilst|amongst|thus|likewise)\b`,
    'It is hence void.',
    'So it is void.',
  ),
  rule(
    'a word that adds nothing',
    String.raw`\b(?:simply|obviously|of course|basically|needless to say)\b`,
    'Simply call it.',
    'Call it.',
  ),
  rule('write it out', String.raw`\b(?:e\.g\.|i\.e\.|etc\.)`, 'A store, e.g. Redis.', 'A store such as Redis.'),
  rule(
    'more than 40 words: make two sentences',
    String.raw`(?:[^\s{}<>]*[^\s.?!;:|{}<>][)”"]?\s+){40}`,
    'This sentence goes on and on '.repeat(7),
    'This sentence ends.',
  ),
];

/** For the documents of users: the phrases that make them slow to read, and words that have another name. */
export const userRules: readonly Rule[] = [
  rule(
    'say what does happen',
    String.raw`(?:${opening}|, (?:and|but|so) )(?:nothing|nobody|no one|none) \w`,
    'Nobody is asked, and nothing is written.',
    'It does not ask the member or write to the store.',
  ),
  rule(
    '“invalid”',
    String.raw`\b(?:is|are) none\b`,
    'An origin that is none is refused.',
    'An invalid origin is refused.',
  ),
  rule(
    'repeat the noun',
    String.raw`\b(?:that of|those (?:of|that|who|which))\b`,
    'Its rules are those of the app.',
    'It follows the rules of the app.',
  ),
  rule('repeat the noun', String.raw`\banother one\b`, 'With another one, it ends.', 'With a different key, it ends.'),
  rule(
    '“separate”, “your”',
    String.raw`\bof (?:its|their) own\b|\bof yours\b`,
    'It has a circuit of its own.',
    'It has a separate circuit breaker.',
  ),
  rule('“instead of”', String.raw`\bin place of\b`, 'A key in place of a secret.', 'A key instead of a secret.'),
  rule('“next to”, “with”', String.raw`\bbeside\b`, 'Put the file beside it.', 'Put the file next to it.'),
  rule(
    '“existing”, “earlier”',
    String.raw`\bof before\b|\bfrom then on\b`,
    'Access tokens of before stay valid.',
    'Existing access tokens stay valid.',
  ),
  rule(
    '“even”',
    String.raw`[,;] also (?:if|when|for|after)\b`,
    'It is refused, also if the owner connects it.',
    'It is refused, even when the owner connects it.',
  ),
  rule(
    'begin with a noun',
    String.raw`(?:^[\s\-*#\d.]*|[.!?] +)what [^.?!;:|]*\.(?:\s|$)`,
    'What comes then is left out.',
    'Later calls are dropped.',
  ),
  rule(
    'a page describes, it does not have',
    String.raw`\[[^\[\]]*\]+ ha(?:s|ve) `,
    '[Storage](storage.md) has the settings.',
    'See the settings in [Storage](storage.md).',
  ),
  rule(
    'say what it does',
    String.raw`\b(?:goes|go) on[.,;:]|\b(?:counts|holds)[.;]`,
    'The rest goes on.',
    'Other connections keep working.',
  ),
  rule(
    'make a list',
    String.raw`;[^.;|]*;`,
    'It ends; others stay; the log has it.',
    'It ends. Others stay; the log has it.',
  ),
  rule('“app” or “client”', String.raw`\bprograms?\b`, 'The program connects.', 'The app connects.'),
  // Security teams search for “tenant isolation”.
  rule('“school”', String.raw`\btenants?\b(?! isolation)`, 'Each tenant has an issuer.', 'Each school has an issuer.'),
  rule('“rate limit”', String.raw`\bquotas?\b`, 'The quota is used up.', 'The rate limit is reached.'),
  rule(
    '“previous release”',
    String.raw`\bthe release before\b`,
    'It reads what the release before wrote.',
    'It reads what the previous release wrote.',
  ),
];

/** What breaks one of the rules, as `path:line “found”: why`. */
export function problemsIn({ path, line, text, lineStarts }: Passage, broken = rules): string[] {
  return broken.flatMap(({ pattern, why }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const row = line + lineStarts.findLastIndex((start) => start <= index);
      return `${path}:${row} “${found.trim().slice(0, 60)}”: ${why}`;
    }),
  );
}
