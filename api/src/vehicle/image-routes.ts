import { hash } from 'node:crypto'
import { hasRight } from '@rogatka/contract/access.ts'
import { locationOf } from '@rogatka/contract/ingest.ts'
import { imageTypes, imageVersion, type VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { matches } from '@rogatka/domain/current/match.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { seesLocation } from '../core/station-scope.ts'
import type { ImageAddresses } from './image-addresses.ts'
import type { ImageVersions } from './image-versions.ts'
import { imagesSince } from './maintenance.ts'
import { recentSince } from './record.ts'
import { type FindLive, lookAtImage } from './routes.ts'

/**
 * Registers the route of images by their signed addresses. The signature replaces the query for the image: whoever got
 * the address could see the vehicle.
 */
export function imageRoutes(
  api: Api,
  findLive: FindLive,
  { addresses, versions }: { addresses: ImageAddresses; versions: ImageVersions },
): void {
  /** Digests of thumbnails in memory, which are sent many times. */
  const digests = new WeakMap<Buffer, string>()
  const digestOf = (bytes: Buffer) => {
    const digest = digests.get(bytes) ?? hash('sha256', bytes)
    digests.set(bytes, digest)
    return digest
  }

  route(api, imageVersion, async ({ now, params, session, request, reply, look }) => {
    const { id, createdAt, sha256, viewer, version } = params
    if (!addresses.isSigned(params)) throw new Refusal('image-not-found', 404)
    if (viewer === 'sharp' && isAnonymised(session)) throw new Refusal('forbidden', 403)
    if (!seesLocation(session, locationOf(id))) throw new Refusal('image-not-found', 404)
    if (!hasRight(session.permissions, 'ArchiveMeasurements') && createdAt < recentSince(now))
      throw new Refusal('image-not-found', 404)
    const image = { locationId: locationOf(id), createdAt, id, type: imageTypes.indexOf(params.type) + 1, sha256 }
    const caller = { userId: session.userId, signal: () => disconnectSignal(reply) }
    const bytes = await versions.find(image, { viewer, version }, caller)
    if (!bytes) throw new Refusal('image-not-found', 404)

    const isOriginal = viewer === 'sharp' && version === 'full'
    const etag = `"${isOriginal ? sha256 : digestOf(bytes)}"`
    const secondsLeft = Math.floor((createdAt.getTime() - imagesSince(now, api.config).getTime()) / 1_000)
    // Another session asks again: browsers may keep the images of a user who signed out.
    const caching = `private, max-age=${Math.max(0, secondsLeft)}, immutable`
    reply.headers({ 'cache-control': caching, etag, vary: 'authorization' })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    const isLive = (filters: VehicleFilters) => {
      const vehicle = findLive(image, now)
      return vehicle !== undefined && matches(vehicle, filters)
    }
    const isCovered = viewer !== 'sharp' || (await api.trail.covers(session, image, isLive))
    await look(isCovered ? null : lookAtImage(image))
    return reply.type('image/jpeg').send(bytes)
  })
}
