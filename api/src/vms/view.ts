import { createHash } from 'node:crypto'
import {
  type ControlMode,
  controlModes,
  type Sign,
  type SignFault,
  type SignGroup,
  signConditionOf,
} from '@rogatka/contract/vms.ts'
import { maskPlate } from '@rogatka/domain/vehicle/anonymity.ts'
import { inspectionLines, multiText } from '@rogatka/domain/vms/multi.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { type Content, contents, type GroupRow, groups, type PlateRow, type SignRow, signs } from './queries.ts'
import { requestedContent, type ShownContent, SWITCH_TIMEOUT_MS, shownContent } from './shown-content.ts'
import { hasImage } from './sign-image.ts'

/** A status older than this is stale: no process polls. */
const STALE_MS = 20_000

/** Prefix of the reason if a sign answered a poll with an error. */
export const FAILED_PREFIX = 'Failed to '

type Viewer = Pick<Session, 'permissions'>

/** The groups of some stations or of all, as visible to this session. */
export async function groupViews(
  db: Database,
  viewer: Viewer,
  now: Date,
  locationIds?: readonly number[],
): Promise<SignGroup[]> {
  const rows = await groups(db, locationIds)
  const [all, knownContents] = await Promise.all([signs(db, { groupIds: rows.map(({ id }) => id) }), contents(db)])
  const groupSigns = Map.groupBy(all, ({ groupId }) => groupId)
  return rows.map((group) => groupView(group, groupSigns.get(group.id) ?? [], knownContents, viewer, now))
}

/** Whether every sign has a drawable content in this variant. */
export const isComplete = (
  groupSigns: readonly SignRow[],
  knownContents: readonly Content[],
  variant: number,
): boolean => groupSigns.length > 0 && groupSigns.every((sign) => contentOf(sign, knownContents, variant) !== undefined)

function contentOf(sign: SignRow, knownContents: readonly Content[], variant: number | null): Content | undefined {
  const { contentId } = sign.contents.find((content) => content.variant === variant) ?? {}
  const content = knownContents.find(({ id }) => id === contentId)
  return content && hasImage(content) ? content : undefined
}

function groupView(
  { id, description, locationId, shortName, selectedVariant, variants }: GroupRow,
  groupSigns: readonly SignRow[],
  knownContents: readonly Content[],
  viewer: Viewer,
  now: Date,
): SignGroup {
  return {
    group: { id, description, location: { id: locationId, shortName } },
    variants: variants.map((variant) => ({
      ...variant,
      complete: isComplete(groupSigns, knownContents, variant.variant),
    })),
    selectedVariant,
    enabledVariant: groupSigns.find(({ enabledVariant }) => enabledVariant !== null)?.enabledVariant ?? null,
    manageable: selectedVariant !== null && isComplete(groupSigns, knownContents, selectedVariant),
    vms: groupSigns.map((sign) => signView(sign, knownContents, selectedVariant, viewer, now)),
  }
}

function signView(
  sign: SignRow,
  knownContents: readonly Content[],
  selected: number | null,
  viewer: Viewer,
  now: Date,
): Sign {
  const current = isStale(sign, now) ? { ...sign, shown: null } : sign
  const shows = shownContent(current, knownContents)
  const selectedContent = contentOf(sign, knownContents, selected)
  return {
    id: sign.id,
    number: sign.number,
    vms: { roadNumber: sign.roadNumber, chainage: sign.chainage, ip: sign.host },
    vmsStatus: statusView(sign, shows, now),
    contentVariants: sign.contents.map(({ variant, contentId }) => ({ variant, content: { id: contentId } })),
    image: imageOf(sign, shows, selectedContent, viewer),
    selectedContent: selectedContent ? { id: selectedContent.id } : null,
    shows: shows && {
      kind: shows.kind,
      content: shows.contentId === null ? null : { id: shows.contentId },
      text: linesShown(sign, shows, viewer).join('\n') || null,
    },
    enabled:
      sign.enabledVariant !== null && sign.enabledAt
        ? { variant: sign.enabledVariant, by: sign.enabledBy, since: sign.enabledAt }
        : null,
    showsPlates: sign.showsPlates,
    plate: sign.plate && plateView(sign.plate, viewer),
    busy: sign.busy,
    asOrdered: isAsRequested(current, knownContents, now),
  }
}

/** Whether the sign shows what the last command requested; null while unknown or still switching. */
function isAsRequested(sign: SignRow, knownContents: readonly Content[], now: Date): boolean | null {
  const { shown, busy, plate, unsettled } = sign
  const isSwitching = unsettled.some(({ doneAt }) => doneAt.getTime() + SWITCH_TIMEOUT_MS > now.getTime())
  const isPlateSwitching = plate !== null && (plate.shownAt === null || plate.endingAt !== null || plate.until <= now)
  if (shown === null || busy || isSwitching || isPlateSwitching) return null
  return shown === (plate ? plate.shown : requestedContent(sign, knownContents))
}

