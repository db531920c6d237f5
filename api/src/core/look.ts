import { hash } from 'node:crypto'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { type LookKind, MAX_SHOWN_PLATES } from '@rogatka/contract/looks.ts'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { isAnonymised } from './anonymity.ts'
import type { PassageKey } from './passage.ts'
import type { Session } from './sessions.ts'

/* What answers with plates show, and who sees them: see `trail.ts`. */

/** Vehicles whose plate an answer shows. `plates`: each once, as read; null: too many to be kept one by one. */
export type ShownPlates = { count: number; plates: readonly string[] | null }

/** What an answer shows, and what was asked. */
export type Look = {
  kind: LookKind
  /** Filters without plates; undefined ones are left out. */
  criteria?: Readonly<Record<string, unknown>>
  /** Plates and patterns of plates that were asked for. */
  asked?: readonly string[]
  /** Found in all, of which the answer may be a part. */
  results: number
  shown: ShownPlates
  /** The one vehicle that is shown. */
  vehicle?: VehicleRef
  /** Vehicles whose images are shown with the answer, by their addresses. */
  withImagesOf?: readonly VehicleRef[]
  /** A visit to the live list of these stations: vehicles that match the filters are counted at its end. */
  live?: LiveList
}

/** Stations and filters of a live list. */
export type LiveList = { locationIds: readonly number[]; filters: VehicleFilters }

export type VehicleRef = Pick<PassageKey, 'id' | 'createdAt'>

/** What is shown of vehicles with these plates as read; null and empty: none was read. */
export function shownOf(plates: Iterable<string | null | undefined>): ShownPlates {
  const unique = new Set<string>()
  let count = 0
  for (const plate of plates) {
    if (!plate) continue
    count += 1
    unique.add(plate)
  }
  return { count, plates: unique.size > MAX_SHOWN_PLATES ? null : [...unique] }
}

/** Parameters with plates or parts of them. */
const PLATE_PARAMETERS = ['plateLpr', 'plates', 'beginning', 'search']
/** Parameters that say how results are shown, and which of them are known already. */
const DISPLAY_PARAMETER = /^(?:with[A-Z]|order|lastId$|version$|columns?$|token$)/

/** After a plate, with which a country may be given. */
const NATIONALITY = /:[A-Z]{0,3}$/

/** What a request asks for: the plates apart from the other parameters. */
export function questionOf({ params, query }: { params: unknown; query: unknown }): Pick<Look, 'criteria' | 'asked'> {
  const parameters = Object.entries({ ...(query as object), ...(params as object) })
  const isPlate = (name: string) => PLATE_PARAMETERS.includes(name)
  return {
    criteria: Object.fromEntries(parameters.filter(([name]) => !isPlate(name) && !DISPLAY_PARAMETER.test(name))),
    asked: parameters
      .filter(([name]) => isPlate(name))
      .flatMap(([, value]) => value)
      .filter((value) => typeof value === 'string')
      .map((plate) => plate.replace(NATIONALITY, '')),
  }
}

/** Who sees an answer: a session, or the receiver of a webhook. */
export type Viewer = Pick<
  Session,
  'key' | 'tokenHash' | 'userId' | 'username' | 'permissions' | 'roleId' | 'device' | 'system'
> & { webhookId?: number }

/** Where a look comes from: its viewer, with address and endpoint. */
export type LookSource = {
  session: Viewer
  ip: string | null
  endpoint: Pick<Endpoint, 'method' | 'path'>
}

/** Whether a look gets no line: it shows nothing and asks for no plate, or its session is anonymised. */
export const isExemptFromTrail = ({ session }: LookSource, { results, asked, live }: Look) =>
  isAnonymised(session) || (results === 0 && !live && !asked?.some((plate) => plate !== ''))

const SESSION_BYTES = 16

/** Tells sessions apart in the trail, and opens none. */
export const sessionOf = ({ tokenHash }: Pick<Session, 'tokenHash'>): Buffer =>
  hash('sha256', tokenHash, 'buffer').subarray(0, SESSION_BYTES)

/** Key of the session of a user; of an hour of that of a device, a system or a webhook, which has no end. */
export const sessionKeyAt = ({ key, device, system, webhookId }: Viewer, at: Date): string =>
  device || system || webhookId !== undefined ? `${key} ${Math.floor(at.getTime() / HOUR_MS)}` : key
