import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant, pageQuery, queryId, queryInts, queryTexts, requiredText } from './wire.ts'

/** Who may see alarms: operators all of them, the others those about equipment. */
const READERS = ['CurrentMeasurements', 'UsersAdmin', 'Tickets'] as const

/** To act now, in this shift, in this week. */
export const alarmPriorities = ['high', 'medium', 'low'] as const
export type AlarmPriority = (typeof alarmPriorities)[number]

/** Kinds of alarms, in the order of docs/domain.md. Hits of the black list have alarms of their own (wanted). */
export const alarmKinds = [
  'wrong-way',
  'sign-not-ordered',
  'sign-not-cleared',
  'overload',
  'announced-passing',
  'overheight',
  'station-silent',
  'certificate-ended',
  'certificate-ending',
  'certificate-nearing',
  'lane-silent',
  'images-missing',
  'plates-unreadable',
  'clock-skew',
  'calibration-deviation',
  'class-not-earned',
  'sign-silent',
  'outbox-stuck',
  'evidence-broken',
  'evidence-unchecked',
  'sealing-late',
  'anchors-not-copied',
  'stamps-missing',
  'disk-low',
] as const
export type AlarmKind = (typeof alarmKinds)[number]

/** Cleared: the cause has gone, but nobody has acknowledged it. */
export const alarmStates = ['active', 'acknowledged', 'cleared', 'shelved'] as const
export type AlarmState = (typeof alarmStates)[number]

export const alarm = z.object({
  id: z.int(),
  kind: z.enum(alarmKinds),
  priority: z.enum(alarmPriorities),
  state: z.enum(alarmStates),
  location: z.object({ id: z.int(), shortName: z.string(), roadNumber: z.string() }).nullable(),
  laneNumber: z.int().nullable(),
  /** `number`: its position in the group. */
  sign: z.object({ id: z.int(), number: z.int() }).nullable(),
  /** The plate is masked for users of anonymised data. */
  vehicle: z
    .object({ id: z.int(), createdAt: instant, plateLpr: z.string().nullable(), nationality: z.string().nullable() })
    .nullable(),
  /** Name of a static scale. */
  name: z.string().nullable(),
  /** Excess, share or deviation in percent, days of a certificate, messages, or free megabytes, by kind. */
  value: z.number().nullable(),
  raisedAt: instant,
  /** How often it was raised: again within ten minutes counts up. */
  count: z.int(),
  /** Three times within a minute: it stays silent. */
  isRepeating: z.boolean(),
  /** Makes no sound: low, repeating, or medium in a flood. */
  isSilent: z.boolean(),
  /** End of the countdown of a vehicle. */
  endsAt: instant.nullable(),
  clearedAt: instant.nullable(),
  /** The countdown of its vehicle ended before anybody acknowledged it. */
  isMissed: z.boolean(),
  acknowledged: z.object({ by: z.string(), at: instant }).nullable(),
  /** `reason` is null for users of anonymised data. */
  shelved: z.object({ by: z.string(), until: instant, reason: z.string().nullable() }).nullable(),
  /** For how long the caller may shelve it from now, in minutes; null: not at all. */
  maxShelfMinutes: z.int().nullable(),
})
export type Alarm = z.output<typeof alarm>
export type WireAlarm = z.input<typeof alarm>

export const list = endpoint({
  method: 'GET',
  path: '/alarms',
  access: READERS,
  summary: 'Lists open and shelved alarms in the order of attention; served from memory',
  response: z.object({
    /** To be sent with the next check. */
    version: z.string(),
    content: z.array(alarm),
    /** New alarms of the last ten minutes. */
    lastTenMinutes: z.int(),
    /** Over ten new alarms in ten minutes, until there are under five: medium is silent, low only listed. */
    isFlood: z.boolean(),
    /** When the last alarm left the list; null if it is not empty, or nothing is known. */
    emptySince: instant.nullable(),
    /** End of the current shift. */
    shiftEndsAt: instant,
  }),
  looks: 'visit',
  shows: 'alarms',
})
export type AlarmListResponse = z.output<typeof list.response>
export type WireAlarmList = z.input<typeof list.response>

export const check = endpoint({
  method: 'GET',
  path: '/alarms/check',
  access: READERS,
  summary: 'Tells whether the list of alarms differs from a version; served from memory',
  query: z.object({ version: z.string().max(60).default('') }),
  response: z.object({ refresh: z.boolean() }),
})

const range = z.object({ dateTimeStart: instant, dateTimeEnd: instant })

/** Longest range of figures and history. */
export const MAX_ALARM_DAYS = 92

export const history = endpoint({
  method: 'GET',
  path: '/alarms/history',
  access: READERS,
  summary: 'Lists alarms that were raised in a range, newest first',
  query: range.extend({ kinds: queryTexts.optional(), locations: queryInts.optional() }).extend(pageQuery.shape),
  response: z.object({ content: z.array(alarm), totalCount: z.int() }),
  looks: 'each',
  shows: 'alarms',
})

const share = z.object({ alarms: z.int(), percent: z.number().nullable() })

export const figures = endpoint({
  method: 'GET',
  path: '/alarms/figures',
  access: READERS,
  summary: 'Returns figures of alarms of a range; hits of the black list count as high alarms',
  query: range,
  response: z.object({
    alarms: z.int(),
    /** Mean per ten minutes. */
    perTenMinutes: z.number(),
    /** Ten-minute windows from the start of the range, and those with more than ten alarms. */
    windows: z.int(),
    windowsOverTen: z.int(),
    worstWindow: z.int(),
    priorities: z.object({ high: share, medium: share, low: share }),
    /** Of those that were acknowledged, in seconds. */
    secondsToAcknowledge: z.object({ median: z.number().nullable(), p95: z.number().nullable() }),
    acknowledged: z.int(),
    missed: z.int(),
    mostFrequent: z.array(
      z.object({
        kind: z.enum(alarmKinds),
        location: z.object({ id: z.int(), shortName: z.string() }).nullable(),
        alarms: z.int(),
      }),
    ),
    /** Open for over 24 hours now. */
    standing: z.array(alarm),
  }),
  looks: 'each',
  shows: 'alarms',
})
export type AlarmFigures = z.output<typeof figures.response>
export type WireAlarmFigures = z.input<typeof figures.response>

const byId = z.object({ id: queryId })

export const acknowledge = endpoint({
  method: 'PUT',
  path: '/alarms/:id/acknowledge',
  access: READERS,
  summary: 'Acknowledges an alarm for all; the first of two wins, the other is told by whom',
  params: byId,
  response: z.object({ isFirst: z.boolean(), by: z.string(), at: instant }),
})

export const shelve = endpoint({
  method: 'POST',
  path: '/alarms/:id/shelf',
  access: 'AlarmShelving',
  summary: 'Shelves an alarm with a reason until it returns by itself: high 1 h, others 8 h, wrong way never',
  params: byId,
  body: z.object({ until: instant, reason: requiredText(200) }),
})

export const unshelve = endpoint({
  method: 'DELETE',
  path: '/alarms/:id/shelf',
  access: 'AlarmShelving',
  summary: 'Returns a shelved alarm to the list',
  params: byId,
})
