import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { apiError } from './errors.ts'
import { vehicleParams } from './vehicle.ts'
import { instant, queryFlag, queryId, queryInts } from './wire.ts'

/** Condition of a sign, for its icon: an unavailable sign does not respond, one with a malfunction reports a fault. */
export const signConditions = ['ok', 'unavailable', 'malfunction'] as const
export type SignCondition = (typeof signConditions)[number]

/** Condition of a status text: `OK`; `Unable …` or `Failed to …` is unavailable; else a malfunction. */
export const signConditionOf = (status: string): SignCondition =>
  status === 'OK' ? 'ok' : /^(Unable|Failed to )/.test(status) ? 'unavailable' : 'malfunction'

/** Faults that a sign may report, or that its responses show. */
export const signFaults = [
  'communication',
  'power',
  'attached-device',
  'lamp',
  'pixel',
  'photocell',
  'message',
  'controller',
  'temperature',
  'climate-control',
  'critical-temperature',
  'drum-rotor',
  'door',
  'humidity',
] as const
export type SignFault = (typeof signFaults)[number]

/** Who controls a sign: its cabinet, another system, or the portal. */
export const controlModes = ['local', 'external', 'central', 'central-override', 'other'] as const
export type ControlMode = (typeof controlModes)[number]

/**
 * Circuit breaker of a sign: closed: it responds; open: it failed several times in a row and gets no requests for some
 * seconds; half-open: one request tries it.
 */
const circuits = ['closed', 'open', 'half-open'] as const
export type Circuit = (typeof circuits)[number]

/** Displayed content of a sign: nothing, a content, a plate, all lorries, or content not set by the portal. */
const displayKinds = ['blank', 'content', 'plate', 'trucks', 'other'] as const
export type DisplayKind = (typeof displayKinds)[number]

const person = z.object({ id: z.int(), username: z.string() })

/** A vehicle, or all lorries, on a sign: who set it, and until when it is shown. */
export const plateOnSign = z.object({
  vehicle: z.object({ id: z.int(), createdAt: instant, plateLpr: z.string().nullable() }),
  allTrucks: z.boolean(),
  setBy: person,
  setAt: instant,
  /** When the vehicle passes the sign; the server then clears it. */
  until: instant,
})

export const vmsStatus = z.object({
  /**
   * `OK`; `Unable …` if the sign does not respond, `Failed to …` if its response is invalid; anything else is a
   * malfunction. English, for logs and support.
   */
  status: z.string(),
  available: z.boolean(),
  /** Whether the sign shows anything; null: unknown. */
  contentDisplayed: z.boolean().nullable(),
  condition: z.enum(signConditions),
  faults: z.array(z.enum(signFaults)),
  controlMode: z.enum(controlModes).nullable(),
  circuit: z.enum(circuits),
  /** Times of the last poll and of the last response. */
  checkedAt: instant.nullable(),
  answeredAt: instant.nullable(),
})

export const sign = z.object({
  id: z.int(),
  /** Position in the group, from 1. */
  number: z.int(),
  vms: z.object({ roadNumber: z.string(), chainage: z.string(), ip: z.string() }),
  vmsStatus,
  contentVariants: z.array(z.object({ variant: z.int(), content: z.object({ id: z.int() }) })),
  /**
   * Path below the API base: image of the displayed content, or, if the sign is off or its state unknown, of its
   * selected content. Every image has its own path. Null: none.
   */
  image: z.string().nullable(),
  /** Its content in the group's selected variant; null without one. */
  selectedContent: z.object({ id: z.int() }).nullable(),
  /** Displayed content; null: unknown. The text as on the sign, with a masked plate for anonymised users. */
  shows: z
    .object({
      kind: z.enum(displayKinds),
      content: z.object({ id: z.int() }).nullable(),
      text: z.string().nullable(),
    })
    .nullable(),
  /** The enabled variant with user and time; null while disabled. */
  enabled: z.object({ variant: z.int(), by: person.nullable(), since: instant }).nullable(),
  /** The sign shows plates of vehicles, and is controlled by the button on the detail page. */
  showsPlates: z.boolean(),
  plate: plateOnSign.nullable(),
  /** A command is running. */
  busy: z.boolean(),
  /**
   * Whether it shows the content of the last command. Null: unknown, a command is running, or a sign that did not
   * respond still has time to switch.
   */
  asOrdered: z.boolean().nullable(),
})
export type Sign = z.output<typeof sign>
export type WireSign = z.input<typeof sign>

