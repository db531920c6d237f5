import { hash } from 'node:crypto'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { passageText } from '@rogatka/domain/evidence/passage.ts'
import { parseSealLines, type SealedItem } from '@rogatka/domain/evidence/passageSeal.ts'
import type { Database } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { imagePath } from '../core/image-path.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { FIRST_HASH } from './chains.ts'
import {
  findMisdated,
  type ImageOfVehicle,
  imagesOfPassages,
  type PassageSeal,
  passageRecords,
  passageSealsAfter,
  type ReceivedItem,
  receivedBetween,
  type StoredPassage,
  sealedRange,
  sealedStations,
  sealsOfMinutes,
} from './passage-queries.ts'
import { floorMinute, lineOf, linesOf, SWEEP_MS, sealHash, toSealedItem } from './passages.ts'

/** Seals read at a time. */
const BATCH_SIZE = 200
/** By how much the clock of a process may have been ahead when it stored a row. */
const MAX_CLOCK_LEAD_MS = HOUR_MS
/** So long after the first seal, processes of a version without records may store vehicles. */
const UPGRADE_MS = DAY_MS

/** What does not hold: a seal, or a vehicle or image in it. `number` null: it is in no seal. */
export type BrokenPassage = {
  locationId: number
  minute: Date
  number: number | null
  item: Pick<SealedItem, 'id' | 'createdAt' | 'type'> | null
  fault: string
}

export type PassageVerification = {
  now: Date
  /** The seals of minutes before are not verified; null: all are. */
  from: Date | null
  /** Vehicles, and images of vehicles, before these times may be deleted. */
  kept: { vehiclesSince: Date; imagesSince: Date }
  /** Reads the files of images, too; null: only their rows. */
  files: Files | null
}

type Retention = { retentionDays: number; imageRetentionDays: number }

/** Vehicles and images since these times are not deleted yet. */
export const keptSince = (
  now: Date,
  { retentionDays, imageRetentionDays }: Retention,
): PassageVerification['kept'] => ({
  vehiclesSince: new Date(now.getTime() - retentionDays * DAY_MS),
  imagesSince: new Date(now.getTime() - Math.min(retentionDays, imageRetentionDays) * DAY_MS),
})

export type VerifiedPassages = { seals: number; items: number; broken: BrokenPassage | null }

/**
 * Recomputes the seals of all stations, and what they seal from the stored columns and files, up to the first that does not
 * hold. Then looks for vehicles and images that are in no seal.
 */
export async function verifyPassages(db: Database, verification: PassageVerification): Promise<VerifiedPassages> {
  const done = { seals: 0, items: 0 }
  for (const { locationId, first } of await sealedStations(db, verification.from)) {
    const broken = await verifyStation(db, locationId, verification.from === null ? 1 : first, verification, done)
    if (broken) return { ...done, broken }
  }
  return { ...done, broken: await itemWithoutSeal(db, verification) }
}

async function verifyStation(
  db: Database,
  locationId: number,
  first: number,
  verification: PassageVerification,
  done: { seals: number; items: number },
): Promise<BrokenPassage | null> {
  const [before] = first > 1 ? await passageSealsAfter(db, locationId, first - 2, 1) : []
  let number = first - 1
  let previous = before?.seal ?? FIRST_HASH
  while (true) {
    const seals = await passageSealsAfter(db, locationId, number, BATCH_SIZE)
    if (seals.length === 0) return null
    const sealed: SealedLine[] = []
    let broken: BrokenPassage | null = null
    for (const seal of seals) {
      broken = brokenSeal(seal, number + 1, previous)
      if (broken) break
      sealed.push(...itemsOf(seal))
      number = seal.number
      previous = seal.seal
    }
    const differing = await differingItem(db, sealed, verification)
    if (differing ?? broken) return differing ?? broken
    done.seals += seals.length
    done.items += sealed.length
  }
}

const faultOf = ({ locationId, minute, number }: PassageSeal, fault: string): BrokenPassage => ({
  ...{ locationId, minute, number, item: null, fault },
})

/** Why a seal does not hold or does not follow the one before; null if it does. */
function brokenSeal(seal: PassageSeal, expected: number, previous: Buffer): BrokenPassage | null {
  if (seal.number !== expected)
    return { ...faultOf(seal, `it is missing, the next seal is ${seal.number}`), number: expected }
  const lines = textOf(seal)
  if (lines === null || !sealHash(seal, previous, lines).equals(seal.seal)) return faultOf(seal, 'it was changed')
  const items = parseSealLines(lines)
  const images = items.filter((item) => item?.type).length
  const isCounted = seal.images === images && seal.vehicles === items.length - images
  return items.includes(null) || !isCounted ? faultOf(seal, 'its numbers of vehicles and images were changed') : null
}

/** Null if the stored bytes are no deflated text. */
function textOf(seal: PassageSeal): string | null {
  try {
    return linesOf(seal)
  } catch {
    return null
  }
}

/** A vehicle or image with its seal. */
type SealedLine = SealedItem & { seal: PassageSeal }

