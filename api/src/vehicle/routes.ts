import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { type Image, imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import type { PlateOnVms } from '@rogatka/contract/vms.ts'
import { markFor } from '@rogatka/domain/wanted/sight.ts'
import { asSeenBy, isRestricted } from '../core/anonymity.ts'
import type { Sql } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { blurPicture, type Scaler } from '../core/pictures.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { marksOf } from '../wanted/queries.ts'
import {
  addTag,
  findArchived,
  findRecent,
  imagesOf,
  type Key,
  pathOfImage,
  removeTag,
  tagsOf,
  vehicleByKey,
} from './queries.ts'
import { toImages } from './record.ts'

/** Pictures of a vehicle come within seconds of each other; so long after the last one their numbers stay as they are. */
const SETTLED_MS = 10 * 60_000

/** A live vehicle from memory, where there is one. */
export type FindLive = (wanted: Wanted, now: Date) => Vehicle | undefined
type Pictures = { files: Files; scaled: Scaler }
type Wanted = { id: number; locationId: number; createdAt?: Date | undefined }

/** What the sign of its station has to do with a vehicle, for this session. */
type PlateOf = (
  sql: Sql,
  session: Session,
  vehicle: Vehicle,
  now: Date,
) => Promise<Pick<PlateOnVms, 'plateVms' | 'manageable'>>

/** Opens one vehicle, its pictures and the caller's tags, for the live list and for the archive. */
export function vehicleRoutes(api: Api, findLive: FindLive, pictures: Pictures, plateOf: PlateOf): void {
  open(api, current, { find: findRecent, findLive, plateOf }, pictures)
  open(api, archive, { find: findArchived, findLive: () => undefined, plateOf: async () => ({}) }, pictures)
}

type Family = Pick<typeof current | typeof archive, 'detail' | 'picture' | 'tags' | 'addTag' | 'removeTag'>
type Asked = Pick<Call<Family['tags']>, 'sql' | 'now' | 'params' | 'query'>

/** Where a family looks: in the database, and in memory before. */
type Sight = {
  find: typeof findRecent
  findLive: FindLive
  plateOf: (...given: Parameters<PlateOf>) => Promise<Partial<Awaited<ReturnType<PlateOf>>>>
}

function open(api: Api, family: Family, { find, findLive, plateOf }: Sight, pictures: Pictures): void {
  const keyOf = async ({ sql, now, params, query }: Asked): Promise<Key> => {
    const wanted = { ...query, id: params.id }
    const live = findLive(wanted, now)
    if (live) return { locationId: live.location.id, createdAt: live.createdAt, id: live.id }
    const key = await find(sql, wanted, now)
    if (!key) throw new Refusal('vehicle-not-found', 404)
    return key
  }

  route(api, family.detail, async (call) => {
    const { sql, now, query, session } = call
    const key = await keyOf(call)
    const found = findLive({ ...key }, now) ?? (await vehicleByKey(sql, key))
    if (!found) throw new Refusal('vehicle-not-found', 404)
    const vehicle = asSeenBy(session, found)
    const tags = [...(await tagsOf(sql, session.userId, key))]
    const wanted = markFor(session, await marksOf(sql, [key]))
    const { plateVms, manageable } = await plateOf(sql, session, found, now)
    return {
      ...vehicle,
      ...(wanted && { wanted }),
      images: query.withDataImages ? vehicle.images : vehicle.images?.map(withoutData),
      tags,
      plateVms,
      manageable,
    }
  })

  /** The picture that the caller means; of a live vehicle from memory. */
  const pictureOf = async (call: Call<Family['picture']>) => {
    const { sql, now, params, query } = call
    const live = findLive({ ...query, id: params.id }, now)
    const key = live ? { ...live, locationId: live.location.id } : await keyOf(call)
    const stored = live ? [] : await imagesOf(sql, key)
    const image = (live?.images ?? toImages(stored)).find(({ number }) => number === params.number)
    if (!image?.sha256) throw new Refusal('image-not-found', 404)
    const newest = Math.max(...stored.map(({ receivedAt }) => receivedAt.getTime()))
    const place = { type: imageTypes.indexOf(image.type) + 1, sha256: image.sha256 }
    return {
      path: pathOfImage(key, place),
      type: image.type,
      sha256: image.sha256,
      settled: !live && now.getTime() - newest > SETTLED_MS,
    }
  }

  route(api, family.picture, async (call) => {
    const { query, session, request, reply } = call
    const { path, type, sha256, settled } = await pictureOf(call)
    const scale = query.scale ?? 1
    const blurred = isRestricted(session)
    // What is blurred is another picture, in every memory on the way.
    const digest = blurred ? `${sha256}-blurred` : sha256
    const etag = scale === 1 ? `"${digest}"` : `"${digest}-${scale}"`
    const known = request.headers['if-none-match']?.includes(etag)
    const load = async () => {
      const original = await pictures.files.get(path)
      return original && blurred ? blurPicture(original, type) : original
    }
    const bytes = known ? null : scale === 1 ? await load() : await pictures.scaled(digest, scale, load)
    if (!known && !bytes) throw new Refusal('image-not-found', 404)
    // Until all pictures are there a number may yet come to mean another one, so the browser asks again.
    reply
      .header('cache-control', settled ? 'private, max-age=86400, immutable' : 'private, no-cache')
      .header('etag', etag)
    return known ? reply.code(304).send() : reply.type('image/jpeg').send(bytes)
  })

  route(api, family.tags, async (call) => [...(await tagsOf(call.sql, call.session.userId, await keyOf(call)))])

  route(api, family.addTag, async (call) => {
    const { data = null, ...tag } = call.body
    return addTag(call.sql, call.session.userId, await keyOf(call), { ...tag, data })
  })

  route(api, family.removeTag, async (call) => {
    const { sql, session, params } = call
    const removed = await removeTag(sql, session.userId, await keyOf(call), params.tagId)
    if (!removed) throw new Refusal('tag-not-found', 404)
  })
}

const withoutData = ({ number, type }: Image): Image => ({ number, type })
