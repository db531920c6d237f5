import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { apiError } from './errors.ts'
import { vehicleParams } from './vehicle.ts'
import { instant, queryFlag, queryId, queryInts } from './wire.ts'

/** How a sign is, for its icon: an unavailable one does not answer, one with a malfunction answers and reports a fault. */
export const signConditions = ['ok', 'unavailable', 'malfunction'] as const
export type SignCondition = (typeof signConditions)[number]

/** The condition that a status says: `OK`; `Unable …` or `Failed to …`, nothing is known of it; else a malfunction. */
export const signConditionOf = (status: string): SignCondition =>
  status === 'OK' ? 'ok' : /^(Unable|Failed to )/.test(status) ? 'unavailable' : 'malfunction'

/** What a sign may report to be broken, or wrong in its answers. */
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

/** Who commands a sign: somebody at its cabinet, another system, or the portal. */
export const controlModes = ['local', 'external', 'central', 'central-override', 'other'] as const
export type ControlMode = (typeof controlModes)[number]

/**
 * Whether a sign is spoken to: closed, it answers; open, it failed several times in a row and is left alone for some
 * seconds; half-open, it is being tried again.
 */
const circuits = ['closed', 'open', 'half-open'] as const
export type Circuit = (typeof circuits)[number]

/** What a sign shows: nothing, one of the contents, the plate of a vehicle, all lorries, or what the portal did not set. */
const shownKinds = ['blank', 'content', 'plate', 'trucks', 'other'] as const
export type ShownKind = (typeof shownKinds)[number]

const person = z.object({ id: z.int(), username: z.string() })

/** A vehicle, or all lorries in its place, on a sign: who had it shown, and until when it will stand there. */
export const plateOnSign = z.object({
  vehicle: z.object({ id: z.int(), createdAt: instant, plateLpr: z.string().nullable() }),
  allTrucks: z.boolean(),
  setBy: person,
  setAt: instant,
  /** When the vehicle passes the sign: then the server takes it down. */
  until: instant,
})

export const vmsStatus = z.object({
  /**
   * `OK`; `Unable …` when the sign does not answer, `Failed to …` when it answers nothing of use; anything else is a
   * malfunction. English, for logs and support.
   */
  status: z.string(),
  available: z.boolean(),
  /** Whether the sign shows something; null: nobody knows. */
  contentDisplayed: z.boolean().nullable(),
  condition: z.enum(signConditions),
  faults: z.array(z.enum(signFaults)),
  controlMode: z.enum(controlModes).nullable(),
  circuit: z.enum(circuits),
  /** When the sign was last asked, and when it last answered. */
  checkedAt: instant.nullable(),
  answeredAt: instant.nullable(),
})

export const sign = z.object({
  id: z.int(),
  /** Its place in the group, from 1. */
  number: z.int(),
  vms: z.object({ roadNumber: z.string(), chainage: z.string(), ip: z.string() }),
  vmsStatus,
  contentVariants: z.array(z.object({ variant: z.int(), content: z.object({ id: z.int() }) })),
  /**
   * Below the base of the API: the picture of what the sign shows, or, when it shows nothing or nobody knows, of its
   * selected content. It is at another address when it is another picture. Null: there is none.
   */
  image: z.string().nullable(),
  /** Its content in the group's selected variant; null when it has none there. */
  selectedContent: z.object({ id: z.int() }).nullable(),
  /** What it shows now; null when nobody knows. The text as on the sign, with a masked plate for who sees none. */
  shows: z
    .object({
      kind: z.enum(shownKinds),
      content: z.object({ id: z.int() }).nullable(),
      text: z.string().nullable(),
    })
    .nullable(),
  /** The variant that was enabled on this sign, by whom and since when; null while it is disabled. */
  enabled: z.object({ variant: z.int(), by: person.nullable(), since: instant }).nullable(),
  /** This sign shows plates of vehicles: the one that the button of the vehicle's detail commands. */
  showsPlates: z.boolean(),
  plate: plateOnSign.nullable(),
  /** A command is under way. */
  busy: z.boolean(),
  /**
   * Whether it shows what the last command wants: its content, the vehicle, or nothing. Null: nobody knows, or a command
   * is under way, or a sign that did not answer still has time to switch.
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
      /** Every sign of the group has a content with an image in this variant, so that it may be enabled. */
      complete: z.boolean(),
    }),
  ),
  /** The variant that is enabled or was enabled last; at first the first one. Null: the group has none. */
  selectedVariant: z.int().nullable(),
  /** The variant that is enabled on at least one sign. */
  enabledVariant: z.int().nullable(),
  /** Whether enable and disable will be taken: every sign has an image and a selected content. */
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
})

