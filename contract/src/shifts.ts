import { z } from 'zod'
import { alarm, alarmKinds } from './alarms.ts'
import { endpoint } from './endpoint.ts'
import { apiError } from './errors.ts'
import { inspectionStates } from './options.ts'
import { ticketStatuses } from './tickets.ts'
import { hitReasons } from './wanted.ts'
import { owner, userAction } from './wanted-hits.ts'
import { instant, rangeEnd } from './wire.ts'

/** Who may see a part of the report: each part needs the rights of its own page. */
export const SHIFT_REPORT = [
  'CurrentMeasurements',
  'UsersAdmin',
  'Tickets',
  'Vms',
  'WantedList',
  'BlackList',
  'Inspections',
  'InspectionReview',
] as const

/** Rows of a list in the report; its counts are of all. */
export const MAX_SHIFT_ROWS = 200

const station = z.object({ id: z.int(), shortName: z.string() })

/**
 * What became of a wanted vehicle. `approaching`: nobody has taken it, but it has not passed; `untaken`: it has. `late`: it was
 * received over an hour after its measurement, and was never open.
 */
export const shiftOutcomes = ['approaching', 'untaken', 'late', 'taken', 'closed', 'false'] as const

const shiftHit = z.object({
  /** Vehicle id. */
  id: z.int(),
  /** Time of the vehicle's measurement, which the shift contains. */
  createdAt: instant,
  location: station,
  laneNumber: z.int(),
  /** As the camera read it. */
  plateLpr: z.string(),
  nationality: z.string().nullable(),
  checkpointTime: instant.nullable(),
  /** The entries visible to the caller, oldest first. */
  entries: z.array(z.object({ id: z.int(), plateLpr: z.string(), description: z.string() })),
  outcome: z.enum(shiftOutcomes),
  /** Who took it last. */
  taken: userAction.nullable(),
  /** `reason`: why it is not the wanted vehicle; null if it is, or none was given. */
  closed: userAction.extend({ reason: z.enum(hitReasons).nullable() }).nullable(),
})
export type ShiftHit = z.output<typeof shiftHit>
export type WireShiftHit = z.input<typeof shiftHit>

const shiftAlarms = z.object({
  /** Raised in the shift, by priority; a vehicle whose countdown ended before anybody acknowledged it is missed. */
  raised: z.object({ high: z.int(), medium: z.int(), low: z.int() }),
  missed: z.int(),
  /** Acknowledgements in the shift, whenever the alarm was raised. */
  acknowledged: z.int(),
  /** Alarms shelved in the shift; `reason` is null for users of anonymised data. */
  shelved: z.array(
    userAction.extend({
      kind: z.enum(alarmKinds),
      /** The station or scale; the portal for what belongs to none. */
      subject: z.string(),
      until: instant,
      reason: z.string().nullable(),
    }),
  ),
  shelvedCount: z.int(),
  /** Not settled at the end of the shift, or now, in the order of attention and as they were then; not whether shelved. */
  open: z.array(alarm),
  openCount: z.int(),
})
export type ShiftAlarms = z.output<typeof shiftAlarms>
export type WireShiftAlarms = z.input<typeof shiftAlarms>

const shiftTicket = z.object({
  id: z.int(),
  /** Counted per year of the report: `12/2026`. */
  number: z.string(),
  title: z.string(),
  status: z.enum(ticketStatuses),
  location: station.nullable(),
  createdAt: instant,
  closedAt: instant.nullable(),
})
export type ShiftTicket = z.output<typeof shiftTicket>
export type WireShiftTicket = z.input<typeof shiftTicket>

const shiftCommand = z.object({
  id: z.int(),
  at: instant,
  by: owner,
  location: station,
  sign: z.object({ id: z.int(), number: z.int(), roadNumber: z.string(), chainage: z.string() }),
  /** A variant, off, a vehicle, or off again after the vehicle. */
  kind: z.enum(['variant', 'clear', 'plate', 'restore']),
  /** Its present name; null for other commands. */
  variant: z.string().nullable(),
  /** The vehicle shown or removed; masked for users of anonymised data. */
  plateLpr: z.string().nullable(),
  allTrucks: z.boolean(),
  /** Null: not yet known. */
  done: z.boolean().nullable(),
  error: apiError.nullable(),
})
export type ShiftCommand = z.output<typeof shiftCommand>
export type WireShiftCommand = z.input<typeof shiftCommand>

const shiftInspection = z.object({
  id: z.int(),
  /** K/7/2026/ZAB */
  number: z.string(),
  state: z.enum(inspectionStates),
  location: station,
  plateLpr: z.string().nullable(),
  nationality: z.string().nullable(),
  /** Its steps, in this shift or another. */
  announced: userAction.nullable(),
  takenOver: userAction.nullable(),
  closed: userAction.nullable(),
  withdrawn: userAction.nullable(),
  /** `by` is null if the server noticed it. */
  passedBy: z.object({ at: instant, by: owner.nullable() }).nullable(),
})
export type ShiftInspection = z.output<typeof shiftInspection>
export type WireShiftInspection = z.input<typeof shiftInspection>

export const report = endpoint({
  method: 'GET',
  path: '/shifts/report',
  access: SHIFT_REPORT,
  summary:
    'Returns what happened in a shift: wanted vehicles and who took them, alarms, failure reports, commands to signs, ' +
    'inspections. Parts that the caller may not see are null',
  query: z.object({
    /** An instant of the shift; default: now. Not in the future, and not before what is kept. */
    at: rangeEnd.optional(),
  }),
  response: z.object({
    /** [from, to), by the times at which shifts begin now. */
    from: instant,
    to: instant,
    /** Start of the shift before; null: its data may be deleted. */
    previous: instant.nullable(),
    /** Start of the shift after; null: it has not begun. */
    next: instant.nullable(),
    /** The end of the shift, or now: open alarms are those of this time. What has become of hits and inspections is the state of now. */
    asOf: instant,
    /** Vehicles on visible black-list entries, newest first. */
    hits: z
      .object({
        content: z.array(shiftHit),
        totalCount: z.int(),
        counts: z.object({
          approaching: z.int(),
          untaken: z.int(),
          late: z.int(),
          taken: z.int(),
          closed: z.int(),
          false: z.int(),
        }),
      })
      .nullable(),
    alarms: shiftAlarms.nullable(),
    /** Opened or closed in the shift, oldest first. */
    tickets: z
      .object({ content: z.array(shiftTicket), totalCount: z.int(), opened: z.int(), closed: z.int() })
      .nullable(),
    /** Commands of users, oldest first; not those by which the portal itself clears a sign. */
    commands: z.object({ content: z.array(shiftCommand), totalCount: z.int(), failed: z.int() }).nullable(),
    /**
     * Announced, taken over, closed, withdrawn or passed by in the shift, by the last of each step, oldest first: open ones and own
     * ones, with InspectionReview all.
     */
    inspections: z
      .object({
        content: z.array(shiftInspection),
        totalCount: z.int(),
        announced: z.int(),
        takenOver: z.int(),
        closed: z.int(),
        withdrawn: z.int(),
        passedBy: z.int(),
      })
      .nullable(),
  }),
  looks: 'each',
  shows: 'shift',
})
export type ShiftReport = z.output<typeof report.response>
export type WireShiftReport = z.input<typeof report.response>
