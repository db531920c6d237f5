import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { imageTypes, THUMBNAIL_SCALE, type Vehicle } from '@rogatka/contract/vehicle.ts'
import type { PlateOnVms } from '@rogatka/contract/vms.ts'
import { withoutData } from '@rogatka/domain/vehicle/selectFields.ts'
import { markFor } from '@rogatka/domain/wanted/visibility.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import { createImageScaler, type Scaler } from '../core/image-scaler.ts'
import { type Look, shownOf } from '../core/look.ts'
import type { PassageKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { seesLocation } from '../core/station-scope.ts'
import { listMarks } from '../wanted/public-api.ts'
import type { ImageAddresses } from './image-addresses.ts'
import type { ImageKey } from './image-paths.ts'
import type { ImageVersions } from './image-versions.ts'
import type { ListedPlates } from './listed-plates.ts'
import { addTag, deleteTag, findArchived, findRecent, listImages, listTags, vehicleByKey } from './queries.ts'
import { archivedSince, knownKey, recentSince, toImages, type VehicleQuery } from './record.ts'

/** Returns a live vehicle from memory, if present. */
export type FindLive = (query: VehicleQuery, now: Date) => Vehicle | undefined
type ImageSources = { addresses: ImageAddresses; versions: ImageVersions }

/** What the sign of its station shows of a vehicle, for this session. */
type PlateOf = (
  db: Database,
  session: Session,
  vehicle: Vehicle,
  now: Date,
) => Promise<Pick<PlateOnVms, 'plateVms' | 'manageable'>>

/** The inspection of a vehicle and its static weights, for this session. */
type InspectionOf = (
  db: Database,
  session: Session,
  key: PassageKey,
  now: Date,
) => Promise<Pick<Vehicle, 'inspection' | 'weighing'>>

/** What other features show with a vehicle. */
type Additions = { plateOf: PlateOf; inspectionOf: InspectionOf }

/** `live`: the live vehicles. `listed`: plates of archived vehicles that were listed last. */
type KnownVehicles = { live: FindLive; listed: ListedPlates }

/** Registers the routes of one vehicle, its images and the caller's tags, for the live list and the archive. */
export function vehicleRoutes(
  api: Api,
  { live: findLive, listed }: KnownVehicles,
  images: ImageSources,
  additions: Additions,
): void {
  const sources = { ...images, scaler: createImageScaler() }
  registerRoutes(api, current, { find: findRecent, since: recentSince, findLive, listed, ...additions }, sources)
  const ofArchive = { ...additions, listed, plateOf: async () => ({}) }
  const inArchive = { find: findArchived, since: archivedSince, findLive: () => undefined }
  registerRoutes(api, archive, { ...inArchive, ...ofArchive }, sources)
}

type VehicleEndpoints = Pick<typeof current | typeof archive, 'detail' | 'image' | 'tags' | 'addTag' | 'removeTag'>
type LookupCall = Pick<Call<VehicleEndpoints['tags']>, 'db' | 'now' | 'params' | 'query' | 'session'>

/** How a group of routes finds vehicles: first in memory, then in the database. */
type VehicleLookup = {
  find: typeof findRecent
  /** Which vehicles are found. */
  since: typeof archivedSince
  findLive: FindLive
  listed: ListedPlates
  plateOf: (...args: Parameters<PlateOf>) => Promise<Partial<Awaited<ReturnType<PlateOf>>>>
  inspectionOf: InspectionOf
}

/** A look at an image of a vehicle, whose plate it shows but does not name. */
export const lookAtImage = (vehicle: PassageKey): Look => ({
  kind: 'image',
  results: 1,
  shown: { count: 1, plates: [] },
  vehicle,
})

function registerRoutes(
  api: Api,
  endpoints: VehicleEndpoints,
  { find, since, findLive, listed, plateOf, inspectionOf }: VehicleLookup,
  { addresses, versions, scaler }: ImageSources & { scaler: Scaler },
): void {
  const keyOf = async ({ db, now, params, query, session }: LookupCall): Promise<PassageKey> => {
    if (!seesLocation(session, query.locationId)) throw new Refusal('vehicle-not-found', 404)
    const vehicle = { ...query, id: params.id }
    const live = findLive(vehicle, now)
    if (live) return { locationId: live.location.id, createdAt: live.createdAt, id: live.id }
    const key = await find(db, vehicle, now)
    if (!key) throw new Refusal('vehicle-not-found', 404)
    return key
  }

  route(api, endpoints.detail, async (call) => {
    const { db, now, params, query, session } = call
    const asked = { ...query, id: params.id }
    const isVisible = seesLocation(session, query.locationId)
    const key = (isVisible && knownKey(asked, since(now, asked))) || (await keyOf(call))
    const details = Promise.all([
      inspectionOf(db, session, key, now),
      listTags(db, session.userId, key),
      listMarks(db, [key]),
    ])
    // Not awaited if the vehicle is not found.
    details.catch(() => {})
    const lookAt = (plate: string | null) =>
      call.look({ kind: 'detail', results: 1, shown: shownOf([plate]), vehicle: key })
    // The plate of a listed vehicle is known: its line is written while the vehicle is read.
    const listedPlate = listed.plateOf(key)
    const pendingLine = listedPlate === undefined ? undefined : lookAt(listedPlate)
    pendingLine?.catch(() => {})
    const found = findLive({ ...key }, now) ?? (await vehicleByKey(db, key))
    if (!found) throw new Refusal('vehicle-not-found', 404)
    const [[inspected, tags, marks], { plateVms, manageable }] = await Promise.all([
      details,
      plateOf(db, session, found, now),
      pendingLine && found.plateLpr === listedPlate ? pendingLine : lookAt(found.plateLpr),
    ])
    const vehicle = addresses.show({ ...found, ...inspected }, isAnonymised(session))
    const wanted = markFor(session, marks)
    return {
      ...vehicle,
      ...(wanted && { wanted }),
      images: query.withDataImages ? vehicle.images : vehicle.images?.map(withoutData),
      tags: [...tags],
      plateVms,
      manageable,
    }
  })

  /** The requested image; of a live vehicle from memory. */
  const findImage = async (call: Call<VehicleEndpoints['image']>): Promise<ImageKey> => {
    const { db, now, params, query } = call
    const key = await keyOf(call)
    const live = findLive({ ...query, id: params.id }, now)
    const stored = live ? [] : await listImages(db, key)
    const image = (live?.images ?? toImages(stored)).find(({ number }) => number === params.number)
    if (!image?.sha256) throw new Refusal('image-not-found', 404)
    return { ...key, type: imageTypes.indexOf(image.type) + 1, sha256: image.sha256 }
  }

  route(api, endpoints.image, async (call) => {
    const { query, session, reply } = call
    const image = await findImage(call)
    const scale = query.scale ?? 1
    const viewer = isAnonymised(session) ? 'anonymised' : 'sharp'
    const load = () => versions.find(image, { viewer, version: scale === THUMBNAIL_SCALE ? 'thumbnail' : 'full' })
    // The cache of scaled images is shared by all users.
    const isStored = scale === 1 || scale === THUMBNAIL_SCALE
    const bytes = await (isStored ? load() : scaler(`${image.sha256}-${viewer}`, scale, load))
    if (!bytes) throw new Refusal('image-not-found', 404)
    await call.look(lookAtImage(image))
    return reply.type('image/jpeg').send(bytes)
  })

  route(api, endpoints.tags, async (call) => [...(await listTags(call.db, call.session.userId, await keyOf(call)))])

  route(api, endpoints.addTag, async (call) => {
    const { data = null, ...tag } = call.body
    return addTag(call.db, call.session.userId, await keyOf(call), { ...tag, data })
  })

  route(api, endpoints.removeTag, async (call) => {
    const { db, session, params } = call
    const removed = await deleteTag(db, session.userId, await keyOf(call), params.tagId)
    if (!removed) throw new Refusal('tag-not-found', 404)
  })
}
