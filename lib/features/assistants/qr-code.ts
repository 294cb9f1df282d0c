import { encode } from 'uqr';
import { html, type Html } from '../../pages/kit/markup.ts';

/** Light modules around the code, which readers need. ISO/IEC 18004. */
const border = 4;

/** A QR code of a text, dark on light in every colour scheme. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { border });
  const lines = data.flatMap((row, y) => {
    const runs = row
      .map((dark) => (dark ? '#' : ' '))
      .join('')
      .matchAll(/#+/g);
    return [...runs].map(({ 0: { length }, index }) => `M${index} ${y}.5h${length}`);
  });
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${lines.join('')}"/></svg>`;
}
