import { maskPlate } from '../vehicle/anonymity.ts'

/** Replacement for values that could identify a vehicle. */
const HIDDEN = '***'

const NUMBERS = ['sequence', 'laneNumber', 'speed', 'vehLength', 'vehHeight', 'ctg8p1', 'ctg323']
const AXLE_NUMBERS = ['type', 'leftWeight', 'rightWeight', 'gap']

type Mask = (value: unknown) => unknown

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Hides values that may identify a vehicle; null stays, to show that the value is missing. */
const maskUnless =
  (isHarmless: (value: unknown) => boolean): Mask =>
  (value) =>
    value === null || isHarmless(value) ? value : HIDDEN

const textMatching = (form: RegExp) => maskUnless((value) => typeof value === 'string' && form.test(value))
const number = maskUnless((value) => typeof value === 'number')
const flag = maskUnless((value) => typeof value === 'boolean')

const listOf =
  (mask: Mask): Mask =>
  (value) =>
    Array.isArray(value) ? value.map(mask) : maskUnless(() => false)(value)

/** Known fields of a record; others are hidden including their names, which may be plates. */
const fieldsOf =
  (fields: ReadonlyMap<string, Mask>): Mask =>
  (value) => {
    if (!isRecord(value)) return maskUnless(() => false)(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const mask = fields.get(name)
        return mask ? [name, mask(one)] : [HIDDEN, HIDDEN]
      }),
    )
  }

const FIELDS = new Map<string, Mask>([
  ...NUMBERS.map((name): [string, Mask] => [name, number]),
  ['createdAt', textMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/)],
  ['plateLpr', (plate) => (typeof plate === 'string' ? maskPlate(plate) : maskUnless(() => false)(plate))],
  ['nationality', textMatching(/^[A-Z]{1,3}$/)],
  ['wrongDirection', flag],
  ['overlane', flag],
  ['axles', listOf(fieldsOf(new Map(AXLE_NUMBERS.map((name) => [name, number]))))],
  ['shapeSamples', listOf(number)],
  ['euro', fieldsOf(new Map([['production_date', textMatching(/^\d{4}-\d\d-\d\d$/)]]))],
])

/**
 * Anonymises a rejected measurement. Its content is arbitrary, so only harmless values are kept: numbers, flags and
 * times of known fields.
 */
export const anonymiseMeasurement: Mask = fieldsOf(FIELDS)
