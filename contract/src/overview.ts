import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { signFaults } from './vms.ts'
import { instant } from './wire.ts'

/** Sides on which a figure is outside its usual band. */
export const unusualSides = ['low', 'high'] as const
export type UnusualSide = (typeof unusualSides)[number]

/**
 * Vehicles that the station usually registers in such an hour: the median, and the band from the 10th to the 90th
 * percentile, of the same quarter of the hour on comparable days of the last 8 weeks.
 */
const usualVehicles = z.object({
  median: z.int(),
  low: z.int(),
  high: z.int(),
  /** Number of comparable days, at least 3. */
  days: z.int(),
})

const perHour = z.object({
  /** Vehicles of the last 60 full minutes; null while the station is silent, or if they could not be counted. */
  vehicles: z.int().nullable(),
  /** Null with fewer than 3 comparable days. */
  usual: usualVehicles.nullable(),
  /**
   * The hour until the end of the last quarter of an hour and each of its last two quarters are outside their bands on
   * this side, the hour by 20 vehicles or more from its median; null: usual, or not known.
   */
  unusual: z.enum(unusualSides).nullable(),
})

/** The vehicles over 3.5 t of the last 60 full minutes. */
const overloaded = z.object({
  /** Vehicles that were weighed; null while the station is silent, or if they could not be counted. */
  weighed: z.int().nullable(),
  /** Share of them with an exceeded load limit, in percent with one decimal; null with fewer than 20 weighed. */
  percent: z.number().nullable(),
  /** Median share on comparable days, in percent; null with fewer than 3 such days with 20 weighed. */
  usual: z.number().nullable(),
})

/** State of the signs of a station, worst first. */
export const signsStates = ['fault', 'unavailable', 'lit', 'available'] as const
export type SignsState = (typeof signsStates)[number]

const overviewSigns = z.object({
  /** The worst of all signs. */
  state: z.enum(signsStates),
  /** Signs that respond without a fault. */
  working: z.int(),
  total: z.int(),
  /** Number in its group of the first sign in this state; null for `available`. */
  signNumber: z.int().nullable(),
  /** Faults of this sign; empty unless `fault`. */
  faults: z.array(z.enum(signFaults)),
  /**
   * What this sign shows, only for `lit`. Of a content the text as on the sign, or its description if it is only a
   * pictogram; of others null, as they may contain a plate.
   */
  shows: z.object({ kind: z.enum(['content', 'plate', 'trucks', 'other']), text: z.string().nullable() }).nullable(),
})
export type OverviewSigns = z.output<typeof overviewSigns>

export const overviewStation = z.object({
  locationId: z.int(),
  /** Time of its newest vehicle; null: it has never sent one. */
  lastMessageAt: instant.nullable(),
  /** `lastMessageAt` of a station that has been silent for longer than its limit; null: it sends, or never sent. */
  silentSince: instant.nullable(),
  /** Minutes of silence after which the station counts as silent. */
  silentAfterMinutes: z.int(),
  perHour,
  overloaded,
  /** Open hits of black lists that the caller may see and whose countdown has not ended; null: unknown. */
  wanted: z.int().nullable(),
  /** Open tickets of the station; null without the right Tickets, or unknown. */
  tickets: z.int().nullable(),
  /** Null without signs, or unknown. */
  signs: overviewSigns.nullable(),
})
export type OverviewStation = z.output<typeof overviewStation>
export type WireOverviewStation = z.input<typeof overviewStation>

/** Parts of the overview that may be missing although the rest is known. */
export const overviewParts = ['traffic', 'usual', 'wanted', 'tickets', 'signs'] as const
export type OverviewPart = (typeof overviewParts)[number]

export const overview = endpoint({
  method: 'GET',
  path: '/overview',
  access: 'CurrentMeasurements',
  device: true,
  system: true,
  summary: 'Returns the condition of all stations: silence, traffic against the usual, overloads, hits, tickets, signs',
  response: z.object({
    /** Time of the state; it may be some seconds old. */
    at: instant,
    /** Parts that could not be read in time: their figures are null. */
    missing: z.array(z.enum(overviewParts)),
    /** By ascending id. */
    stations: z.array(overviewStation),
  }),
})
export type Overview = z.output<(typeof overview)['response']>
export type WireOverview = z.input<(typeof overview)['response']>
