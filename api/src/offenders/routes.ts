import * as endpoints from '@rogatka/contract/offenders.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { inspectionNumber } from '@rogatka/domain/inspections/number.ts'
import { identityForm } from '@rogatka/domain/offenders/identity.ts'
import { assertNotAnonymised } from '../core/anonymity.ts'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { requirePurpose } from '../core/purpose.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { locations } from '../locations/public-api.ts'
import { carrierKeys } from './carrier-keys.ts'
import { recountVehicles } from './count-queries.ts'
import { countedSince } from './derive.ts'
import { lockOffenders, queueSpellings } from './derive-queries.ts'
import { insertSplits, listVehicleIds, setJoins, vehicleOfSplit } from './join-queries.ts'
import {
  carrierPage,
  countedUntil,
  type InspectionRow,
  lastPassages,
  latestInspections,
  listInspections,
  listOffenderDays,
  listSpellings,
  type OffenderDay,
  type OffenderRow,
  offenderById,
  offenderPage,
  passagesBySpelling,
  vehicleNames,
  vehiclesOfCarrier,
  weeklyOverloads,
} from './queries.ts'

const LAST_PASSAGES = 20

async function requireOffender(db: Database, id: number): Promise<OffenderRow> {
  const found = await offenderById(db, id)
  if (!found) throw new Refusal('offender-not-found', 404)
  return found
}

type Figures = Pick<OffenderRow, 'passages' | 'overloads' | 'worst' | 'lastSeen'>

const figuresOf = ({ passages, overloads, worst, lastSeen }: Figures) => ({
  passages,
  overloads,
  share: Math.round((1_000 * overloads) / passages) / 10,
  worst: worst / 10,
  lastSeen,
})

const inspectionOf = ({ id, code, year, sequence, state, announcedAt, results, confirmed }: InspectionRow) => ({
  id,
  number: inspectionNumber(sequence, year, code),
  state,
  announcedAt,
  results,
  confirmed,
})

