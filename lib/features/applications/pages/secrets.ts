import type { Application, ApplicationSecret } from '../../../core/applications/application.ts';
import { field, type Form } from '../../../http/body.ts';
import type { FormTranslator, InPlaceOfSecret } from '../../../pages/kit/application-field.ts';
import { html, type Html } from '../../../pages/kit/markup.ts';

/** An application with keys does not have one, and a public one does not, either. */
export function hasSecret({ confidential, publicKeys }: Application): boolean {
  return confidential && publicKeys === undefined;
}

/** What pages say of an application that has something else than a secret. */
export function inPlaceOfSecret(t: FormTranslator, application: Application): InPlaceOfSecret | undefined {
  return t.fields.find((own) => own.inPlaceOfSecret && application[own.member] !== undefined)?.inPlaceOfSecret;
}

/** How long the old secret stays valid beside a new one, in seconds. */
const overlaps = [
  ['0', 'secret.overlap.none'],
  ['3600', 'secret.overlap.hour'],
  ['86400', 'secret.overlap.day'],
] as const;

/** What is chosen at first, so that nothing stops while the new secret is entered. */
const chosenOverlap = '86400';

export function overlapChoice(t: FormTranslator): Html {
  return html`<fieldset><legend>${t.html('secret.overlap')}</legend>
${overlaps.map(([seconds, text]) => html`<label class="row"><input type="radio" name="overlap" value="${seconds}"${seconds === chosenOverlap && html` checked`}><span>${t.html(text)}</span></label>`)}</fieldset>`;
}

export function overlapIn(form: Form): number {
  const chosen = overlaps.find(([seconds]) => seconds === field(form, 'overlap'));
  return Number(chosen?.[0] ?? 0);
}

/** When each of the secrets was used, and when the old one ends. */
export function secretUses(t: FormTranslator, secrets: readonly ApplicationSecret[]): Html[] {
  return secrets.map(({ validUntil, lastUsedAt }) => {
    const used =
      lastUsedAt === undefined ? t.html('secret.unused') : t.html('secret.used', { date: t.nearDate(lastUsedAt) });
    return html`<p class="soft">${validUntil !== undefined && html`${oldSecret(t, validUntil)} `}${used}</p>`;
  });
}

export function oldSecret(t: FormTranslator, validUntil: number): Html {
  return t.html('secret.old', { time: t.nearMoment(validUntil) });
}
