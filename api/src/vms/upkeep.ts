import type {
  ContentValues,
  GroupValues,
  NewSignGroup,
  SignValues,
  UpkeepContent,
  UpkeepGroup,
} from '@rogatka/contract/vms-upkeep.ts'
import type { Database } from '../core/database.ts'
import type { Editor } from '../core/editor.ts'
import { Refusal } from '../core/refusal.ts'
import { locations } from '../locations/public-api.ts'
import {
  deleteSign,
  findPlateSign,
  groups,
  insertGroup,
  insertSign,
  type SignRow,
  setContent,
  signById,
  signs,
} from './queries.ts'
import {
  clearContent,
  deleteContent,
  deleteGroup,
  groupVersions,
  incrementGroupVersion,
  insertContent,
  isContentEnabled,
  lockContent,
  lockGroupsOfStation,
  selectContents,
  updateContent,
  updateGroup,
  updateSign,
} from './upkeep-queries.ts'

/* Changes of groups, signs and contents: by the API and by commands, in a transaction. */

const toSign = (sign: SignRow, variants: number): UpkeepGroup['signs'][number] => ({
  id: sign.id,
  number: sign.number,
  roadNumber: sign.roadNumber,
  chainage: sign.chainage,
  driver: sign.driver,
  host: sign.host,
  port: sign.port,
  showsPlates: sign.showsPlates,
  contentIds: Array.from(
    { length: variants },
    (_, index) => sign.contents.find(({ variant }) => variant === index + 1)?.contentId ?? null,
  ),
})

/** All groups by station, with their signs. */
export async function listGroups(db: Database): Promise<UpkeepGroup[]> {
  const [rows, all, versions] = [await groups(db, undefined), await signs(db), await groupVersions(db)]
  return rows.map(({ id, description, locationId, shortName, variants }) => {
    const own = all.filter(({ groupId }) => groupId === id)
    return {
      id,
      description,
      locationId,
      shortName,
      variants: variants.map((variant) => variant.description),
      enabled: own.some(({ enabledVariant, busy }) => enabledVariant !== null || busy),
      signs: own.map((sign) => toSign(sign, variants.length)),
      version: versions.get(id) ?? 1,
    }
  })
}

async function findGroup(db: Database, id: number): Promise<UpkeepGroup> {
  const group = (await listGroups(db)).find((one) => one.id === id)
  if (!group) throw new Refusal('sign-group-not-found', 404)
  return group
}

/**
 * Locks a group and the others of its station, as only one sign of a station shows plates.
 * @throws 409 if `version` is given and outdated
 */
async function lockGroupVersion(db: Database, id: number, version?: number): Promise<UpkeepGroup> {
  await lockGroupsOfStation(db, id)
  const group = await findGroup(db, id)
  if (version !== undefined && version !== group.version) throw new Refusal('changed-meanwhile', 409)
  return group
}

/** Contents change only while a group is disabled, so that operators know what is shown. */
function assertDisabled({ enabled }: UpkeepGroup): void {
  if (enabled) throw new Refusal('sign-group-enabled', 409)
}

const groupFields = ({ locationId, description, variants }: UpkeepGroup) => ({ locationId, description, variants })

export async function addGroup(db: Database, editor: Editor, values: NewSignGroup): Promise<UpkeepGroup> {
  if (!(await locations(db)).some(({ id }) => id === values.locationId))
    throw new Refusal('location-not-found', 422, 'locationId')
  const added = await findGroup(db, await insertGroup(db, values))
  await editor.audit(db, { action: 'sign-group-added', subject: added.description, after: groupFields(added) })
  return added
}

export async function changeGroup(
  db: Database,
  editor: Editor,
  id: number,
  values: GroupValues,
  version?: number,
): Promise<UpkeepGroup> {
  const before = await lockGroupVersion(db, id, version)
  if (values.variants.length !== before.variants.length) assertDisabled(before)
  await updateGroup(db, id, values)
  await incrementGroupVersion(db, id)
  const after = await findGroup(db, id)
  const [was, is] = [groupFields(before), groupFields(after)]
  await editor.audit(db, { action: 'sign-group-changed', subject: after.description, before: was, after: is })
  return after
}

export async function removeGroup(db: Database, editor: Editor, id: number): Promise<void> {
  const group = await lockGroupVersion(db, id)
  if (group.signs.length > 0) throw new Refusal('sign-group-in-use', 409)
  await deleteGroup(db, id)
  await editor.audit(db, { action: 'sign-group-deleted', subject: group.description, before: groupFields(group) })
}

type Sign = UpkeepGroup['signs'][number]

const signFields = ({ id: _, number: _number, contentIds, ...values }: Sign) => ({ ...values, contents: contentIds })
const signPosition = ({ roadNumber, chainage }: Pick<Sign, 'roadNumber' | 'chainage'>) => `${roadNumber} ${chainage}`

