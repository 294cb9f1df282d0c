import type { NewsItem } from '../../../core/news/news-item.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { icon, type IconName } from '../../../pages/kit/icons.ts';
import { html, type Html, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields, type MemberPageContext } from '../../../pages/kit/member-page.ts';

export interface NewsView {
  readonly items: readonly NewsItem[];
  /** The name of who has answered, by their id. */
  readonly nameOf: (memberId: string) => string | undefined;
  /** Where a person connects what was approved. */
  readonly connectPathOf: (item: NewsItem) => string | undefined;
}

type Kind = NewsItem['kind'];

const icons: Readonly<Record<Kind, IconName>> = {
  approved: 'check',
  again: 'check',
  declined: 'block',
  back: 'block',
  off: 'block',
  disconnected: 'block',
  changed: 'warn',
  removed: 'block',
};

const texts: Readonly<Record<Exclude<Kind, 'approved' | 'declined'>, TextKey>> = {
  back: 'news.ends.text',
  off: 'news.ends.text',
  removed: 'news.ends.text',
  again: 'news.again.text',
  disconnected: 'news.again.text',
  changed: 'news.again.text',
};

/** What is new stands first: each row is one press, or OK. */
export function newsRows(t: Translator, context: MemberPageContext, view: NewsView): Html | false {
  const { items } = view;
  return (
    items.length > 0 &&
    html`<ul class="news" aria-label="${t.text('news.title')}">${items.map((item) => newsRow(t, context, view, item))}</ul>`
  );
}

function newsRow(t: Translator, context: MemberPageContext, view: NewsView, item: NewsItem): Html {
  const { id, kind, clientName } = item;
  const isGood = icons[kind] === 'check';
  const client = shortName(clientName);
  const values = { client, school: context.site.name };
  const href = kind === 'approved' ? view.connectPathOf(item) : undefined;
  const connect =
    href !== undefined &&
    html`<a class="button primary" href="${href}" aria-label="${t.text('news.connect.one', values)}">${t.html('news.connect')}</a>`;
  return html`<li${isGood && html` class="good"`}>${icon(icons[kind], isGood ? 'good' : kind === 'changed' ? 'warn' : 'bad')}<p><b>${t.html(`news.${kind}`, values)}</b> <span class="soft">${about(t, view, item)}</span></p>
<form class="actions" method="post" action="${context.path}">${hiddenFields(context, { action: 'ok', id })}${connect}<button type="submit" aria-label="${t.text('news.ok.one', values)}">${t.html('news.ok')}</button></form></li>`;
}

function about(t: Translator, { nameOf }: NewsView, { kind, at, request }: NewsItem): Html {
  const date = t.nearDate(at);
  if (kind !== 'approved' && kind !== 'declined') return t.html(texts[kind], { date });
  const name = request?.by === undefined || request.answeredAt !== undefined ? undefined : nameOf(request.by);
  const who =
    name === undefined
      ? t.html('news.answered', { date })
      : t.html('news.answered.by', { name: shortName(name), date });
  const answer =
    kind === 'declined' &&
    (request?.answer ?? '') !== '' &&
    html` ${t.html('news.answer', { answer: request?.answer ?? '' })}`;
  return html`${who}${answer}`;
}
