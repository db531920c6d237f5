import type { NewStation, StationKey, StationValues, UpkeepStation } from '@rogatka/contract/locations-upkeep.ts'
import { tokenState } from '@rogatka/domain/core/tokenState.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database } from '../core/database.ts'
import type { Editor } from '../core/editor.ts'
import { notifyStationChange } from '../core/live-events.ts'
import { Refusal } from '../core/refusal.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { beginClosure, endClosure } from './closure-queries.ts'
import { insertKey, type KeyRow, listStationKeys, notifyStationKeyChange, setKeyRevoked } from './key-queries.ts'
import {
  hasVehiclesAbove,
  insertStation,
  lockStation,
  selectStations,
  setClosed,
  setLanes,
  updateStation,
} from './upkeep-queries.ts'

/* Changes of stations and their keys: by the API and by commands. */

/** The fields of a station kept in the audit log. */
const auditedFields = (station: StationValues) => ({
  shortName: station.shortName,
  name: station.name,
  roadNumber: station.roadNumber,
  chainage: station.chainage,
  direction: station.direction,
  speedLimit: station.speedLimit,
  speedLimitHeavy: station.speedLimitHeavy,
  distanceToSign: station.distanceToSign,
  distanceToCheckpoint: station.distanceToCheckpoint,
  chainageAscends: station.chainageAscends,
  latitude: station.latitude,
  longitude: station.longitude,
  silentAfterMinutes: station.silentAfterMinutes,
  overheightAlarm: station.overheightAlarm,
  lanes: station.lanes.map((accuracyClass) => accuracyClass ?? '-'),
})

export const listStations = (db: Database, now: Date): Promise<UpkeepStation[]> => selectStations(db, dateOf(now))

/** @throws 404 if it does not exist */
export async function findStation(db: Database, id: number, now: Date): Promise<UpkeepStation> {
  const [station] = await selectStations(db, dateOf(now), id)
  if (!station) throw new Refusal('location-not-found', 404)
  return station
}

const lock = async (db: Database, id: number, now: Date) => {
  await lockStation(db, id)
  return findStation(db, id, now)
}

/** Adds a station without a key. Call it in a transaction, like all below. */
export async function addStation(db: Database, editor: Editor, { id, ...values }: NewStation): Promise<UpkeepStation> {
  await insertStation(db, id, values, editor.now)
  await setLanes(db, id, values.lanes)
  const added = await findStation(db, id, editor.now)
  await editor.audit(db, { action: 'station-added', subject: added.shortName, after: { id, ...auditedFields(added) } })
  return added
}

/** @throws 409 if it was changed meanwhile, or would lose a lane that has vehicles */
export async function changeStation(
  db: Database,
  editor: Editor,
  id: number,
  values: StationValues,
  version?: number,
): Promise<UpkeepStation> {
  const before = await lock(db, id, editor.now)
  if (version !== undefined && version !== before.version) throw new Refusal('changed-meanwhile', 409)
  if (values.lanes.length < before.lanes.length && (await hasVehiclesAbove(db, id, values.lanes.length)))
    throw new Refusal('lane-in-use', 409, 'lanes')
  await updateStation(db, id, values)
  await setLanes(db, id, values.lanes)
  await notifyStationChange(db, id)
  const after = await findStation(db, id, editor.now)
  const [was, is] = [auditedFields(before), auditedFields(after)]
  await editor.audit(db, { action: 'station-changed', subject: after.shortName, before: was, after: is })
  return after
}

/** Closes a station: its keys are refused from the commit on. */
export async function closeStation(db: Database, editor: Editor, id: number, reason: string): Promise<UpkeepStation> {
  const { closedAt, shortName } = await lock(db, id, editor.now)
  if (closedAt) throw new Refusal('station-closed', 409)
  await setClosed(db, id, editor.now)
  await beginClosure(db, id, editor.now)
  await notifyStationKeyChange(db)
  await editor.audit(db, { action: 'station-closed', subject: shortName, after: { reason } })
  return findStation(db, id, editor.now)
}

/** Opens a closed station with the keys that it had. */
export async function reopenStation(db: Database, editor: Editor, id: number): Promise<UpkeepStation> {
  const { closedAt, shortName } = await lock(db, id, editor.now)
  if (!closedAt) throw new Refusal('station-open', 409)
  await setClosed(db, id, null)
  await endClosure(db, id, editor.now)
  await notifyStationKeyChange(db)
  await editor.audit(db, { action: 'station-reopened', subject: shortName })
  return findStation(db, id, editor.now)
}

const toKey = (row: KeyRow, now: Date): StationKey => ({
  id: row.id,
  created: { at: row.createdAt, by: row.createdBy },
  validUntil: row.validUntil,
  lastUsedAt: row.lastUsedAt,
  revoked: row.revokedAt && { at: row.revokedAt, by: row.revokedBy, reason: row.revokeReason },
  state: tokenState(row, now),
})

/** The keys of a station without their secrets, newest first. */
export async function listKeys(db: Database, id: number, now: Date): Promise<StationKey[]> {
  await findStation(db, id, now)
  return (await listStationKeys(db, id)).map((row) => toKey(row, now))
}

async function findKey(db: Database, id: number, keyId: number, now: Date): Promise<StationKey> {
  const key = (await listKeys(db, id, now)).find((one) => one.id === keyId)
  if (!key) throw new Refusal('station-key-not-found', 404)
  return key
}

/** Creates a key of an open station; its secret is stored nowhere. */
export async function addKey(
  db: Database,
  editor: Editor,
  id: number,
  validUntil: string | null,
): Promise<{ key: StationKey; secret: string }> {
  const { closedAt, shortName } = await lock(db, id, editor.now)
  if (closedAt) throw new Refusal('station-closed', 409)
  if (validUntil && validUntil < dateOf(editor.now)) throw new Refusal('expiry-in-the-past', 422, 'validUntil')
  const secret = newToken()
  const values = { keyHash: hashToken(secret), locationId: id, createdBy: editor.username, validUntil }
  const keyId = await insertKey(db, values, editor.now)
  await editor.audit(db, { action: 'station-key-added', subject: shortName, after: { id: keyId, validUntil } })
  return { key: await findKey(db, id, keyId, editor.now), secret }
}

/** Revokes a key for good: refused by all processes once they are notified of the commit. */
export async function revokeKey(
  db: Database,
  editor: Editor,
  id: number,
  keyId: number,
  reason: string | null,
): Promise<StationKey> {
  const { shortName } = await lock(db, id, editor.now)
  if ((await findKey(db, id, keyId, editor.now)).revoked) throw new Refusal('station-key-revoked', 409)
  await setKeyRevoked(db, keyId, editor.username, reason, editor.now)
  await notifyStationKeyChange(db)
  await editor.audit(db, { action: 'station-key-revoked', subject: shortName, after: { id: keyId, reason } })
  return findKey(db, id, keyId, editor.now)
}