const itemsOf = (seal: PassageSeal): SealedLine[] =>
  parseSealLines(linesOf(seal)).flatMap((item) => (item ? [{ ...item, seal }] : []))

/** The first vehicle or image that differs from its seal. */
async function differingItem(
  db: Database,
  sealed: readonly SealedLine[],
  { kept, files }: PassageVerification,
): Promise<BrokenPassage | null> {
  if (sealed.length === 0) return null
  const keyOf = ({ id, createdAt, seal: { locationId } }: SealedLine): PassageKey => ({ id, createdAt, locationId })
  const [records, images] = await Promise.all([
    passageRecords(db, sealed.filter(({ type }) => type === null).map(keyOf)),
    imagesOfPassages(db, sealed.filter(({ type }) => type !== null).map(keyOf)),
  ])
  const recordOf = new Map(records.map((stored) => [vehicleKey(stored.record), stored]))
  const imageKey = (key: PassageKey, type: number) => `${vehicleKey(key)} ${type}`
  const imageOf = new Map(images.map((image) => [imageKey(image, image.type), image]))
  for (const line of sealed) {
    const key = keyOf(line)
    const fault =
      line.type === null
        ? vehicleFault(line, recordOf.get(vehicleKey(key)), kept.vehiclesSince)
        : await imageFault(line, imageOf.get(imageKey(key, imageTypes.indexOf(line.type) + 1)), kept.imagesSince, files)
    const { seal, id, createdAt, type } = line
    if (fault) return { ...faultOf(seal, fault), item: { id, createdAt, type } }
  }
  return null
}

function vehicleFault(
  { createdAt, digest }: SealedLine,
  stored: StoredPassage | undefined,
  since: Date,
): string | null {
  if (!stored) return createdAt >= since ? 'the vehicle is missing' : null
  const isSame = stored.evidence === digest && hash('sha256', passageText(stored.record)) === digest
  return isSame ? null : 'the vehicle was changed'
}

/** An image that was replaced after its minute has another seal. */
async function imageFault(
  { createdAt, digest, seal }: SealedLine,
  stored: ImageOfVehicle | undefined,
  since: Date,
  files: Files | null,
): Promise<string | null> {
  if (!stored) return createdAt >= since ? 'the image is missing' : null
  const isReplaced = stored.receivedAt.getTime() >= seal.minute.getTime() + MINUTE_MS
  if (isReplaced) return null
  if (stored.sha256 !== digest) return 'the image was changed'
  const bytes = await files?.get(imagePath(stored, stored))
  if (bytes === undefined) return null
  if (bytes === null) return createdAt >= since ? 'the file of the image is missing' : null
  return hash('sha256', bytes) === digest ? null : 'the file of the image was changed'
}

/** The first vehicle or image that has no seal although its minute and the time for late rows are over, or gets none. */
async function itemWithoutSeal(
  db: Database,
  { from: since, now, kept }: PassageVerification,
): Promise<BrokenPassage | null> {
  const { first, end } = await sealedRange(db, SWEEP_MS)
  if (!first || !end) return null
  const recordedSince = new Date(first.getTime() + UPGRADE_MS)
  // Rows with a time of receipt too early or too late would never be sealed.
  const latest = new Date(now.getTime() + MAX_CLOCK_LEAD_MS)
  const misdated = await findMisdated(db, { latest, first, measuredSince: recordedSince })
  if (misdated) return faultOfItem(misdated, `was received ${misdated.receivedAt < first ? TOO_EARLY : TOO_LATE}`)
  for (let from = floorMinute(Math.max(+first, since ? +since : 0)); from < end; ) {
    const to = new Date(Math.min(end.getTime(), from.getTime() + HOUR_MS))
    const seals = await sealsOfMinutes(db, { from, to })
    const sealed = new Set(
      seals.flatMap((seal) =>
        linesOf(seal)
          .split('\n')
          .map((line) => `${seal.locationId} ${line}`),
      ),
    )
    const { items, unrecorded } = await receivedBetween(db, { from, to })
    const unsealed = items.find((item) => !sealed.has(`${item.locationId} ${lineOf(toSealedItem(item))}`))
    if (unsealed) return faultOfItem(unsealed, 'has no seal')
    const forged = unrecorded.find(
      ({ receivedAt, createdAt }) => receivedAt >= recordedSince && createdAt >= kept.vehiclesSince,
    )
    if (forged) return faultOfItem({ ...forged, type: null }, 'has no record')
    from = to
  }
  return null
}

const TOO_EARLY = 'before the first seal although it was measured later'
const TOO_LATE = 'in the future'

function faultOfItem(
  { locationId, receivedAt, id, createdAt, type }: Omit<ReceivedItem, 'digest'>,
  fault: string,
): BrokenPassage {
  const image = type === null ? null : (imageTypes[type - 1] ?? null)
  return {
    locationId,
    minute: floorMinute(receivedAt.getTime()),
    number: null,
    item: { id, createdAt, type: image },
    fault: `the ${type === null ? 'vehicle' : 'image'} ${fault}`,
  }
}
