import type { ImageType } from '@rogatka/contract/vehicle.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { parseAnchor } from '@rogatka/domain/evidence/anchor.ts'
import { sealText } from '@rogatka/domain/evidence/passageSeal.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { anchorsSince } from './anchor-queries.ts'
import { type Chain, FIRST_HASH, lineText } from './chains.ts'
import { auditLines, auditOfSubject } from './line-queries.ts'
import {
  imagesOfPassages,
  type PassageSeal,
  passageRecords,
  passageSealsAfter,
  sealsOfMinutes,
} from './passage-queries.ts'
import { lineOf, linesOf, toSealedItem } from './passages.ts'
import { sealAt, sealsAfter, sealsOfLines } from './seal-queries.ts'

/* Proofs that leave the portal with a vehicle, so that others can verify its chain with sha256sum. */

const SEALS_PER_QUERY = 200

/** The seal of a vehicle: SHA-256 of `text`, in hexadecimal digits. */
export type VehicleSeal = { locationId: number; number: number; minute: Date; text: string; seal: string }

/** The seal that has a vehicle; null: none yet, or it was stored by a version without records. */
export async function findVehicleSeal(db: Database, key: PassageKey): Promise<VehicleSeal | null> {
  const [stored] = await passageRecords(db, [key])
  if (!stored) return null
  const line = `${key.id} ${key.createdAt.toISOString()} ${stored.evidence}`
  const found = await findSeal(db, key.locationId, stored.record.receivedAt, line)
  if (!found) return null
  const { locationId, number, minute, seal } = found
  const [before] = number > 1 ? await passageSealsAfter(db, locationId, number - 2, 1) : []
  return { locationId, number, minute, text: textOf(found, before?.seal ?? FIRST_HASH), seal: seal.toString('hex') }
}

/** The seal of a station that has this line, which was received at an instant; undefined: there is none. */
async function findSeal(
  db: Database,
  locationId: number,
  receivedAt: Date,
  line: string,
): Promise<PassageSeal | undefined> {
  const from = new Date(Math.floor(receivedAt.getTime() / MINUTE_MS) * MINUTE_MS)
  const to = new Date(from.getTime() + MINUTE_MS)
  const seals = await sealsOfMinutes(db, { from, to })
  return seals.find((seal) => seal.locationId === locationId && linesOf(seal).split('\n').includes(line))
}

const textOf = (seal: PassageSeal, previous: Buffer): string =>
  sealText({ ...seal, previous: previous.toString('hex') }, linesOf(seal))

/** The numbers of the seals that have the images of a vehicle, by type; without an image that is in none yet. */
export async function sealsOfImages(db: Database, key: PassageKey): Promise<Map<ImageType, number>> {
  const numbers = new Map<ImageType, number>()
  for (const { sha256, ...image } of await imagesOfPassages(db, [key])) {
    const item = toSealedItem({ ...image, digest: sha256 })
    const found = await findSeal(db, key.locationId, image.receivedAt, lineOf(item))
    if (found && item.type) numbers.set(item.type, found.number)
  }
  return numbers
}

/** Texts of the seals of a station that follow the seal `after`, by number. `previous`: that seal, in hexadecimal digits. */
export async function sealTextsAfter(
  db: Database,
  { locationId, after, until }: { locationId: number; after: number; until: number },
  previous: string,
): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  let last: Buffer = Buffer.from(previous, 'hex')
  while (after + texts.size < until) {
    const limit = Math.min(SEALS_PER_QUERY, until - after - texts.size)
    const seals = await passageSealsAfter(db, locationId, after + texts.size, limit)
    if (seals.length === 0) return texts
    for (const seal of seals) {
      texts.set(seal.number, textOf(seal, last))
      last = seal.seal
    }
  }
  return texts
}

/** The text of the first anchor that has this seal of a station or a later one; null: there is none yet. */
export async function findAnchor(
  db: Database,
  { locationId, number, minute }: Pick<VehicleSeal, 'locationId' | 'number' | 'minute'>,
): Promise<string | null> {
  const covers = (text: string) =>
    parseAnchor(text)?.heads.some((head) => head.locationId === locationId && head.seq >= number) ?? false
  return (await anchorsSince(db, minute)).find(({ text }) => covers(text))?.text ?? null
}

/** A sealed line: `hash` is the SHA-256 of `previous`, a line feed, `text` and a line feed, in hexadecimal digits. */
export type SealedText = { seq: number; text: string; previous: string; hash: string }

/** The sealed audit entries of a subject, in the order of their chain. */
export async function listAuditLines(db: Database, subject: string): Promise<SealedText[]> {
  const keys = await auditOfSubject(db, subject)
  const lines = new Map((await auditLines(db, keys)).map((line) => [line.id, line]))
  const sealed: SealedText[] = []
  for (const { seq, id, hash } of await sealsOfLines(db, 'audit', keys)) {
    const line = lines.get(id)
    const before = seq > 1 ? await sealAt(db, 'audit', seq - 1) : undefined
    const previous = (before?.hash ?? FIRST_HASH).toString('hex')
    if (line) sealed.push({ seq, text: lineText(seq, line), previous, hash: hash.toString('hex') })
  }
  return sealed
}

/** A line of a log with its id. */
export type ChainLine = SealedText & { id: number }

/** The lines of a chain from number `first` to `last`, in order; without those that were removed after their retention. */
export async function listChainLines(
  db: Database,
  chain: Chain,
  { first, last }: { first: number; last: number },
): Promise<ChainLine[]> {
  const seals = await sealsAfter(db, chain.name, first - 1, last - first + 1)
  const lines = new Map((await chain.lines(db, seals)).map((line) => [line.id, line]))
  const before = first > 1 ? await sealAt(db, chain.name, first - 1) : undefined
  let previous = (before?.hash ?? FIRST_HASH).toString('hex')
  return seals.flatMap(({ seq, id, hash: sealed }) => {
    const line = lines.get(id)
    const [before, hash] = [previous, sealed.toString('hex')]
    previous = hash
    return line ? [{ id, seq, text: lineText(seq, line), previous: before, hash }] : []
  })
}
