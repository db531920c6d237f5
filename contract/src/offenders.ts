import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { resultNumbers } from './inspections.ts'
import { inspectionStates, offenderGroups, offenderSorts } from './options.ts'
import {
  day,
  instant,
  pageQuery,
  queryFlag,
  queryId,
  queryInt,
  queryInts,
  requiredText,
  sortDirections,
} from './wire.ts'

/** Weekly counts of a row. */
export const OFFENDER_WEEKS = 12

const carrier = z.object({
  /** Stands for the tax id, else the name in lower case, without telling it. */
  key: z.string(),
  name: z.string(),
  taxId: z.string().nullable(),
})

const figures = z.object({
  passages: z.int(),
  overloads: z.int(),
  /** Percent of the passages. */
  share: z.number(),
  /** Largest excess in percent over the limit. */
  worst: z.number(),
  /** Of the last passage. */
  lastSeen: instant,
})

const inspection = z.object({
  id: z.int(),
  number: z.string(),
  state: z.enum(inspectionStates),
  announcedAt: instant,
  results: z.array(z.literal(resultNumbers)),
  /** A static load exceeded its limit for sure; null while not weighed. */
  confirmed: z.boolean().nullable(),
})
export type OffenderInspection = z.output<typeof inspection>

const offender = figures.extend({
  /** Null in a list of carriers. */
  vehicle: z
    .object({
      id: z.int(),
      /** Letters and digits only. */
      plate: z.string(),
      /** ISO 3166 code; null if unknown. */
      country: z.string().nullable(),
      /** Number of other spellings that were joined. */
      joined: z.int(),
    })
    .nullable(),
  /** Day of the third overload on different days within 12 months; null if there is none, and in a list of carriers. */
  offenderSince: day.nullable(),
  /** Of the latest inspection with a carrier. */
  carrier: carrier.nullable(),
  /** Number of vehicles; 1 in a list of plates. */
  vehicles: z.int(),
  /** Overloads of 12 weeks from Monday, the last that of `until`, else the current one. */
  weeks: z.array(z.int()),
  inspections: z.int(),
  lastInspection: inspection.nullable(),
})
export type Offender = z.output<typeof offender>

const spelling = z.object({
  plate: z.string(),
  country: z.string().nullable(),
  /** Of these the vehicle's `passages` consist. */
  passages: z.int(),
  /** As sent by stations, with the nationality: `plates` of a search of the archive. */
  readings: z.array(z.string()),
  /** Null: the spelling of the vehicle itself. */
  joined: z
    .object({
      to: z.string(),
      /** 1 same form, 2 Polish grammar, 3 letters and digits that look alike, 4 one character. */
      rule: z.literal([1, 2, 3, 4]),
      /** Of this spelling and the other when they were joined; spacing of the first axles and lengths in cm. */
      counts: z.tuple([z.int(), z.int()]),
      firstAxleGaps: z.tuple([z.int(), z.int()]).nullable(),
      lengths: z.tuple([z.int(), z.int()]).nullable(),
    })
    .nullable(),
})

const counted = { passages: z.int(), overloads: z.int() }

const passage = z.object({
  id: z.int(),
  createdAt: instant,
  location: z.object({ id: z.int(), shortName: z.string() }),
  plateLpr: z.string(),
  totalLoad: z.int().nullable(),
  overload: z.boolean(),
  /** Largest excess in percent; null without a scale. */
  excess: z.number().nullable(),
})
export type OffenderPassage = z.output<typeof passage>

const detail = figures.extend({
  id: z.int(),
  plate: z.string(),
  country: z.string().nullable(),
  carrier: carrier.nullable(),
  firstSeen: day,
  /** Day of the third overload on different days within 12 months; null if there is none. */
  offenderSince: day.nullable(),
  /** The vehicle's own spelling first. */
  spellings: z.array(spelling),
  /** Months with passages, the latest first. */
  months: z.array(z.object({ month: z.string(), ...counted })),
  /** The latest first. */
  lastPassages: z.array(passage),
  /** With most passages first. */
  stations: z.array(z.object({ location: z.object({ id: z.int(), shortName: z.string() }), ...counted })),
  /** The latest first. */
  inspections: z.array(inspection),
})
export type OffenderDetail = z.output<typeof detail>

const carrierDetail = figures.extend({
  carrier,
  /** With most overloads first. */
  vehicles: z.array(
    figures.extend({ id: z.int(), plate: z.string(), country: z.string().nullable(), joined: z.int() }),
  ),
  /** The latest first. */
  lastPassages: z.array(passage),
  /** The latest first. */
  inspections: z.array(inspection),
})
export type CarrierDetail = z.output<typeof carrierDetail>

const byId = z.object({ id: queryId })

export const list = endpoint({
  method: 'GET',
  path: '/offenders',
  access: 'Offenders',
  summary: 'Lists vehicles, or carriers, with a minimum number of overloads; never to users of anonymised data',
  query: pageQuery.extend({
    /** First and last day, both included; without them all that is stored. */
    from: day.optional(),
    until: day.optional(),
    locations: queryInts.optional(),
    groupBy: z.enum(offenderGroups).default('plate'),
    minOverloads: queryInt.pipe(z.int().min(1).max(1_000)).default(3),
    /** Only vehicles with overloads on 3 days within 12 months; of carriers only these count. */
    repeatOnly: queryFlag.default(false),
    orderBy: z.enum(offenderSorts).default('overloads'),
    orderDirection: z.enum(sortDirections).default('desc'),
  }),
  response: z.object({
    content: z.array(offender),
    totalCount: z.int(),
    /** Of all pages. */
    totalOverloads: z.int(),
    /** End of the last hour up to which all vehicles were counted; null before the first count. */
    countedUntil: instant.nullable(),
  }),
  looks: 'each',
  shows: 'offenders',
})

export const read = endpoint({
  method: 'GET',
  path: '/offenders/:id',
  access: 'Offenders',
  summary:
    'Returns a vehicle that was overloaded: spellings with the reason of each join, months, stations, inspections',
  params: byId,
  response: detail,
  looks: 'each',
  shows: 'offenders',
})

export const readCarrier = endpoint({
  method: 'GET',
  path: '/offenders/carrier',
  access: 'Offenders',
  summary: 'Returns a carrier with its vehicles that were overloaded, their last passages, and inspections',
  query: z.object({ key: requiredText(200) }),
  response: carrierDetail,
  looks: 'each',
  shows: 'offenders',
})

export const split = endpoint({
  method: 'POST',
  path: '/offenders/:id/split',
  access: 'Offenders',
  summary: 'Splits a joined spelling off a vehicle, for good; returns its own vehicle',
  params: byId,
  /** Without a country: the plate in every country. */
  body: z.object({ plate: requiredText(40), country: z.string().max(2, 'text-too-long').nullish() }),
  response: z.object({ id: z.int() }),
})
