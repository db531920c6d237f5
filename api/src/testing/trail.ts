import { createHmac } from 'node:crypto'
import { lookKinds, purposes } from '@rogatka/contract/looks.ts'
import { decrypt } from '../core/secrets.ts'
import { sql } from '../core/statement.ts'
import type { TestApi } from './test-api.ts'

type TrailLine = {
  id: number
  at: Date
  call: string
  kind: (typeof lookKinds)[number]
  userId: number | null
  systemId: number | null
  deviceId: number | null
  purpose: (typeof purposes)[number] | null
  reference: string | null
  asked: string[]
  criteria: Record<string, unknown>
  results: number
  plates: number
  /** HMACs in hexadecimal; null: too many, or none. */
  shown: string[] | null
  isVisit: boolean
}

type Row = Omit<TrailLine, 'kind' | 'purpose' | 'asked'> & {
  kind: number
  purpose: number | null
  askedText: Buffer | null
}

/** The lines of the access trail, oldest first, with the plates that were asked for in the clear. */
export async function trailOf({ db, app }: TestApi): Promise<TrailLine[]> {
  const key = await app.api.trail.key()
  const rows = await db.query<Row>(sql`
    select id, at, call, kind, user_id as "userId", system_id as "systemId", device_id as "deviceId", purpose, reference,
           criteria, results, plates, is_visit as "isVisit", asked_text as "askedText",
           (select array_agg(encode(h, 'hex')) from unnest(shown) h) as shown
    from access_trail order by id`)
  return rows.map(({ askedText, kind, purpose, ...row }) => ({
    ...row,
    kind: lookKinds[kind - 1] as TrailLine['kind'],
    purpose: purpose === null ? null : (purposes[purpose - 1] ?? null),
    asked: askedText ? JSON.parse(decrypt(key, askedText, 'asked') ?? '[]') : [],
  }))
}

/** The HMAC of a plate in its identity form, as the domain rules say: SHA-256, the first 16 bytes. */
export const macOf = (key: Buffer, form: string): string =>
  createHmac('sha256', key).update(form).digest('hex').slice(0, 32)