/** The carrier of the latest inspection that has one. */
function carrierOf(inspections: Awaited<ReturnType<typeof listInspections>>, keyOf: (carrier: string) => string) {
  const found = inspections.find(({ carrier }) => carrier !== null)
  return found?.carrier ? { key: keyOf(found.carrierKey ?? ''), name: found.carrier, taxId: found.taxId } : null
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Mondays of the 12 weeks up to that of a day. */
function weeksUntil(day: string): string[] {
  const at = Date.parse(day)
  const monday = at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS
  return Array.from({ length: endpoints.OFFENDER_WEEKS }, (_, index) =>
    dayText(monday - 7 * DAY_MS * (endpoints.OFFENDER_WEEKS - 1 - index)),
  )
}

/** What a page shows of each of its rows, each with one or several vehicles, besides its figures. */
async function describeRows(db: Database, rows: readonly number[][], day: string) {
  const ids = rows.flat()
  const weeks = weeksUntil(day)
  const until = dayText(Date.parse(weeks.at(-1) as string) + 6 * DAY_MS)
  const weekly = await weeklyOverloads(db, ids, weeks[0] as string, until)
  const names = new Map((await vehicleNames(db, ids)).map((one) => [one.id, one]))
  const inspections = new Map((await latestInspections(db, ids)).map((one) => [one.vehicleId, one]))
  return rows.map((vehicles) => {
    const own = vehicles
      .flatMap((id) => inspections.get(id) ?? [])
      .sort((a, b) => b.announcedAt.getTime() - a.announcedAt.getTime() || b.id - a.id)
    const [last] = own
    return {
      name: names.get(vehicles[0] as number),
      weeks: weeks.map((week) =>
        weekly
          .filter((one) => one.week === week && vehicles.includes(one.vehicleId))
          .reduce((sum, { overloads }) => sum + overloads, 0),
      ),
      inspections: own.reduce((sum, { inspections }) => sum + inspections, 0),
      lastInspection: last ? inspectionOf(last) : null,
    }
  })
}

/** Sums of passages and overloads, by a property of days, in order of appearance. */
function sumDays<Key>(days: readonly OffenderDay[], keyOf: (day: OffenderDay) => Key) {
  return [...Map.groupBy(days, keyOf)].map(([key, group]) => ({
    key,
    passages: group.reduce((sum, { passages }) => sum + passages, 0),
    overloads: group.reduce((sum, { overloads }) => sum + overloads, 0),
  }))
}

/** Names stations, removed ones by their id. */
async function stationNamer(db: Database) {
  const names = new Map((await locations(db)).map((station) => [station.id, station.shortName]))
  return (id: number) => ({ id, shortName: names.get(id) ?? String(id) })
}

async function describePassages(
  db: Database,
  vehicles: readonly number[],
  since: Date,
  locationOf: Awaited<ReturnType<typeof stationNamer>>,
) {
  const passages = await lastPassages(db, vehicles, since, LAST_PASSAGES)
  return passages.map(({ locationId, excess, ...passage }) => ({
    ...passage,
    location: locationOf(locationId),
    excess: excess === null ? null : excess / 10,
  }))
}

/** Registers the routes of repeat offenders. */
export function offendersRoutes(api: Api): void {
  route(api, endpoints.list, async ({ db, now, session, query }) => {
    // Whether and how often somebody offends says who it is: there is no masked view.
    assertNotAnonymised(session)
    await requirePurpose(api, session)
    const { groupBy, ...search } = query
    if (search.from && search.until && search.until < search.from) throw new Refusal('start-after-end', 400, 'until')
    const today = dateOf(now)
    const lastDay = search.until && search.until < today ? search.until : today
    const criteria = { ...search, from: search.from, until: search.until, locations: search.locations }
    const { keyOf } = await carrierKeys(api)
    if (groupBy === 'carrier') {
      const { rows, total, totalOverloads } = await carrierPage(db, criteria)
      const described = await describeRows(
        db,
        rows.map(({ vehicleIds }) => vehicleIds),
        lastDay,
      )
      const content = rows.map((row, index) => {
        const { name: _, ...rest } = described[index] as (typeof described)[number]
        const { key, name, taxId, vehicles } = row
        const carrier = { key: keyOf(key), name, taxId }
        return { ...figuresOf(row), ...rest, offenderSince: null, vehicle: null, carrier, vehicles }
      })
      return { content, totalCount: total, totalOverloads, countedUntil: await countedUntil(db) }
    }
    const { rows, total, totalOverloads } = await offenderPage(db, criteria)
    const described = await describeRows(
      db,
      rows.map(({ vehicleId }) => [vehicleId]),
      lastDay,
    )
    const content = rows.flatMap((row, index) => {
      const { name, ...rest } = described[index] as (typeof described)[number]
      if (!name) return []
      const { offenderSince, key, name: carrierName, taxId } = row
      const carrier = key !== null && carrierName !== null ? { key: keyOf(key), name: carrierName, taxId } : null
      const vehicle = { ...name, country: name.country || null }
      return [{ ...figuresOf(row), ...rest, offenderSince, vehicle, carrier, vehicles: 1 }]
    })
    return { content, totalCount: total, totalOverloads, countedUntil: await countedUntil(db) }
  })

  route(api, endpoints.read, async ({ db, now, session, params }) => {
    assertNotAnonymised(session)
    await requirePurpose(api, session)
    const found = await requireOffender(db, params.id)
    const id = found.vehicleId
    const days = await listOffenderDays(db, id)
    const spellings = await listSpellings(db, id)
    const inspections = await listInspections(db, [id])
    const locationOf = await stationNamer(db)
    const passages = await passagesBySpelling(db, id, countedSince(now), found.lastSeen)
    const [own] = spellings
    return {
      ...figuresOf(found),
      id,
      plate: own?.plate ?? '',
      country: own?.country || null,
      carrier: carrierOf(inspections, (await carrierKeys(api)).keyOf),
      firstSeen: days.at(-1)?.day ?? dateOf(found.lastSeen),
      offenderSince: found.offenderSince,
      spellings: spellings.map(({ id, plate, country, readings, joinedTo, rule, evidence }) => ({
        plate,
        country: country || null,
        passages: passages.get(id) ?? 0,
        readings,
        joined: joinedTo === null || !rule || !evidence ? null : { to: joinedTo, rule, ...evidence },
      })),
      months: sumDays(days, ({ day }) => day.slice(0, 7)).map(({ key: month, ...sums }) => ({ month, ...sums })),
      lastPassages: await describePassages(db, [id], countedSince(now), locationOf),
      stations: sumDays(days, ({ locationId }) => locationId)
        .map(({ key, ...sums }) => ({ location: locationOf(key), ...sums }))
        .sort((a, b) => b.passages - a.passages || a.location.id - b.location.id),
      inspections: inspections.map(inspectionOf),
    }
  })

  route(api, endpoints.readCarrier, async ({ db, now, session, query }) => {
    assertNotAnonymised(session)
    await requirePurpose(api, session)
    const { keyOf, macOf, pads } = await carrierKeys(api)
    const rows = await vehiclesOfCarrier(db, macOf(query.key), pads)
    const [first] = rows
    if (!first) throw new Refusal('offender-not-found', 404)
    const ids = rows.map(({ vehicleId }) => vehicleId)
    const names = new Map((await vehicleNames(db, ids)).map((one) => [one.id, one]))
    const { key, name, taxId } = first
    return {
      ...figuresOf({
        passages: rows.reduce((sum, { passages }) => sum + passages, 0),
        overloads: rows.reduce((sum, { overloads }) => sum + overloads, 0),
        worst: Math.max(...rows.map(({ worst }) => worst)),
        lastSeen: new Date(Math.max(...rows.map(({ lastSeen }) => lastSeen.getTime()))),
      }),
      carrier: { key: keyOf(key), name, taxId },
      vehicles: rows.map((row) => {
        const { plate = '', country = '', joined = 0 } = names.get(row.vehicleId) ?? {}
        return { ...figuresOf(row), id: row.vehicleId, plate, country: country || null, joined }
      }),
      lastPassages: await describePassages(db, ids, countedSince(now), await stationNamer(db)),
      inspections: (await listInspections(db, ids)).map(inspectionOf),
    }
  })

  route(api, endpoints.split, async ({ db, now, session, request, params, body }) => {
    assertNotAnonymised(session)
    return db.transaction(async (db) => {
      await lockOffenders(db)
      const offender = await offenderById(db, params.id)
      const form = identityForm(body.plate) ?? ''
      const country = body.country === undefined ? null : (body.country ?? '')
      const spellings = offender ? await listSpellings(db, offender.vehicleId) : []
      const found = spellings.filter(
        (one) => one.plate === form && one.joinedTo !== null && (country === null || country === one.country),
      )
      const [first] = found
      if (!offender || !first) {
        // Idempotent after a lost response.
        const vehicle = await vehicleOfSplit(db, { id: params.id, form, country })
        if (vehicle !== undefined) return { id: vehicle }
        throw offender ? new Refusal('spelling-not-joined', 422, 'plate') : new Refusal('offender-not-found', 404)
      }
      const { vehicleId } = offender
      for (const { id, plate } of found) {
        await insertSplits(db, { vehicleId, spellingId: id, userId: session.userId, now })
        await audit(
          db,
          { session, request, now },
          {
            action: 'offender-split',
            subject: spellings[0]?.plate ?? '',
            before: { plateLpr: spellings[0]?.plate ?? '' },
            after: { plateLpr: plate },
          },
        )
      }
      const { vehicles: changed } = await setJoins(
        db,
        found.map(({ id }) => ({ id, join: null })),
      )
      await recountVehicles(db, [...new Set(changed)], countedSince(now))
      // They may be spellings of another vehicle.
      await queueSpellings(
        db,
        found.map(({ id }) => id),
      )
      const [vehicle] = await listVehicleIds(db, [first.id])
      return { id: vehicle ?? first.id }
    })
  })
}
