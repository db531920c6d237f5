import { z } from 'zod'
import { scaleKinds } from './options.ts'

/*
 * Static weights of a vehicle, which its detail and its inspections show.
 */

/** A static load with its limit, kg; null without a limit. */
const weighed = z.object({ load: z.int(), limit: z.int().nullable() })

/** A load that exceeds its limit for sure: with the accuracy of the scale deducted. */
const excess = z.object({
  kind: z.enum(['gross', 'group', 'axle']),
  /** Numbers of the axles, from 1; empty for the gross weight. */
  axles: z.array(z.int()),
  load: z.int(),
  /** The load that is certain, kg. */
  certain: z.int(),
  limit: z.int(),
  /** Percent of the certain load over the limit. */
  percent: z.number(),
})
export type Excess = z.output<typeof excess>

const minMax = z.object({ min: z.number().optional(), max: z.number().optional() })
const kind = z.enum([
  'motorcycle',
  'car',
  'carWithTrailer',
  'van',
  'rigid',
  'roadTrain',
  'articulated',
  'bus',
  'unclassified',
])

/** Legal limits of loads, kg, by which static weights are judged: of ordered rules the first that applies decides. */
export const loadLimits = z.object({
  gross: z.array(
    z.object({
      kinds: z.array(kind).optional(),
      /** Number of axles. */
      axles: minMax.optional(),
      articulatedBus: z.boolean().optional(),
      /** The widest spacing of the trailer, cm. */
      trailerGap: minMax.optional(),
      limit: z.number().nullable(),
    }),
  ),
  axle: z.object({ driving: z.number(), nonDriving: z.number() }),
  /** `gap`: the widest spacing of the group, cm. */
  group: z.array(z.object({ part: z.enum(['motor', 'trailer']), axles: z.number(), gap: minMax, limit: z.number() })),
})

export const weighing = z.object({
  gross: weighed,
  /** Of the axles on the ground; null if groups or the whole vehicle were weighed. */
  axles: z.array(weighed).nullable(),
  /** Numbers of the axles that were not on the ground, from 1; absent if none was lifted. */
  lifted: z.array(z.int()).optional(),
  /** cm between all axles, lifted ones included; null if unknown. */
  gaps: z.array(z.int()).nullable(),
  /** By spacing, or as weighed; a group of one is a single axle. Empty if unknown. */
  groups: z.array(weighed.extend({ axles: z.array(z.int()) })),
  /** The scale with the certificate of that day; without one, with that from the latest day. */
  scale: z.object({
    id: z.int(),
    name: z.string(),
    certificate: z.string(),
    authority: z.string(),
    validFrom: z.iso.date(),
    validUntil: z.iso.date(),
    accuracyPercent: z.number(),
    kind: z.enum(scaleKinds),
  }),
  /** Whether its certificate was valid on the day of the weighing; if not, nothing is confirmed. */
  isScaleValid: z.boolean(),
  excesses: z.array(excess),
})
export type Weighing = z.output<typeof weighing>
