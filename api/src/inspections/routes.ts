import { hasRight } from '@rogatka/contract/access.ts'
import { locationOf } from '@rogatka/contract/ingest.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { queueTimes as queueEndpoint } from '@rogatka/contract/inspections-queue.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { PASSED_BY_HOURS } from '@rogatka/contract/options.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { numberYear, stationCode } from '@rogatka/domain/inspections/number.ts'
import { canOpen, PASSES_AFTER_MS } from '@rogatka/domain/inspections/opening.ts'
import { shiftAt } from '@rogatka/domain/inspections/shift.ts'
import { timeError } from '@rogatka/domain/inspections/states.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { assertNotAnonymised, isAnonymised } from '../core/anonymity.ts'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { toApiErrors, toRefusal } from '../core/error-mapping.ts'
import type { Files } from '../core/files.ts'
import { notifyMarks } from '../core/live-events.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { storable } from '../core/text.ts'
import { locations } from '../locations/public-api.ts'
import { createReportLink } from '../reports/public-api.ts'
import { findArchived, vehicleByKey } from '../vehicle/public-api.ts'
import { clearFromSign, isOnSign, showOnSign } from '../vms/public-api.ts'
import { inspectionRecord } from './audit.ts'
import { copyImages, passageCopy, vehicleOf } from './copy.ts'
import { withDetails } from './detail.ts'
import { updateFigures } from './figure-row-queries.ts'
import type { FiguresReport } from './figures-report.ts'
import { figuresRoutes } from './figures-routes.ts'
import { photoRoutes } from './photo-routes.ts'
import { type InspectionRow, insertInspection, inspectionById, inspectionByKey, lastCarrierOf } from './queries.ts'
import type { InspectionReport } from './report.ts'
import { inspectionPage, queueTimes } from './search-queries.ts'
import { stepRoutes } from './step-routes.ts'
import { actorOf, digestOf, requireVisible } from './steps.ts'
import { inspectionMarks } from './vehicle-queries.ts'
import { numberOf, plateOf, showInspections, toInspection, toInspections } from './view.ts'

const KEY_HEADER = 'Idempotency-Key'

type AddCall = Call<typeof endpoints.add>

function idempotencyKeyOf({ request }: AddCall): string {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') throw new Refusal('required-parameter-missing', 400, KEY_HEADER)
  if (key.length > endpoints.MAX_IDEMPOTENCY_KEY || !/^[\x21-\x7e]+$/.test(key))
    throw new Refusal('invalid-value', 400, KEY_HEADER)
  return key
}

/** The measured vehicle of a new inspection; null if it was stopped without one. */
async function findVehicle(db: Database, { body, now }: AddCall): Promise<Vehicle | null> {
  const { vehicleId, createdAt, locationId, state, selection } = body
  if (vehicleId == null || createdAt == null) {
    if (vehicleId != null || createdAt != null || state !== 'takenOver' || selection !== 'random')
      throw new Refusal('passage-needed', 422, 'vehicleId')
    return null
  }
  const isOfStation = locationOf(vehicleId) === locationId
  const key = isOfStation ? await findArchived(db, { id: vehicleId, locationId, createdAt }, now) : undefined
  const vehicle = key && (await vehicleByKey(db, key))
  if (!vehicle) throw new Refusal('vehicle-not-found', 404, 'vehicleId')
  return vehicle
}

/** @throws 409 with its number if an inspection of the vehicle is closed: a wrong closing is reopened instead */
async function assertNotInspected(db: Database, { id, createdAt, location }: Vehicle): Promise<void> {
  const [mark] = (await inspectionMarks(db, [{ id, createdAt, locationId: location.id }])).values()
  if (mark?.state !== 'closed') return
  throw refuseFields(409, [{ path: null, code: 'inspection-closed-earlier', params: { number: mark.number ?? '' } }])
}

type Reports = { record: InspectionReport; figures: FiguresReport }

