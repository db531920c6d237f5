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
import { orderedBase, type ShownContent, SWITCHES_MS, shownContent } from './shown-content.ts'
import { hasImage } from './sign-image.ts'

/** A reading older than this says nothing: nobody polls. */
const STALE_MS = 20_000

/** How the reason begins when a sign answered a poll, but with nothing of use. */
export const FAILED = 'Failed to '

type Viewer = Pick<Session, 'permissions'>

/** The groups of some stations or of all, as this session may see them. */
export async function groupViews(
  db: Database,
  viewer: Viewer,
  now: Date,
  locationIds?: readonly number[],
): Promise<SignGroup[]> {
  const rows = await groups(db, locationIds)
  const [all, known] = await Promise.all([signs(db, { groupIds: rows.map(({ id }) => id) }), contents(db)])
  const ofGroup = Map.groupBy(all, ({ groupId }) => groupId)
  return rows.map((group) => groupView(group, ofGroup.get(group.id) ?? [], known, viewer, now))
}

/** Every sign has something in this variant that can be drawn. */
export const isComplete = (ofGroup: readonly SignRow[], known: readonly Content[], variant: number): boolean =>
  ofGroup.length > 0 && ofGroup.every((sign) => contentOf(sign, known, variant) !== undefined)

function contentOf(sign: SignRow, known: readonly Content[], variant: number | null): Content | undefined {
  const { contentId } = sign.contents.find((one) => one.variant === variant) ?? {}
  const content = known.find(({ id }) => id === contentId)
  return content && hasImage(content) ? content : undefined
}

function groupView(
  { id, description, locationId, shortName, selectedVariant, variants }: GroupRow,
  ofGroup: readonly SignRow[],
  known: readonly Content[],
  viewer: Viewer,
  now: Date,
): SignGroup {
  return {
    group: { id, description, location: { id: locationId, shortName } },
    variants: variants.map((one) => ({ ...one, complete: isComplete(ofGroup, known, one.variant) })),
    selectedVariant,
    enabledVariant: ofGroup.find(({ enabledVariant }) => enabledVariant !== null)?.enabledVariant ?? null,
    manageable: selectedVariant !== null && isComplete(ofGroup, known, selectedVariant),
    vms: ofGroup.map((sign) => signView(sign, known, selectedVariant, viewer, now)),
  }
}

function signView(sign: SignRow, known: readonly Content[], selected: number | null, viewer: Viewer, now: Date): Sign {
  const current = isStale(sign, now) ? { ...sign, shown: null } : sign
  const shows = shownContent(current, known)
  const selectedContent = contentOf(sign, known, selected)
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
    asOrdered: isAsOrdered(current, known, now),
  }
}

/** Whether the sign shows what the last command wants; null while nobody knows or it still has time to switch. */
function isAsOrdered(sign: SignRow, known: readonly Content[], now: Date): boolean | null {
  const { shown, busy, plate, unsettled } = sign
  const hasTime = unsettled.some(({ doneAt }) => doneAt.getTime() + SWITCHES_MS > now.getTime())
  const isPlateMoving = plate !== null && (plate.shownAt === null || plate.endingAt !== null || plate.until <= now)
  if (shown === null || busy || hasTime || isPlateMoving) return null
  return shown === (plate ? plate.shown : orderedBase(sign, known))
}

const isStale = ({ checkedAt }: SignRow, now: Date): boolean =>
  checkedAt === null || now.getTime() - checkedAt.getTime() > STALE_MS

/** Whether commands will reach the sign, as far as anybody knows. */
export const isAvailable = (sign: SignRow, now: Date): boolean => sign.error === null && !isStale(sign, now)

function statusView(sign: SignRow, shows: ShownContent | null, now: Date): Sign['vmsStatus'] {
  const { checkedAt, answeredAt, error } = sign
  const available = isAvailable(sign, now)
  const faults = available ? ((sign.faults ?? []) as SignFault[]) : []
  const reason = checkedAt === null ? 'not asked yet' : (error ?? `not asked since ${checkedAt.toISOString()}`)
  const trouble = faults.length > 0 ? `Malfunction: ${faults.join(', ')}` : 'OK'
  const unavailable = reason.startsWith(FAILED) ? reason : `Unable to reach the sign: ${reason}`
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

/** What shall be told of a vehicle on a sign. */
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

/** The text on a sign, line by line. Who sees no plates sees none here: neither ours, nor one that may be in a foreign text. */
export function linesShown(sign: SignRow, shows: ShownContent, viewer: Viewer): string[] {
  const lines = multiText(shows.multi).split('\n').filter(Boolean)
  if (!isAnonymised(viewer)) return lines
  if (shows.kind === 'plate' && sign.plate?.plateLpr) return inspectionLines(maskPlate(sign.plate.plateLpr))
  return shows.kind === 'plate' || shows.kind === 'other' ? lines.map((line) => '*'.repeat(line.length)) : lines
}

/**
 * Another picture has another address, so that a browser may keep what it has. The address follows from what this viewer
 * sees and from nothing else: a hash of the whole text would let who sees no plates try them all.
 */
function imageOf(
  sign: SignRow,
  shows: ShownContent | null,
  selected: Content | undefined,
  viewer: Viewer,
): string | null {
  if (shows?.kind === 'content') return contentImagePath(shows.contentId as number)
  if (shows === null || shows.kind === 'blank') return selected ? contentImagePath(selected.id) : null
  const seen = linesShown(sign, shows, viewer).join('\n')
  const version = createHash('sha256').update(seen).digest('hex').slice(0, 12)
  return `/vms-groups-status/${sign.groupId}/vms/${sign.id}/image?v=${version}`
}

export const contentImagePath = (id: number): string => `/vms-contents/${id}/image`
