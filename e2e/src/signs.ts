import * as vms from '@rogatka/contract/vms.ts'
import { call, tokenOf } from './call.ts'
import type { Portal } from './portal.ts'

/** Faults to inject into a simulated sign; absent: none. */
type InjectedFaults = { offline?: 'yes'; rejects?: 'yes'; mode?: 'local'; faults?: string; delay?: string }

type NewSign = {
  chainage: string
  /** Names of contents, by variant from 1. */
  contents: string[]
  plates?: 'yes'
  behaves?: InjectedFaults
}

const options = (values: Record<string, string | undefined>) =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))

/** Parses the id at the end of the output: "group 4" is 4. */
const idOf = (output: string) => Number(/(\d+)\s*$/.exec(output)?.[1])

type SignFace = { lines?: string; pictogram?: string; graphic?: string }

/** Adds a content; `face.lines` are separated by |. Returns its id. */
export async function addContent(portal: Portal, description: string, face: SignFace) {
  return idOf(await portal.manage('sign', 'content', ...options({ description, ...face })))
}

/** Adds a group of simulated signs. Returns the ids of the group and its signs. */
export async function addSignGroup(
  portal: Portal,
  station: number,
  description: string,
  variants: string[],
  contents: Record<string, number>,
  signs: NewSign[],
): Promise<{ id: number; signs: number[] }> {
  const group = { station: String(station), description, variants: variants.join(',') }
  const id = idOf(await portal.manage('sign', 'group', ...options(group)))
  const ids: number[] = []
  for (const [index, { chainage, contents: names, plates, behaves }] of signs.entries()) {
    const sign = { group: String(id), road: 'S8', chainage, driver: 'simulated', host: `10.9.${id % 250}.${index + 1}` }
    const own = names.map((name) => contents[name]).join(',')
    const signId = idOf(await portal.manage('sign', 'add', ...options({ ...sign, plates, contents: own })))
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
