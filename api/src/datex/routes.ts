import * as endpoints from '@rogatka/contract/datex.ts'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { documentOf, type Envelope } from '@rogatka/domain/datex/publication.ts'
import { type PublishedSign, signStatusContent, signsContent } from '@rogatka/domain/datex/signs.ts'
import { siteId, sitesContent, sitesOf } from '@rogatka/domain/datex/sites.ts'
import { measuredContent } from '@rogatka/domain/datex/vehicles.ts'
import { MAX_HEADWAY_MS } from '@rogatka/domain/statistics/headways.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { shownOf } from '../core/look.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { createUserSemaphore, type SemaphoreLimits } from '../core/semaphore.ts'
import { ofSeenLocations, stationsOf, withinStations } from '../core/station-scope.ts'
import { withDatabaseTimeout } from '../core/timeout.ts'
import { openLocations } from '../locations/public-api.ts'
import { vehiclesSince } from '../vehicle/public-api.ts'
import { publishedGroups } from '../vms/public-api.ts'
import { bytesOf, modifiedAt, stateKey, versionOf } from './publish.ts'
import { isUnchanged, sendDocument, setLastModified } from './send.ts'

/** A document of 10,000 vehicles has about 30 MB in memory while it is sent. */
const SEMAPHORE_LIMITS: SemaphoreLimits = { total: 4, perUser: 2, waitMs: 15_000, queue: 64, queuePerUser: 8 }
/** Clients poll: an answer after this time would be of no use. */
const TIMEOUT_MS = 20_000
const RETRY_SECONDS = 5

/** Stands for times and versions that do not count as a change. */
const ANY_TIME = new Date(0)
const ANY_VERSION = ''

/** A document with the time of its last change. */
type Document = { type: Envelope['type']; modified: Date; content: Iterable<string> }

type DatexCall = Pick<Call<Endpoint & { access: 'session' }>, 'db' | 'now' | 'session' | 'request' | 'reply'>
/** Fails if the database takes too long to answer. */
type QueryTimeout = { timed: <T>(query: Promise<T>) => Promise<T> }

/** Lines of a sign that may contain a plate: those with digits, unless the sign shows a content. */
const platesOnSign = ({ shows }: PublishedSign): string[] =>
  shows?.kind === 'plate' || shows?.kind === 'other' ? shows.lines.filter((line) => /\d/.test(line)) : []

const notFound = () => new Refusal('not-found', 404)