const signGroup = z.object({
  group: z.object({
    id: z.int(),
    description: z.string(),
    location: z.object({ id: z.int(), shortName: z.string() }),
  }),
  variants: z.array(
    z.object({
      variant: z.int(),
      description: z.string(),
      /** Every sign of the group has a content with an image in this variant, so it can be enabled. */
      complete: z.boolean(),
    }),
  ),
  /** The variant that is or was last enabled; initially the first one. Null: no variants. */
  selectedVariant: z.int().nullable(),
  /** The variant enabled on at least one sign. */
  enabledVariant: z.int().nullable(),
  /** Whether the group can be enabled and disabled: every sign has an image and a selected content. */
  manageable: z.boolean(),
  vms: z.array(sign),
})
export type SignGroup = z.output<typeof signGroup>
export type WireSignGroup = z.input<typeof signGroup>

export const groups = endpoint({
  method: 'GET',
  path: '/vms-groups-status',
  access: 'Vms',
  summary: 'Lists groups of signs with the last polled state of every sign',
  query: z.object({ locations: queryInts.optional() }),
  response: z.array(signGroup),
  looks: 'visit',
  shows: 'signs',
})

export const content = z.object({
  id: z.int(),
  description: z.string(),
  /** Null: only text. */
  pictogram: z.string().nullable(),
  lines: z.array(z.string()),
  /** Path below the API base; null without an image. */
  image: z.string().nullable(),
})
export type Content = z.output<typeof content>

export const contents = endpoint({
  method: 'GET',
  path: '/vms-contents',
  access: 'Vms',
  summary: 'Lists the contents that signs can show',
  response: z.array(content),
})

export const contentImage = endpoint({
  method: 'GET',
  path: '/vms-contents/:id/image',
  access: 'Vms',
  summary: 'Returns the image of a content as shown on a sign (PNG)',
  params: z.object({ id: queryId }),
  binary: 'image/png',
})

export const signImage = endpoint({
  method: 'GET',
  path: '/vms-groups-status/:groupId/vms/:id/image',
  access: 'Vms',
  summary: 'Returns the image of the current content of a sign (PNG); plates are masked for users of anonymised data',
  params: z.object({ groupId: queryId, id: queryId }),
  binary: 'image/png',
  looks: 'visit',
})

/** Result of a command for one sign; `error` is the reason of a failure. */
const signResult = z.object({
  vms: z.object({ id: z.int(), number: z.int(), roadNumber: z.string(), chainage: z.string() }),
  done: z.boolean(),
  error: apiError.nullable(),
})
export type SignResult = z.output<typeof signResult>

/** Results by sign, and the group after the command. */
const groupResult = z.object({ results: z.array(signResult), group: signGroup })

export const enableVariant = endpoint({
  method: 'PUT',
  path: '/vms-groups-status/:groupId/variant/:variantId',
  access: 'Vms',
  summary: 'Enables a variant sign by sign; refusals are reported per sign, the other signs stay enabled',
  stepUp: 'session',
  params: z.object({ groupId: queryId, variantId: queryId }),
  response: groupResult,
  looks: 'each',
  shows: 'signs',
})