export const content = z.object({
  id: z.int(),
  description: z.string(),
  /** Null: a text alone. */
  pictogram: z.string().nullable(),
  lines: z.array(z.string()),
  /** Below the base of the API; null when there is nothing to draw. */
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
  binary: true,
})

export const signImage = endpoint({
  method: 'GET',
  path: '/vms-groups-status/:groupId/vms/:id/image',
  access: 'Vms',
  summary: 'Returns the image of the current content of a sign (PNG); plates are masked for users of anonymised data',
  params: z.object({ groupId: queryId, id: queryId }),
  binary: true,
})

/** What became of a command at one sign: `error` says why it was not done. */
const signResult = z.object({
  vms: z.object({ id: z.int(), number: z.int(), roadNumber: z.string(), chainage: z.string() }),
  done: z.boolean(),
  error: apiError.nullable(),
})
export type SignResult = z.output<typeof signResult>

/** One result for each sign of the group, and the group as it is after. */
const groupOutcome = z.object({ results: z.array(signResult), group: signGroup })

export const enableVariant = endpoint({
  method: 'PUT',
  path: '/vms-groups-status/:groupId/variant/:variantId',
  access: 'Vms',
  summary: 'Enables a variant sign by sign; refusals are reported per sign, the other signs stay enabled',
  params: z.object({ groupId: queryId, variantId: queryId }),
  response: groupOutcome,
})

export const disableVariant = endpoint({
  method: 'DELETE',
  path: '/vms-groups-status/:groupId/variant',
  access: 'Vms',
  summary: 'Disables the variant and plates sign by sign; refusals are reported per sign',
  params: z.object({ groupId: queryId }),
  response: groupOutcome,
})

/**
 * What the button of a vehicle says and may do. `manageable` goes with `ready` and `displayed` alone.
 * - `sign-unavailable`: the station has no sign for plates, or it does not answer
 * - `scenario-not-enabled`: no variant is enabled on the sign
 * - `no-arrival-time`: standing, of unknown speed, or driving the wrong way: it never comes to the sign
 * - `vehicle-passed`: the vehicle is past the sign
 * - `this-vehicle-selected`: this vehicle is on the sign, by somebody else
 * - `another-vehicle-selected`: another vehicle is
 * - `not-permitted`: the caller may look and not command
 * - `ready`: it can be shown; the time to the sign runs until `readablePointAt`
 * - `displayed`: it, or all lorries for it, is on the sign by this caller, who may cancel
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
  /** A plate or all lorries are on the sign, or on their way to it. */
  contentDisplayed: z.boolean(),
  allTrucksDisplayed: z.boolean(),
  /** The vehicle for which; null while nothing is displayed. */
  vehicle: z.object({ id: z.int(), createdAt: instant, plateLpr: z.string().nullable() }).nullable(),
})

const plateOnVms = z.object({
  plateVms,
  /** The caller may do what `state` offers: show (ready) or cancel (displayed). */
  manageable: z.boolean(),
  state: z.enum(plateStates),
  /** Showing the plate itself needs one; all lorries can be shown without. */
  hasPlate: z.boolean(),
  /** Who had it displayed and since when, whoever that is. */
  setBy: person.nullable(),
  setAt: instant.nullable(),
  /** When what is displayed will be taken down. */
  until: instant.nullable(),
  /** When this vehicle comes to the sign. */
  readablePointAt: instant.nullable(),
  /** The sign; null when the station has none for plates. */
  vms: z.object({ id: z.int(), roadNumber: z.string(), chainage: z.string() }).nullable(),
})
export type PlateOnVms = z.output<typeof plateOnVms>

/** The vehicle's own station follows from its id; its time is needed only where a station's numbers started again. */
const passage = z.object({ createdAt: instant.optional() })

export const plateStatus = endpoint({
  method: 'GET',
  path: '/current-vehicles/:id/plate-on-vms',
  access: 'CurrentMeasurements',
  summary: "Returns the state of the vehicle on its station's sign and whether the caller may change it",
  params: vehicleParams,
  query: passage,
  response: plateOnVms,
})

export const showPlate = endpoint({
  method: 'POST',
  path: '/current-vehicles/:id/plate-on-vms',
  access: { allOf: ['CurrentMeasurements', 'Vms'] },
  summary: 'Shows the plate, or all lorries, on the sign until the vehicle passes it; responds when the sign shows it',
  params: vehicleParams,
  query: passage.extend({ allTrucks: queryFlag.default(false) }),
  response: plateOnVms,
})

export const cancelPlate = endpoint({
  method: 'DELETE',
  path: '/current-vehicles/:id/plate-on-vms',
  access: { allOf: ['CurrentMeasurements', 'Vms'] },
  summary: 'Clears the vehicle from the sign; idempotent',
  params: vehicleParams,
  query: passage,
  response: plateOnVms,
})
