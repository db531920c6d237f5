import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { reportLink } from './reports.ts'
import { healthKinds, month } from './tickets.ts'
import { vehicleLocation } from './vehicle.ts'
import { instant } from './wire.ts'

/** Who sees the condition of stations; only administrators change its settings. */
const READERS = ['UsersAdmin', 'Tickets'] as const

/** Bad: failing. Unknown: no data. */
const healthStates = ['well', 'bad', 'unknown'] as const
export type HealthState = (typeof healthStates)[number]

/**
 * Evidence of a check, null where not applicable. Times in ISO 8601, shares in percent, clock in seconds (positive: the
 * station is ahead).
 */
export const healthEvidence = z.object({
  lastVehicleTime: instant.nullable(),
  /** Minutes without data, and the number of vehicles expected in this time. */
  silentMinutes: z.int().nullable(),
  expectedVehicles: z.number().nullable(),
  /** Number of evaluated vehicles. */
  vehicles: z.int().nullable(),
  sharePercent: z.number().nullable(),
  clockSeconds: z.number().nullable(),
  deviationPercent: z.number().nullable(),
})
export type HealthEvidence = z.output<typeof healthEvidence>

const healthCheck = z.object({
  kind: z.enum(healthKinds),
  /** Null: the whole station. */
  laneNumber: z.int().nullable(),
  state: z.enum(healthStates),
  checkedAt: instant,
  /** Start of the failure. */
  since: instant.nullable(),
  /** The ticket opened for it. */
  ticketId: z.int().nullable(),
  evidence: healthEvidence,
})
export type HealthCheck = z.output<typeof healthCheck>
export type WireHealthCheck = z.input<typeof healthCheck>

/**
 * Attention: outside what is usual, but no failure. Unknown: not measured, or the station is silent. None: the station has no
 * camera or scale.
 */
export const healthLevels = ['failure', 'attention', 'normal', 'unknown', 'none'] as const
export type HealthLevel = (typeof healthLevels)[number]

const healthFailure = z.object({
  laneNumber: z.int().nullable(),
  /** Last vehicle before it; null if it is not about missing data, or nothing was ever sent. */
  lastVehicleTime: instant.nullable(),
  foundAt: instant,
  /** The ticket opened for it. */
  ticket: z.object({ id: z.int(), number: z.string() }).nullable(),
})
export type HealthFailure = z.output<typeof healthFailure>

/** What is checked at a station, with the measured value. */
const healthCell = z.object({
  kind: z.enum(healthKinds),
  level: z.enum(healthLevels),
  /**
   * Connection: seconds since the last vehicle. Photos and plates: percent of vehicles that have them, of the last 24 hours; of a
   * failure that of the last hour. Clock: seconds (positive: the station is ahead). Calibration: deviation in percent, the largest
   * of its lanes. Null: not measured; connection: nothing was ever sent. Lanes have none.
   */
  value: z.number().nullable(),
  /** The lane of the value. */
  laneNumber: z.int().nullable(),
  /** Open failures, by lane. */
  failures: z.array(healthFailure),
})
export type HealthCell = z.output<typeof healthCell>
export type WireHealthCell = z.input<typeof healthCell>

export const stationHealth = z.object({
  location: vehicleLocation,
  lastVehicleTime: instant.nullable(),
  state: z.enum(healthStates),
  /** The worst of its cells; not measured counts as normal. */
  level: z.enum(['failure', 'attention', 'normal']),
  /** By kind, in the order of the table. */
  cells: z.array(healthCell),
  lanes: z.array(z.object({ laneNumber: z.int(), level: z.enum(healthLevels) })),
  /** Checks of the station first, then by lane; empty before the first check. */
  checks: z.array(healthCheck),
})
export type StationHealth = z.output<typeof stationHealth>
export type WireStationHealth = z.input<typeof stationHealth>

export const health = endpoint({
  method: 'GET',
  path: '/station-health',
  access: READERS,
  summary: 'Lists the check results of stations that are not closed: failures, then attention, then by name',
  response: z.array(stationHealth),
})

export const healthSettings = z.object({
  /** Whether failures open tickets automatically. */
  autoOpen: z.boolean(),
  /** Whether tickets are closed when the failure ends. */
  autoClose: z.boolean(),
  /** Availability that the contract asks for, in percent with one decimal; null: none. Absent in a change: it stays. */
  contractPercent: z
    .number('invalid-number')
    .min(0.1, 'value-too-small')
    .max(100, 'value-too-large')
    .multipleOf(0.1, 'invalid-number')
    .nullable()
    .optional(),
})
export type HealthSettings = z.output<typeof healthSettings>

export const readHealthSettings = endpoint({
  method: 'GET',
  path: '/station-health/settings',
  access: 'UsersAdmin',
  summary:
    'Returns whether station failures open and close tickets automatically, and the availability under the contract',
  response: healthSettings,
})

export const changeHealthSettings = endpoint({
  method: 'PUT',
  path: '/station-health/settings',
  access: 'UsersAdmin',
  summary:
    'Sets whether station failures open and close tickets automatically, and the availability under the contract',
  body: healthSettings,
  response: healthSettings,
})

/** The worst state of a day; none: it does not count. */
export const dayStates = ['failure', 'attention', 'normal', 'none'] as const
export type DayState = (typeof dayStates)[number]

/** Minutes are full ones. */
const share = z.object({
  /** From the first vehicle to now, without planned stops and the time in which the portal did not watch. */
  countedMinutes: z.int(),
  /** Of these with a normal connection. */
  normalMinutes: z.int(),
  /** Normal of counted, rounded down to a tenth; null: nothing counts. */
  percent: z.number().nullable(),
})

const stationAvailability = share.extend({
  location: vehicleLocation,
  /** The station was closed. */
  stoppedMinutes: z.int(),
  unwatchedMinutes: z.int(),
  /** Less than the contract asks for; null without a contract or a percentage. */
  isBelowContract: z.boolean().nullable(),
  /** Days of the month up to now, by number from 1. */
  days: z.array(z.enum(dayStates)),
})
export type StationAvailability = z.output<typeof stationAvailability>
export type WireStationAvailability = z.input<typeof stationAvailability>

export const availability = endpoint({
  method: 'GET',
  path: '/station-health/availability',
  access: READERS,
  summary:
    'Returns the availability of each station in a month, and the worst state of its days; without a month, in this one',
  query: month.partial(),
  response: z.object({
    /** The month of the response (Europe/Warsaw). */
    year: z.int(),
    month: z.int(),
    /** Time up to which it is counted. */
    asOf: instant,
    /** Since when the portal watches stations; null: not yet. */
    watchedSince: instant.nullable(),
    contractPercent: z.number().nullable(),
    /** What a PDF of the month says about its signature now, to predict its length; null: the portal signs nothing. */
    signature: z.string().nullable(),
    total: share,
    /** By name; without stations that were closed all the time. */
    stations: z.array(stationAvailability),
  }),
})
export type MonthAvailability = z.output<typeof availability.response>
export type WireMonthAvailability = z.input<typeof availability.response>

/** Document, workbook, table. */
export const availabilityReports = ['pdf', 'xlsx', 'csv'] as const

export const availabilityReport = endpoint({
  method: 'GET',
  path: '/station-health/availability/report',
  access: READERS,
  summary: 'Creates a report of the availability of all stations in a month; returns a link',
  query: month.extend({ reportType: z.enum(availabilityReports).default('pdf') }),
  response: reportLink,
  rate: 'report',
})
