import { appHeader, trustLine } from '../pages/kit/app-header.ts';
import { tickedText, decideBar } from '../pages/kit/decide-bar.ts';
import { decisionMenu } from '../pages/kit/decision-menu.ts';
import { emptyState } from '../pages/kit/empty-state.ts';
import { events } from '../pages/kit/events.ts';
import { factList } from '../pages/kit/facts.ts';
import { icon } from '../pages/kit/icons.ts';
import { html, type Html, type Translator } from '../pages/kit/markup.ts';
import { menu } from '../pages/kit/menu.ts';
import { notice, statusMessage } from '../pages/kit/notice.ts';
import { permissionRow } from '../pages/kit/permission-row.ts';
import { problem } from '../pages/kit/problems.ts';
import { receipt } from '../pages/kit/receipt.ts';
import { plainRow, rowLink, rowList } from '../pages/kit/row-link.ts';
import { statusMark } from '../pages/kit/status.ts';
import { stepList } from '../pages/kit/steps.ts';
import { table } from '../pages/kit/table.ts';
import { clientTile, glyphTile, monogram, roundTile } from '../pages/kit/tile.ts';
import type { PageBuilder } from '../pages/kit/pages.ts';
import { clients, exampleTime } from '../pages/example-clients.ts';

type Component = (t: Translator) => Html;

/** Names and sentences of examples are invented, and so in English. */
const said = (text: string): Html => html`<span lang="en" dir="ltr">${text}</span>`;

const statuses = ['allowed', 'view_only', 'needs_approval', 'blocked'] as const;

