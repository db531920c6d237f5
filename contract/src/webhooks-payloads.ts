import { z } from 'zod'
import { resultNumbers } from './inspections.ts'
import { healthKinds } from './tickets.ts'
import { TEST_EVENT, type WebhookEventType } from './webhooks.ts'
import { instant } from './wire.ts'

/*
 * What the portal posts to subscriptions, by type of event: for the OpenAPI document and for programs that receive it. New
 * fields may come.
 */

const station = { locationId: z.int() }
const plate = {
  /** Only for subscriptions with plates, while the vehicle is stored. */
  plateLpr: z.string().nullable().optional(),
  nationality: z.string().nullable().optional(),
}
/** Identifies a vehicle, `GET /arch-vehicles/{vehicleId}`. */
const passage = { vehicleId: z.int(), createdAt: instant }
const percent = z.number()

/** Data of each type of event. */
const data = {
  'vehicle.overloaded': z.object({
    ...station,
    ...passage,
    laneNumber: z.int(),
    /** Null or 6: not classified. */
    ctg8p1: z.int().nullable(),
    /** kg */
    totalLoad: z.int().nullable(),
    limitTotalLoad: z.int().nullable(),
    /** Percent over the limit of the worst single axle, axle group, and of the total; 0 within it. */
    overloadSA: percent,
    overloadMA: percent,
    overloadTL: percent,
    ...plate,
  }),
  'wanted.hit': z.object({
    ...station,
    ...passage,
    laneNumber: z.int(),
    /** Entries of black lists that matched. */
    wantedIds: z.array(z.int()),
    ...plate,
  }),
  'inspection.closed': z.object({
    ...station,
    /** Absent of a vehicle that was not measured. */
    vehicleId: z.int().optional(),
    createdAt: instant.optional(),
    inspectionId: z.int(),
    number: z.string(),
    results: z.array(z.literal(resultNumbers)),
    ...plate,
  }),
  'sign.changed': z.object({
    ...station,
    signId: z.int(),
    groupId: z.int(),
    /** Its name. */
    sign: z.string(),
    command: z.enum(['variant', 'clear', 'plate', 'restore']),
    /** What the sign shows now, with the description of its content or the vehicle instead of the plate. */
    shows: z.object({ shows: z.string(), content: z.string().optional(), vehicle: z.int().optional() }),
  }),
  'station.health': z.object({
    ...station,
    /** Null: of the station. */
    laneNumber: z.int().nullable(),
    check: z.enum(healthKinds),
    state: z.enum(['failing', 'ok']),
  }),
  'certificate.ending': z.object({
    /** Absent of a scale. */
    locationId: z.int().optional(),
    laneNumber: z.int().nullable(),
    scale: z.string().nullable(),
    /** Last valid day; null: none. */
    lastDay: z.iso.date().nullable(),
    level: z.enum(['ended', 'days7', 'days30', 'days90']),
  }),
  [TEST_EVENT]: z.object({}),
} satisfies Record<WebhookEventType | typeof TEST_EVENT, z.ZodType>

type EventType = keyof typeof data

/** A body, by type of event. */
export const webhookPayloads = Object.fromEntries(
  Object.entries(data).map(([type, schema]) => [
    type,
    z.object({
      type: z.literal(type),
      /** When it happened; the same at every attempt. */
      timestamp: instant,
      data: schema,
    }),
  ]),
) as unknown as {
  [T in EventType]: z.ZodObject<{ type: z.ZodLiteral<T>; timestamp: typeof instant; data: (typeof data)[T] }>
}

/** When each type is sent, and the data of an example. */
export const webhookDocs: {
  [T in EventType]: { summary: string; example: z.input<(typeof data)[T]> }
} = {
  'vehicle.overloaded': {
    summary: 'A vehicle over a limit was stored',
    example: {
      locationId: 7,
      vehicleId: 7696581394433,
      createdAt: '2026-10-20T08:15:24.120Z',
      laneNumber: 1,
      ctg8p1: 9,
      totalLoad: 46900,
      limitTotalLoad: 40000,
      overloadSA: 9.6,
      overloadMA: 0,
      overloadTL: 9.5,
    },
  },
  'wanted.hit': {
    summary: 'A vehicle on a black list was stored',
    example: {
      locationId: 7,
      vehicleId: 7696581394434,
      createdAt: '2026-10-20T08:16:02.480Z',
      laneNumber: 2,
      wantedIds: [12],
      plateLpr: 'WGM4K281',
      nationality: 'PL',
    },
  },
  'inspection.closed': {
    summary: 'An inspection was closed',
    example: {
      locationId: 7,
      vehicleId: 7696581394433,
      createdAt: '2026-10-20T08:15:24.120Z',
      inspectionId: 31,
      number: 'K/31/2026/TES',
      results: [3, 6],
    },
  },
  'sign.changed': {
    summary: 'A sign has executed a command',
    example: {
      locationId: 7,
      signId: 2,
      groupId: 1,
      sign: 'S8 Test · S8 2+000 · #2',
      command: 'variant',
      shows: { shows: 'content', content: 'Zjazd do kontroli' },
    },
  },
  'station.health': {
    summary: 'A check of a station fails, or is OK again',
    example: { locationId: 7, laneNumber: 2, check: 'lane-silent', state: 'failing' },
  },
  'certificate.ending': {
    summary: 'A certificate ends in 90, 30 or 7 days, or has ended',
    example: { locationId: 7, laneNumber: 1, scale: null, lastDay: '2026-11-19', level: 'days30' },
  },
  [TEST_EVENT]: { summary: 'A test, sent on request', example: {} },
}