/** Registers the publications of DATEX II. */
export function datexRoutes(api: Api, timeoutMs = TIMEOUT_MS): void {
  const semaphore = createUserSemaphore(SEMAPHORE_LIMITS)
  const { ownerCompany: owner } = api.config

  /** Reads a document and sends it if the client lacks it. The semaphore is held until it is sent, or its queries have ended. */
  async function publish<C extends DatexCall>(
    call: C,
    read: (call: C & QueryTimeout) => Promise<Document>,
  ): Promise<void> {
    const { session, now, request, reply } = call
    const signal = disconnectSignal(reply)
    const release = await semaphore.acquire(session.userId, signal)
    if (release === null) return
    if (release === 'busy') throw new Refusal('unavailable', 503, null, RETRY_SECONDS)
    const queries: Promise<unknown>[] = []
    const timed = <T>(query: Promise<T>) => {
      queries.push(query)
      return withDatabaseTimeout(query, timeoutMs)
    }
    const document = await read({ ...call, timed }).catch((error: unknown) => {
      Promise.allSettled(queries).then(release)
      throw error
    })
    if (signal.aborted) return release()
    const { type, modified, content } = document
    setLastModified(reply, modified, now)
    if (isUnchanged(request, modified, now)) {
      release()
      reply.code(304).send()
      return
    }
    const isContended = () => semaphore.areOthersWaiting(session.userId)
    sendDocument(reply, bytesOf(documentOf({ type, at: now, owner }, content)), { release, isContended })
  }

  route(api, endpoints.sites, (call) => publish(call, readSites))
  route(api, endpoints.measured, (call) => publish(call, readMeasured))
  route(api, endpoints.signs, (call) => publish(call, readSigns))
  route(api, endpoints.signStatus, (call) => publish(call, readSignStatus))

  /** The sites that the caller sees. @throws 404 without any, as DATEX II has no empty table */
  async function sitesWithVersion({ db, session, now, timed }: DatexCall & QueryTimeout) {
    const sites = sitesOf(ofSeenLocations(session, await timed(openLocations(db)), ({ id }) => id))
    if (sites.length === 0) throw notFound()
    const stable = withOwner(sitesContent(sites, ANY_VERSION))
    return { sites, modified: await modifiedAt(db, stateKey(session, 'sites'), stable, now) }
  }

  /** The content, and the name of the authority: what counts as a change. */
  function* withOwner(content: Iterable<string>): Generator<string> {
    yield owner
    yield* content
  }

  async function readSites(call: DatexCall & QueryTimeout): Promise<Document> {
    const { sites, modified } = await sitesWithVersion(call)
    return {
      type: 'roa:MeasurementSiteTablePublication',
      modified,
      content: sitesContent(sites, versionOf(modified)),
    }
  }

  async function readMeasured(call: Call<typeof endpoints.measured> & QueryTimeout): Promise<Document> {
    const { db, session, now, timed } = call
    const { locations } = withinStations(session, call.query)
    const selected = locations?.length ? new Set(locations) : undefined
    const table = await sitesWithVersion(call)
    const sites = table.sites.filter(({ station }) => selected?.has(station.id) ?? true)
    if (sites.length === 0) throw notFound()
    const siteIds = new Set(sites.map(({ station, laneNumber }) => siteId(station.id, laneNumber)))
    const found = await timed(
      vehiclesSince(
        db,
        [...new Set(sites.map(({ station }) => station.id))],
        { from: new Date(now.getTime() - endpoints.PUBLISHED_MINUTES * MINUTE_MS), to: now },
        { limit: endpoints.MAX_PUBLISHED, maxHeadwayMs: MAX_HEADWAY_MS },
      ),
    )
    // Without vehicles of lanes that were removed meanwhile.
    const vehicles = found.filter(({ locationId, laneNumber }) => siteIds.has(siteId(locationId, laneNumber)))
    const withPlates = !isAnonymised(session)
    const published = { sites, sitesVersion: versionOf(table.modified), vehicles, withPlates }
    await call.look({
      kind: 'live',
      criteria: { publication: 'measured', locations },
      results: vehicles.length,
      shown: shownOf(vehicles.map(({ plateLpr }) => plateLpr)),
    })
    const requested = [...new Set(call.query.locations)].sort((a, b) => a - b)
    const key = stateKey(session, 'measured', [requested, withPlates])
    const stable = withOwner(measuredContent({ ...published, at: ANY_TIME }))
    return {
      type: 'roa:MeasuredDataPublication',
      modified: await modifiedAt(db, key, stable, now),
      content: measuredContent({ ...published, at: now }),
    }
  }

  /** The groups of signs that the caller sees. @throws 404 without any */
  async function groupsWithVersion({ db, session, now, timed }: DatexCall & QueryTimeout) {
    const groups = await timed(publishedGroups(db, now, stationsOf(session)))
    if (groups.length === 0) throw notFound()
    const stable = withOwner(signsContent(groups, ANY_VERSION))
    return { groups, modified: await modifiedAt(db, stateKey(session, 'signs'), stable, now) }
  }

  async function readSigns(call: DatexCall & QueryTimeout): Promise<Document> {
    const { groups, modified } = await groupsWithVersion(call)
    return { type: 'vms:VmsTablePublication', modified, content: signsContent(groups, versionOf(modified)) }
  }

  async function readSignStatus(call: Call<typeof endpoints.signStatus> & QueryTimeout): Promise<Document> {
    const { db, session, now } = call
    const table = await groupsWithVersion(call)
    const published = { version: versionOf(table.modified), withPlates: !isAnonymised(session) }
    const plates = table.groups.flatMap(({ signs }) => signs.flatMap(platesOnSign))
    await call.look({
      kind: 'signs',
      criteria: { publication: 'sign-status' },
      results: plates.length,
      shown: shownOf(plates),
    })
    const withoutPollTimes = table.groups.map(({ signs, ...group }) => ({
      ...group,
      signs: signs.map((sign) => ({ ...sign, polledAt: sign.polledAt && ANY_TIME })),
    }))
    const stable = withOwner(signStatusContent(withoutPollTimes, published))
    const key = stateKey(session, 'sign-status', published.withPlates)
    return {
      type: 'vms:VmsPublication',
      modified: await modifiedAt(db, key, stable, now),
      content: signStatusContent(table.groups, published),
    }
  }
}