/** Each component of the kit alone, in the states that look different. */
const components: Readonly<Record<string, Component>> = {
  app: (t) => html`${appHeader({
    tile: glyphTile('claude'),
    name: html`<h2>Claude</h2>`,
    trust: trustLine(said('Published at claude.ai. The school has approved it.'), true),
    status: statusMark(t, 'allowed'),
  })}
${appHeader({
  tile: clientTile(clients.registered),
  name: html`<h2>Terminal Helper</h2>`,
  trust: trustLine(said('Nobody can check that it is Terminal Helper.'), false),
  status: statusMark(t, 'view_only'),
})}`,
  tile: () =>
    html`<p class="actions">${monogram('Study Timer')}${glyphTile('claude')}${glyphTile('claude-code')}${glyphTile('vs-code')}${clientTile(clients.registered)}${roundTile('check', 'allowed')}${roundTile('block', 'blocked')}</p>`,
  'permission-row': (t) =>
    html`<ul class="areas">${['write', 'read'].map(
      (access) =>
        html`<li>${t.catalogue.rows
          .filter((row) => row.access === access)
          .slice(0, 2)
          .map((row) => permissionRow(t, row, { isTicked: access === 'read' }))}</li>`,
    )}</ul>`,
  status: (t) => html`<p class="actions">${statuses.map((each) => statusMark(t, each))}</p>`,
  notice: (
    t,
  ) => html`${notice('warn', said('Nobody can check which app is asking. Go on only if you have just started it.'))}
${notice('plain', said('It can only view.'))}
${statusMessage(t, 'request.withdrawn')}`,
  problems: (t) => html`${problem(t.html('consent.none'))}
<div class="field"><label for="example-field">${t.html('form.name')}</label><input id="example-field" aria-invalid="true" aria-describedby="example-problem"><b class="problem" id="example-problem">${said('Enter a name.')}</b></div>`,
  'decide-bar': (t) =>
    html`<form method="post"><div class="decide"><fieldset class="within"><legend>${t.html('consent.asks.change')}</legend>${t.catalogue.rows.slice(-2).map((row) => permissionRow(t, row, { isTicked: false }))}</fieldset>${decideBar(
      [
        {
          value: 'allow',
          isPrimary: true,
          text: tickedText({
            some: t.html('consent.allow'),
            view: t.html('consent.allow.view'),
            none: t.html('consent.allow.identity'),
            of: t.html('consent.of', { count: 2 }),
          }),
        },
        { value: 'deny', text: t.html('consent.deny') },
      ],
    )}</div></form>`,
  'decision-menu': (t) =>
    html`<form method="post">${decisionMenu(
      'access',
      said('Who may connect it?'),
      (['allowed', 'view_only', 'blocked'] as const).map((each, i) => ({
        value: each,
        text: t.html(`status.${each}`),
        hint: said('What it means for people.'),
        effect: i === 1 && said('9 people lose what they may change.'),
        isChosen: i === 0,
      })),
      [
        {
          value: 'ask',
          text: t.html('status.needs_approval'),
          hint: said('It goes with each of these.'),
          isChosen: true,
        },
      ],
    )}</form>`,
  'row-link': (t) =>
    rowList([
      rowLink('#', {
        tile: glyphTile('claude', 'small'),
        name: html`Claude`,
        hint: said('Changes courses, views 2 more'),
      }),
      rowLink('#', {
        tile: clientTile(clients.registered, undefined, 'small'),
        name: html`Terminal Helper`,
        hint: said('Views 6 areas'),
        status: statusMark(t, 'view_only'),
      }),
      plainRow({ tile: icon('device'), name: said('Used today'), hint: said('Signed in today, from 192.0.2.14') }),
    ]) || html``,
  facts: (t) =>
    factList([
      [t.html('error.time'), t.moment(exampleTime)],
      [t.html('error.reference'), html`<code>7f3c-91d2</code>`],
    ]) || html``,
  steps: () =>
    stepList([
      { state: 'done', name: said('You asked for Claude'), detail: said('Today, 13:42') },
      { state: 'now', name: said('Staff decide') },
      { state: 'refused', name: said('It was refused') },
      { state: 'next', name: said('You connect it'), detail: said('With one link.') },
    ]),
  events: (t) =>
    events([
      { icon: 'plus', text: said('Created the course Knots for beginners'), time: t.nearMoment(exampleTime) },
      { icon: 'view', text: said('Viewed students and their progress'), time: t.nearMoment(exampleTime) },
      {
        icon: 'block',
        isBad: true,
        text: said('Tried to create a course, and was refused'),
        time: t.nearMoment(exampleTime),
      },
    ]),
  table: (t) =>
    table(
      said('Apps'),
      [
        { heading: t.html('form.name') },
        { heading: t.html('list.status') },
        { heading: t.html('school.people'), kind: 'moreNumber' },
        { heading: t.html('school.active'), kind: 'more' },
      ],
      statuses.map((each, i) => [
        html`<a href="#">School Chat ${i + 1}</a>`,
        statusMark(t, each),
        html`${i * 9}`,
        t.date(exampleTime),
      ]),
    ),
  menu: () =>
    html`<div class="head"><p>${said('An application of the school')}</p>${menu(html`${icon('plus')}${said('New')}`, [
      {
        href: '#',
        icon: 'person',
        name: said('App for members'),
        hint: said('Each person connects it to their own account'),
      },
      { href: '#', icon: 'loop', name: said('Service'), hint: said('It runs by itself; nobody signs in') },
    ])}</div>`,
  'empty-state': (t) =>
    emptyState({
      icon: 'apps',
      text: t.html('connected.intro', { count: 0, school: 'Harbour School' }),
      action: { text: t.html('home'), href: '#' },
    }),
  receipt: (t) =>
    html`${roundTile('check', 'allowed')}${receipt({
      text: said('It can no longer use your account.'),
      facts: [[t.html('error.time'), t.moment(exampleTime)]],
      actions: html`<div class="actions stack"><a class="button primary" href="#">${t.html('connected.title')}</a></div>`,
    })}`,
};

/** As the examples of the gallery name them: `component-status`. */
export const componentExamples: Readonly<Record<string, () => PageBuilder>> = Object.fromEntries(
  Object.entries(components).map(([name, draw]) => [
    `component-${name}`,
    (): PageBuilder => (t) => ({
      page: 'gallery',
      title: name,
      heading: html`<span lang="en">${name}</span>`,
      body: draw(t),
    }),
  ]),
);