export const disableVariant = endpoint({
  method: 'DELETE',
  path: '/vms-groups-status/:groupId/variant',
  access: 'Vms',
  summary: 'Disables the variant and plates sign by sign; refusals are reported per sign',
  stepUp: 'session',
  params: z.object({ groupId: queryId }),
  response: groupResult,
  looks: 'each',
  shows: 'signs',
})

/**
 * State of a vehicle's sign button. `manageable` is true only with `ready` and `displayed`.
 * - `sign-unavailable`: the station has no plate sign, or it is offline
 * - `scenario-not-enabled`: no variant is enabled on the sign
 * - `no-arrival-time`: standing, unknown speed or wrong way: it never reaches the sign
 * - `vehicle-passed`: the vehicle has passed the sign
 * - `this-vehicle-selected`: another user shows this vehicle
 * - `another-vehicle-selected`: another vehicle is shown
 * - `not-permitted`: the caller may see but not control the sign
 * - `ready`: it can be shown; the time to the sign counts down to `readablePointAt`
 * - `displayed`: the caller shows it, or all lorries for it, and may cancel
 */
const plateStates = [
  'sign-unavailable',
  'scenario-not-enabled',
  'no-arrival-time',
  'vehicle-passed',
  'this-vehicle-selected',
  'another-vehicle-selected',
  'not-permitted',
  'ready',
  'displayed',
] as const
export type PlateState = (typeof plateStates)[number]

export const plateVms = z.object({
  available: z.boolean(),
  scenarioEnabled: z.boolean(),
  /** A plate or all lorries are displayed, or about to be. */
  contentDisplayed: z.boolean(),
  allTrucksDisplayed: z.boolean(),
  /** The vehicle; null while nothing is displayed. */
  vehicle: z.object({ id: z.int(), createdAt: instant, plateLpr: z.string().nullable() }).nullable(),
})

const plateOnVms = z.object({
  plateVms,
  /** The caller may perform the action of `state`: show (ready) or cancel (displayed). */
  manageable: z.boolean(),
  state: z.enum(plateStates),
  /** The plate can only be shown if it was read; all lorries can be shown without. */
  hasPlate: z.boolean(),
  /** User and start time of the current display. */
  setBy: person.nullable(),
  setAt: instant.nullable(),
  /** End of the current display. */
  until: instant.nullable(),
  /** When the driver of this vehicle can read the sign. */
  readablePointAt: instant.nullable(),
  /** The sign; null if the station has no plate sign. */
  vms: z.object({ id: z.int(), roadNumber: z.string(), chainage: z.string() }).nullable(),
})
export type PlateOnVms = z.output<typeof plateOnVms>

/** The station is part of the vehicle's id; the time is only needed if the station has reused ids. */
const vehicleTime = z.object({ createdAt: instant.optional() })

export const plateStatus = endpoint({
  method: 'GET',
  path: '/current-vehicles/:id/plate-on-vms',
  access: 'CurrentMeasurements',
  summary: "Returns the state of the vehicle on its station's sign and whether the caller may change it",
  params: vehicleParams,
  query: vehicleTime,
  response: plateOnVms,
  looks: 'visit',
  shows: 'signs',
})

export const showPlate = endpoint({
  method: 'POST',
  path: '/current-vehicles/:id/plate-on-vms',
  access: { allOf: ['CurrentMeasurements', 'Vms'] },
  summary: 'Shows the plate, or all lorries, on the sign until the vehicle passes it; responds when the sign shows it',
  params: vehicleParams,
  query: vehicleTime.extend({ allTrucks: queryFlag.default(false) }),
  response: plateOnVms,
  looks: 'each',
  shows: 'signs',
})

export const cancelPlate = endpoint({
  method: 'DELETE',
  path: '/current-vehicles/:id/plate-on-vms',
  access: { allOf: ['CurrentMeasurements', 'Vms'] },
  summary: 'Clears the vehicle from the sign; idempotent',
  params: vehicleParams,
  query: vehicleTime,
  response: plateOnVms,
  looks: 'each',
  shows: 'signs',
})