export type SignState = {
  id: number
  /** Position in the group, from 1. */
  number: number
  locationId: number
  isAvailable: boolean
  /** Null: unknown, or still switching. */
  asOrdered: boolean | null
  /** It still shows a plate that should have been cleared. */
  isOverdue: boolean
}

/** The state of every sign, without what it shows. */
export async function signStates(db: Database, now: Date): Promise<SignState[]> {
  const [rows, knownContents] = await Promise.all([signs(db), contents(db)])
  return rows.map((sign) => signState(sign, knownContents, now))
}

export const signState = (sign: SignRow, knownContents: readonly Content[], now: Date): SignState => ({
  id: sign.id,
  number: sign.number,
  locationId: sign.locationId,
  isAvailable: isAvailable(sign, now),
  asOrdered: isAvailable(sign, now) ? isAsRequested(sign, knownContents, now) : null,
  isOverdue: sign.plate !== null && (sign.plate.endingAt !== null || sign.plate.until <= now),
})

const isStale = ({ checkedAt }: SignRow, now: Date): boolean =>
  checkedAt === null || now.getTime() - checkedAt.getTime() > STALE_MS

/** Whether the sign is reachable, as far as known. */
export const isAvailable = (sign: SignRow, now: Date): boolean => sign.error === null && !isStale(sign, now)

function statusView(sign: SignRow, shows: ShownContent | null, now: Date): Sign['vmsStatus'] {
  const { checkedAt, answeredAt, error } = sign
  const available = isAvailable(sign, now)
  const faults = available ? ((sign.faults ?? []) as SignFault[]) : []
  const reason = checkedAt === null ? 'not asked yet' : (error ?? `not asked since ${checkedAt.toISOString()}`)
  const trouble = faults.length > 0 ? `Malfunction: ${faults.join(', ')}` : 'OK'
  const unavailable = reason.startsWith(FAILED_PREFIX) ? reason : `Unable to reach the sign: ${reason}`
  const status = available ? trouble : unavailable
  return {
    status,
    available,
    contentDisplayed: shows === null ? null : shows.kind !== 'blank',
    condition: signConditionOf(status),
    faults,
    controlMode: available
      ? (controlModes.find((mode): mode is ControlMode => mode === sign.controlMode) ?? null)
      : null,
    circuit: sign.circuit ?? 'closed',
    checkedAt,
    answeredAt,
  }
}

/** The vehicle of a plate, masked if the session is anonymised. */
export const plateView = (plate: PlateRow, viewer: Viewer): NonNullable<Sign['plate']> => ({
  vehicle: {
    id: plate.vehicleId,
    createdAt: plate.vehicleCreatedAt,
    plateLpr: plate.plateLpr && isAnonymised(viewer) ? maskPlate(plate.plateLpr) : plate.plateLpr,
  },
  allTrucks: plate.allTrucks,
  setBy: plate.setBy,
  setAt: plate.setAt,
  until: plate.until,
})

/** The text on a sign by line. For anonymised users plates are masked, also those possibly in foreign texts. */
export function linesShown(sign: SignRow, shows: ShownContent, viewer: Viewer): string[] {
  const lines = multiText(shows.multi).split('\n').filter(Boolean)
  if (!isAnonymised(viewer)) return lines
  if (shows.kind === 'plate' && sign.plate?.plateLpr) return inspectionLines(maskPlate(sign.plate.plateLpr))
  return shows.kind === 'plate' || shows.kind === 'other' ? lines.map((line) => '*'.repeat(line.length)) : lines
}

/**
 * Each image has its own URL, for browser caching. The URL depends only on what this viewer sees: a hash of the whole
 * text would let anonymised users try all plates.
 */
function imageOf(
  sign: SignRow,
  shows: ShownContent | null,
  selected: Content | undefined,
  viewer: Viewer,
): string | null {
  if (shows?.kind === 'content') return contentImagePath(shows.contentId as number)
  if (shows === null || shows.kind === 'blank') return selected ? contentImagePath(selected.id) : null
  const visibleText = linesShown(sign, shows, viewer).join('\n')
  const version = createHash('sha256').update(visibleText).digest('hex').slice(0, 12)
  return `/vms-groups-status/${sign.groupId}/vms/${sign.id}/image?v=${version}`
}

export const contentImagePath = (id: number): string => `/vms-contents/${id}/image`
