/** Thousandths of the font size, in IBM Plex Sans between regular and semi-bold; letters without their accents. */
const ADVANCES: [number, string][] = [
  [250, " 'ij"],
  [290, ',.l!:;ł'],
  [330, '[]()f|'],
  [370, 't{}r'],
  [410, '-/\\I"'],
  [490, 'z?*csv'],
  [520, 'JLxyŁagk'],
  [570, 'F_eohnuTZ–'],
  [610, '$+0123456789<=>ES^`bdpq~−×PVY'],
  [650, 'CXABKR'],
  [700, '#DU&GHNOQ'],
  [840, 'wM…'],
  [900, 'mW@%—'],
]

const advances = new Map(ADVANCES.flatMap(([advance, chars]) => [...chars].map((char) => [char, advance] as const)))
const OTHER = 600

/** Accents do not change the width; a no-break space is as wide as a space. */
function advanceOf(char: string): number {
  const known = advances.get(char)
  if (known !== undefined) return known
  const plain = char === '\u00a0' || char === '\u202f' ? ' ' : char.normalize('NFD').charAt(0)
  const advance = advances.get(plain) ?? OTHER
  advances.set(char, advance)
  return advance
}

/** Estimated width of a text at a font size in px, for use without a canvas. */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const char of text) width += advanceOf(char)
  return (width * size) / 1000
}