/** Registers the routes of inspections and their figures. */
export function inspectionsRoutes(api: Api, files: Files, { record, figures }: Reports): void {
  const { shiftStarts } = api.config

  /** Inserts an inspection; returns its row. */
  async function open(call: AddCall, idempotencyKey: string, requestDigest: string): Promise<InspectionRow> {
    const { session, request, now, body } = call
    const at = body.at ?? now
    return call.db.transaction(async (db) => {
      const location = (await locations(db)).find(({ id }) => id === body.locationId)
      if (!location) throw new Refusal('location-not-found', 404, 'locationId')
      const vehicle = await findVehicle(db, call)
      // The clock of the station may be ahead: only an entered time is compared with its measurement.
      if (body.at && timeError(at, now, vehicle?.createdAt ?? null)) throw new Refusal('time-order', 422, 'at')
      if (vehicle && !canOpen(vehicle, body.state, { at, now })) throw new Refusal('state-not-allowed', 422, 'state')
      if (vehicle && body.state === 'announced') await assertNotInspected(db, vehicle)
      if (vehicle && (body.plateLpr || body.nationality))
        throw new Refusal('invalid-value', 422, body.plateLpr ? 'plateLpr' : 'nationality')
      const due = Math.max(vehicle?.checkpointTime?.getTime() ?? 0, at.getTime())
      // An announcement entered late passes by now, so that it can be taken over for as long as any other.
      const passesAt = Math.max(due + PASSES_AFTER_MS, now.getTime())
      const id = await insertInspection(db, {
        code: stationCode(location.shortName, location.id),
        year: numberYear(at),
        state: body.state,
        selection: body.selection,
        locationId: location.id,
        vehicle: vehicle && {
          key: { id: vehicle.id, createdAt: vehicle.createdAt },
          passage: passageCopy(vehicle),
          laneNumber: vehicle.lane.laneNumber,
          wasOverload: vehicle.overload,
          ctg8p1: vehicle.ctg8p1,
        },
        entered: {
          plate: normalisePlate(body.plateLpr && storable(body.plateLpr)),
          nationality: body.nationality || null,
        },
        at,
        userId: session.userId,
        passesAt: new Date(passesAt),
        shift: shiftAt(shiftStarts, at),
        note: body.note ? storable(body.note) : null,
        idempotencyKey,
        requestDigest,
      })
      await updateFigures(db, [id])
      const row = (await inspectionById(db, id)) as InspectionRow
      const key = vehicleOf(row)
      if (key) {
        await notifyMarks(db, [key])
        if (body.state === 'takenOver') await clearFromSign(db, call, key)
      }
      const action = body.state === 'announced' ? 'inspection-announced' : 'inspection-taken-over'
      const after = inspectionRecord(await toInspection(db, row))
      await audit(db, { session, request, now }, { action, subject: numberOf(row), after })
      return row
    })
  }

  /** Opens the inspection of a request; a repeated request returns the one that it opened before. */
  async function openOnce(call: AddCall): Promise<InspectionRow> {
    const { db, session, body } = call
    const key = idempotencyKeyOf(call)
    const digest = digestOf(body)
    const findOpened = async (): Promise<InspectionRow | undefined> => {
      const found = await inspectionByKey(db, session.userId, key)
      if (found && found.requestDigest !== digest) throw new Refusal('idempotency-key-reused', 422, KEY_HEADER)
      return found
    }
    const opened = await findOpened()
    if (opened) return opened
    try {
      return await open(call, key, digest)
    } catch (error) {
      // The same request may have been faster.
      const isConflict = (error as { code?: unknown }).code === '23505'
      const other = isConflict ? await findOpened() : undefined
      if (other) return other
      throw error
    }
  }

  /** Shows the vehicle on the sign of its station; never fails, as the inspection is announced anyway. */
  async function callOnSign({ db, session, request, now, language }: AddCall, row: InspectionRow) {
    const key = vehicleOf(row)
    try {
      const isAllowed = (['Vms', 'CurrentMeasurements'] as const).every((right) => hasRight(session.permissions, right))
      if (!isAllowed) throw new Refusal('forbidden', 403)
      const vehicle = key && (await vehicleByKey(db, key))
      if (!key || !vehicle) throw new Refusal('vehicle-not-found', 404)
      if (!(await isOnSign(db, key))) await showOnSign(db, { session, request, now }, vehicle, false)
      return { isShown: true, error: null }
    } catch (error) {
      return { isShown: false, error: signError(error, language) }
    }
  }

  route(api, endpoints.add, async (call) => {
    assertNotAnonymised(call.session)
    const row = await openOnce(call)
    await copyImages(call.db, files, row).catch((error) => {
      api.http.log.warn({ err: error }, 'inspections: images not copied')
    })
    const isCalled = call.body.callOnSign && row.state === 'announced'
    const sign = isCalled ? await callOnSign(call, row) : null
    return { id: row.id, number: numberOf(row), version: row.version, sign }
  })

  route(api, endpoints.list, async ({ db, now, session, query }) => {
    const { dateTimeStart: from, dateTimeEnd: to, locations, states, results, officerId, open = false } = query
    if (from && to && from >= to) throw new Refusal('start-after-end', 400, 'dateTimeEnd')
    const { userId, isReviewer } = actorOf(session)
    const search = { from, to, locations, states, results, officerId, isUnfinished: open }
    const passedBySince = new Date(now.getTime() - PASSED_BY_HOURS * HOUR_MS)
    const page = await inspectionPage(db, { ...search, viewerId: isReviewer ? null : userId, passedBySince }, query)
    const content = await showInspections(db, session, await toInspections(db, page.content))
    return { content, totalCount: page.totalCount }
  })

  route(api, queueEndpoint, ({ db, query }) => queueTimes(db, query.locations))

  route(api, endpoints.read, async ({ db, now, session, params }) => {
    const row = requireVisible(await inspectionById(db, params.id), session, now)
    const [shown] = await showInspections(db, session, [await withDetails(db, row, await toInspection(db, row), now)])
    return shown as endpoints.Inspection
  })

  route(api, endpoints.lastCarrier, async ({ db, now, session, params }) => {
    const row = requireVisible(await inspectionById(db, params.id), session, now)
    const { plateLpr, nationality } = plateOf(row)
    const isKnown = plateLpr !== null && !isAnonymised(session)
    return { carrier: isKnown ? await lastCarrierOf(db, row.id, { plateLpr, nationality }) : null }
  })

  route(api, endpoints.report, async (call) => {
    const { db, now, session, params } = call
    const { id } = requireVisible(await inspectionById(db, params.id), session, now)
    return createReportLink(call, record, { id })
  })

  figuresRoutes(api, figures)
  stepRoutes(api, files)
  photoRoutes(api, files)
}

/** The first error of a failure, with its text. */
const signError = (error: unknown, language: Language) => toApiErrors(toRefusal(error).errors, language)[0] ?? null