/** Refuses contents that do not exist or do not fit the variants, and a second sign for plates of a station. */
async function checkSign(db: Database, group: UpkeepGroup, values: SignValues, own?: number): Promise<void> {
  if (values.contentIds.length !== group.variants.length) throw new Refusal('contents-by-variant', 422, 'contentIds')
  const known = new Set((await selectContents(db)).map(({ id }) => id))
  if (values.contentIds.some((id) => id !== null && !known.has(id)))
    throw new Refusal('content-not-found', 422, 'contentIds')
  const plateSign = values.showsPlates ? await findPlateSign(db, group.locationId) : undefined
  if (plateSign && plateSign.id !== own) throw new Refusal('plate-sign-exists', 409, 'showsPlates')
}

/** Adds a sign at the end of a group; returns its id, too. */
export async function addSign(
  db: Database,
  editor: Editor,
  groupId: number,
  values: SignValues,
): Promise<{ group: UpkeepGroup; id: number }> {
  const before = await lockGroupVersion(db, groupId)
  assertDisabled(before)
  await checkSign(db, before, values)
  const { community = 'public', contentIds, ...rest } = values
  const id = await insertSign(db, { ...rest, community, groupId, contentIds: [] })
  await setContents(db, id, contentIds)
  await incrementGroupVersion(db, groupId)
  const group = await findGroup(db, groupId)
  const added = group.signs.find((sign) => sign.id === id) as Sign
  await editor.audit(db, { action: 'sign-added', subject: signPosition(added), after: signFields(added) })
  return { group, id }
}

async function setContents(db: Database, id: number, contentIds: SignValues['contentIds']): Promise<void> {
  for (const [index, contentId] of contentIds.entries())
    if (contentId === null) await clearContent(db, id, index + 1)
    else await setContent(db, id, index + 1, contentId)
}

/** A sign and its locked, disabled group. */
async function lockSign(db: Database, id: number, version?: number): Promise<{ group: UpkeepGroup; sign: Sign }> {
  const found = await signById(db, id)
  if (!found) throw new Refusal('sign-not-found', 404)
  const group = await lockGroupVersion(db, found.groupId, version)
  assertDisabled(group)
  const sign = group.signs.find((one) => one.id === id)
  if (!sign) throw new Refusal('sign-not-found', 404)
  return { group, sign }
}

export async function changeSign(
  db: Database,
  editor: Editor,
  id: number,
  values: SignValues,
  version?: number,
): Promise<UpkeepGroup> {
  const { group, sign: before } = await lockSign(db, id, version)
  await checkSign(db, group, values, id)
  await updateSign(db, id, values)
  await setContents(db, id, values.contentIds)
  await incrementGroupVersion(db, group.id)
  const changed = await findGroup(db, group.id)
  const after = changed.signs.find((sign) => sign.id === id) as Sign
  // The community is a secret: only that it was set.
  const is = { ...signFields(after), ...(values.community !== undefined && { communityChanged: true }) }
  await editor.audit(db, {
    action: 'sign-changed',
    subject: signPosition(after),
    before: signFields(before),
    after: is,
  })
  return changed
}

/** Sets the content of a sign in one variant. */
export async function changeSignContent(
  db: Database,
  editor: Editor,
  { id, variant, contentId }: { id: number; variant: number; contentId: number },
): Promise<void> {
  const { sign } = await lockSign(db, id)
  if (variant > sign.contentIds.length) throw new Refusal('variant-not-found', 404)
  await changeSign(db, editor, id, { ...sign, contentIds: sign.contentIds.with(variant - 1, contentId) })
}

export async function removeSign(db: Database, editor: Editor, id: number): Promise<void> {
  const { group, sign } = await lockSign(db, id)
  await deleteSign(db, id)
  await incrementGroupVersion(db, group.id)
  await editor.audit(db, { action: 'sign-deleted', subject: signPosition(sign), before: signFields(sign) })
}

async function findContent(db: Database, id: number): Promise<UpkeepContent> {
  const [content] = await selectContents(db, id)
  if (!content) throw new Refusal('content-not-found', 404)
  return content
}

const contentFields = ({ description, pictogram, graphic, lines }: UpkeepContent) => ({
  description,
  pictogram,
  graphic,
  lines,
})

export async function addContent(db: Database, editor: Editor, values: ContentValues): Promise<UpkeepContent> {
  const added = await findContent(db, await insertContent(db, values))
  await editor.audit(db, { action: 'sign-content-added', subject: added.description, after: contentFields(added) })
  return added
}

export async function changeContent(
  db: Database,
  editor: Editor,
  id: number,
  values: ContentValues,
  version?: number,
): Promise<UpkeepContent> {
  await lockContent(db, id)
  const before = await findContent(db, id)
  if (version !== undefined && version !== before.version) throw new Refusal('changed-meanwhile', 409)
  if (await isContentEnabled(db, id)) throw new Refusal('sign-group-enabled', 409)
  await updateContent(db, id, values)
  const after = await findContent(db, id)
  const [was, is] = [contentFields(before), contentFields(after)]
  await editor.audit(db, { action: 'sign-content-changed', subject: after.description, before: was, after: is })
  return after
}

export async function removeContent(db: Database, editor: Editor, id: number): Promise<void> {
  await lockContent(db, id)
  const content = await findContent(db, id)
  if (content.uses > 0) throw new Refusal('content-in-use', 409)
  await deleteContent(db, id)
  await editor.audit(db, {
    action: 'sign-content-deleted',
    subject: content.description,
    before: contentFields(content),
  })
}
