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
  rule(
    'say it directly',
    String.raw`\bthere (?:is|are|was|were) (?!so )[^.;:,|]{1,60} (?:that|which|who)\b`,
    'There are clients that send no scope.',
    'Some clients send no scope.',
  ),
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
    'say what is unknown or unavailable',
    String.raw`\b(?:cannot|can not|could not) (?:tell|be told)\b(?! (?:apart|a ))(?!”|")`,
    'The service cannot tell right now.',
    'The service is temporarily unavailable.',
  ),
  rule('say who learns it', String.raw`\b(?:is|are|was) told\b`, 'The caller is told why.', 'The response says why.'),
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
  rule(
    '“exists”, or name the place',
    String.raw`\b(?:is|are) there[.,;:)]`,
    'The record is there.',
    'The record exists.',
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

/** What breaks a rule, as `path:line “found”: why`. */
export function problemsIn({ path, line, text, lineStarts }: Passage): string[] {
  return rules.flatMap(({ pattern, why }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const row = line + lineStarts.findLastIndex((start) => start <= index);
      return `${path}:${row} “${found.trim().slice(0, 60)}”: ${why}`;
    }),
  );
}
