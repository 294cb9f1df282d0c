import { backLink } from '../../../pages/kit/app-header.ts';
import { html } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { notice } from '../../../pages/kit/notice.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { stepSections } from '../../../pages/kit/steps.ts';
import { addressField, nameField, otherFields, problemSummary } from './form.ts';
import { type FormProblem, type FormValues, hasOptions } from './form-values.ts';
import { appTiles } from './known-apps.ts';
import { findRecipe, returnAddress, type SignInRecipe, signInRecipes } from './sign-in-recipes.ts';
import { newPath } from './software-kind.ts';

interface NewSignIn {
  readonly values: FormValues;
  readonly problems: readonly FormProblem[];
  /** The app of the address, if it is known. */
  readonly app: unknown;
}

function isOption({ field }: FormProblem): boolean {
  return field !== 'clientName' && field !== 'redirectUris';
}

/** Which app, where it is, and what comes next. What most leave as it is stands under one heading. */
export function newSignInPage(context: MemberPageContext, { values, problems, app }: NewSignIn): PageBuilder {
  const recipe = findRecipe(app);
  const pagePath = newPath(context.path, 'signIn');
  const apps = signInRecipes.map(({ id, app: name }) => ({ id, name }));
  const product = productOf(recipe);
  return memberPage(context, {
    title: 'applications.new.signIn',
    wide: true,
    status: problems.length > 0 ? 400 : 200,
    hasProblems: problems.length > 0,
    header: (t, heading) => html`${backLink(context.path, t.html('applications.title'))}${heading}`,
    body: (t) => {
      const hint = recipe === undefined ? 'hint' : recipe.isProduct ? 'product' : 'path';
      const isOpen = problems.some(isOption) || hasOptions(values, t.fields);
      return html`${problemSummary(t, values, problems, { redirectUris: 'form.address' })}
<p>${t.html('applications.about.signIn', { school: context.site.name })}</p>
${stepSections([
  {
    state: 'next',
    heading: t.html('known.title'),
    body: html`${appTiles(t, pagePath, apps, recipe?.id)}
${recipe?.lacks !== undefined && notice('warn', t.html(recipe.lacks))}`,
  },
  {
    state: 'next',
    heading: product === '' ? t.html('form.signIn.where') : t.html('form.signIn.where.app', { app: product }),
    body: html`<form method="post" action="${pagePath}${recipe && `&app=${recipe.id}`}" id="new" class="flow" novalidate>
${hiddenFields(context, { app: recipe?.id ?? '' })}
${addressField(t, values, problems, t.html(`form.address.${hint}`, { path: recipe?.callback ?? '' }))}
${nameField(t, values, problems)}
<details${isOpen && html` open`}><summary><span>${t.html('form.more')}<span class="hint">${t.html('form.more.hint')}</span></span></summary>
${otherFields(t, values, problems)}</details>
<div class="actions"><button class="primary" type="submit">${t.html('form.create')}</button><a class="button" href="${context.path}">${t.html('form.cancel')}</a></div>
</form>`,
  },
  {
    state: 'next',
    heading: product === '' ? t.html('form.signIn.copy') : t.html('form.signIn.copy.app', { app: product }),
    body: html`<p class="soft">${t.html('form.signIn.copy.hint')}</p>`,
  },
])}`;
    },
  });
}

function productOf(recipe: SignInRecipe | undefined): string {
  return recipe?.isProduct ? recipe.app : '';
}

interface Chosen {
  readonly app?: SignInRecipe | undefined;
  /** The app that was chosen before. */
  readonly before?: SignInRecipe | undefined;
}

/** Replaces the name of the app that was chosen before, and nothing that was typed. */
export function namedFor(values: FormValues, { app, before }: Chosen): FormValues {
  const isOwn = values.clientName !== '' && values.clientName !== productOf(before);
  return isOwn ? values : { ...values, clientName: productOf(app) };
}

/** With where people return to, from the address that was entered. */
export function returningTo(values: FormValues, recipe: SignInRecipe): FormValues {
  const entered = values.redirectUris.split(/\s+/).filter((uri) => uri !== '');
  return { ...values, redirectUris: entered.map((uri) => returnAddress(recipe, uri)).join('\n') };
}
