import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { parseAnchor } from '@rogatka/domain/evidence/anchor.ts'
import { sealText } from '@rogatka/domain/evidence/passageSeal.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { anchorsSince } from './anchor-queries.ts'
import { FIRST_HASH, lineText } from './chains.ts'
import { auditLines, auditOfSubject } from './line-queries.ts'
import { passageRecords, passageSealsAfter, sealsOfMinutes } from './passage-queries.ts'
import { linesOf } from './passages.ts'
import { sealAt, sealsOfLines } from './seal-queries.ts'

/* What leaves the portal with a vehicle, so that others can follow its chain with sha256sum. */

/** The seal of a vehicle: SHA-256 of `text`, in hexadecimal digits. */
export type VehicleSeal = { locationId: number; number: number; minute: Date; text: string; seal: string }

/** The seal that has a vehicle; null: none yet, or it was stored by a version without records. */
export async function sealOf(db: Database, key: PassageKey): Promise<VehicleSeal | null> {
  const [stored] = await passageRecords(db, [key])
  if (!stored) return null
  const from = new Date(Math.floor(stored.record.receivedAt.getTime() / MINUTE_MS) * MINUTE_MS)
  const to = new Date(from.getTime() + MINUTE_MS)
  const line = `${key.id} ${key.createdAt.toISOString()} ${stored.evidence}`
  const seals = await sealsOfMinutes(db, { from, to })
  const found = seals.find((seal) => seal.locationId === key.locationId && linesOf(seal).split('\n').includes(line))
  if (!found) return null
  const { locationId, number, minute, seal } = found
  const [before] = number > 1 ? await passageSealsAfter(db, locationId, number - 2, 1) : []
  const previous = (before?.seal ?? FIRST_HASH).toString('hex')
  const text = sealText({ locationId, minute, number, previous }, linesOf(found))
  return { locationId, number, minute, text, seal: seal.toString('hex') }
}

/** The text of the first anchor that has this seal of a station or a later one; null: there is none yet. */
export async function anchorOf(
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
export async function auditLinesOf(db: Database, subject: string): Promise<SealedText[]> {
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
