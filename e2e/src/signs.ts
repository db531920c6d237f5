import * as vms from '@rogatka/contract/vms.ts'
import * as upkeep from '@rogatka/contract/vms-upkeep.ts'
import { call, tokenOf } from './call.ts'
import type { Portal } from './portal.ts'

/** Faults to inject into a simulated sign; absent: none. */
type InjectedFaults = { offline?: 'yes'; rejects?: 'yes'; mode?: 'local'; faults?: string; delay?: string }

type NewSign = {
  chainage: string
  /** Names of contents, by variant from 1. */
  contents: string[]
  showsPlates?: boolean
  behaves?: InjectedFaults
}

const options = (values: Record<string, string | undefined>) =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))

type SignFace = { lines?: string[]; pictogram?: upkeep.PictogramName; graphic?: number }

/** Adds a content. Returns its id. */
export async function addContent(portal: Portal, description: string, face: SignFace): Promise<number> {
  const body = { description, pictogram: null, graphic: null, lines: [], ...face }
  return (await call(portal, await tokenOf(portal), upkeep.addSignContent, { body })).id
}

/** Adds a group of simulated signs. Returns the ids of the group and its signs. */
export async function addSignGroup(
  portal: Portal,
  locationId: number,
  description: string,
  variants: string[],
  contents: Record<string, number>,
  signs: NewSign[],
): Promise<{ id: number; signs: number[] }> {
  const token = await tokenOf(portal)
  const { id } = await call(portal, token, upkeep.addSignGroup, { body: { description, variants, locationId } })
  const ids: number[] = []
  for (const [index, { chainage, contents: names, showsPlates = false, behaves }] of signs.entries()) {
    const address = { driver: 'simulated' as const, host: `10.9.${id % 250}.${index + 1}`, port: 161 }
    const contentIds = names.map((name) => contents[name] ?? null)
    const body = { roadNumber: 'S8', chainage, ...address, showsPlates, contentIds }
    const group = await call(portal, token, upkeep.addSign, { params: { id }, body })
    const signId = group.signs[index]?.id ?? Number.NaN
    if (behaves) await portal.manage('sign', 'behave', ...options({ sign: String(signId), ...behaves }))
    ids.push(signId)
  }
  return { id, signs: ids }
}

/** Enables a variant over HTTP, as the administrator. */
export async function enable(portal: Portal, groupId: number, variantId = 1) {
  return call(portal, await tokenOf(portal), vms.enableVariant, { params: { groupId, variantId } })
}

export async function disable(portal: Portal, groupId: number) {
  return call(portal, await tokenOf(portal), vms.disableVariant, { params: { groupId } })
}
