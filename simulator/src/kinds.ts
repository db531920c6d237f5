/*
 * Kinds and axle layouts of vehicles. A layout lists the axle groups from front to rear:
 * 1 a single axle, 2 a tandem, 3 a tridem. A letter follows where the digits alone would be ambiguous:
 * m motorcycle, c car, v van, t light vehicle with a trailer, b bus, r rigid lorry with a centre-axle trailer.
 */

export const kinds = [
  'motorcycle',
  'car',
  'car-trailer',
  'van',
  'van-trailer',
  'bus',
  'lorry',
  'articulated',
  'road-train',
] as const
export type Kind = (typeof kinds)[number]

export type Layout =
  | '11m'
  | '11c'
  | '11v'
  | '111t'
  | '112t'
  | '11b'
  | '12b'
  | '11'
  | '12'
  | '22'
  | '111'
  | '112'
  | '113'
  | '122'
  | '123'
  | '112r'
  | '1111'
  | '1211'

/**
 * Layouts of each kind with their relative frequencies. Lorries follow docs/domain.md (113 42 %, 11 20 %, 112 12 %, 12 8 %, 22 5 %,
 * the rest about 2.5 % each); 111 and 123 make up the rest.
 */
export const layouts: Record<Kind, readonly (readonly [Layout, number])[]> = {
  motorcycle: [['11m', 1]],
  car: [['11c', 1]],
  'car-trailer': [
    ['111t', 0.65],
    ['112t', 0.35],
  ],
  van: [['11v', 1]],
  'van-trailer': [
    ['111t', 0.3],
    ['112t', 0.7],
  ],
  bus: [
    ['11b', 0.75],
    ['12b', 0.25],
  ],
  lorry: [
    ['11', 20],
    ['12', 8],
    ['22', 5],
  ],
  articulated: [
    ['113', 42],
    ['112', 12],
    ['122', 2.5],
    ['111', 1.5],
    ['123', 1.5],
  ],
  'road-train': [
    ['112r', 2.5],
    ['1111', 2.5],
    ['1211', 2.5],
  ],
}

const HEAVY: readonly Kind[] = ['bus', 'lorry', 'articulated', 'road-train']

/** Over 3.5 t. */
export const isHeavy = (kind: Kind): boolean => HEAVY.includes(kind)

/** Subject to the lower speed limit: heavy, or with a trailer. */
export const isSlow = (kind: Kind): boolean => isHeavy(kind) || kind.endsWith('-trailer')

/** Category of TLS 8+1 (docs/domain.md). */
export const ctg8p1Of: Record<Kind, number> = {
  motorcycle: 10,
  car: 7,
  'car-trailer': 2,
  van: 11,
  'van-trailer': 2,
  bus: 5,
  lorry: 3,
  articulated: 9,
  'road-train': 8,
}

/** Category of COST 323 (docs/domain.md). */
export const ctg323Of = (kind: Kind, layout: Layout): number => {
  if (kind === 'motorcycle') return 8
  if (kind === 'bus') return 7
  if (kind === 'road-train') return 6
  if (kind === 'articulated') return layout === '113' || layout === '123' ? 5 : 4
  if (kind === 'lorry') return layout === '11' ? 2 : 3
  return 1
}
