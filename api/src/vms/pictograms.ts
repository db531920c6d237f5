import type { PictogramName } from '@rogatka/contract/vms-upkeep.ts'

/*
 * Pictograms in a square of 100 by 100: road signs of the Vienna Convention (red ring: prohibition, blue disc:
 * mandatory, triangle: danger), the lorry in side view.
 */

const LORRY = (colour: string) => `
  <g fill="${colour}">
    <path d="M22 38h34v24H22z"/>
    <path d="M58 44h11l9 9v9H58z"/>
    <circle cx="32" cy="65" r="5.5"/><circle cx="48" cy="65" r="5.5"/><circle cx="68" cy="65" r="5.5"/>
  </g>`
const RING = '<circle cx="50" cy="50" r="45" fill="#0b0d0f" stroke="#ff2d2d" stroke-width="9"/>'
const DISC = '<circle cx="50" cy="50" r="48" fill="#1f5fd0" stroke="#fff" stroke-width="2.5"/>'
const TRIANGLE = '<path d="M50 6 96 90H4z" fill="#0b0d0f" stroke="#ff2d2d" stroke-width="8" stroke-linejoin="round"/>'
const number = (text: string, colour: string) =>
  `<text x="50" y="65" text-anchor="middle" font-family="Barlow Semi Condensed" font-weight="600" font-size="42"
    fill="${colour}">${text}</text>`

export const pictograms = {
  /** To the scale: a lorry on a platform, with an arrow to the right. */
  weigh: `${DISC}${LORRY('#fff')}<path d="M20 74h60v4H20z" fill="#fff"/>
    <path d="M50 14l12 10-12 10v-6H36v-8h14z" fill="#fff"/>`,
  'lorries-forbidden': `${RING}${LORRY('#ffb21a')}`,
  'overtaking-forbidden': `${RING}<g transform="translate(2 21) scale(.56)">${LORRY('#ff2d2d')}</g>
    <g transform="translate(38 21) scale(.56)">${LORRY('#ffb21a')}</g>`,
  'speed-50': `${RING}${number('50', '#ffb21a')}`,
  'speed-70': `${RING}${number('70', '#ffb21a')}`,
  danger: `${TRIANGLE}<path d="M46 34h8l-2 30h-4z" fill="#ffb21a"/><circle cx="50" cy="74" r="5" fill="#ffb21a"/>`,
  control: `${RING}<path d="M14 46h72v9H14z" fill="#ff2d2d"/>
    <text x="50" y="38" text-anchor="middle" font-family="Barlow Semi Condensed" font-weight="600" font-size="15"
      fill="#ffb21a">KONTROLA</text>
    <text x="50" y="75" text-anchor="middle" font-family="Barlow Semi Condensed" font-weight="600" font-size="15"
      fill="#ffb21a">ITD</text>`,
  'exit-right': `${DISC}<path d="M30 74V52q0-14 14-14h14v-12l22 18-22 18V50H46q-4 0-4 4v20z" fill="#fff"/>`,
} as const satisfies Record<PictogramName, string>

type Pictogram = keyof typeof pictograms

export const isPictogram = (name: string): name is Pictogram => Object.hasOwn(pictograms, name)
