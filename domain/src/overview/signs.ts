import { type OverviewSigns, type SignsState, signsStates } from '@rogatka/contract/overview.ts'
import type { Sign } from '@rogatka/contract/vms.ts'

type ObservedSign = Pick<Sign, 'number' | 'shows'> & {
  vmsStatus: Pick<Sign['vmsStatus'], 'available' | 'condition' | 'faults'>
}

function stateOf({ vmsStatus, shows }: ObservedSign): SignsState {
  if (!vmsStatus.available || vmsStatus.condition === 'unavailable') return 'unavailable'
  if (vmsStatus.condition === 'malfunction') return 'fault'
  return shows && shows.kind !== 'blank' ? 'lit' : 'available'
}

/** Descriptions of contents by id. */
type Descriptions = ReadonlyMap<number, string>

/** Only texts of contents, or the description of one without a text: others may contain a plate. */
function shownOn({ shows }: ObservedSign, descriptions: Descriptions): OverviewSigns['shows'] {
  if (!shows || shows.kind === 'blank') return null
  if (shows.kind !== 'content') return { kind: shows.kind, text: null }
  return { kind: shows.kind, text: shows.text ?? (shows.content && descriptions.get(shows.content.id)) ?? null }
}

/** The signs of a station in short: their worst state, and the first sign in it. Null without signs. */
export function signsInShort(signs: readonly ObservedSign[], descriptions: Descriptions): OverviewSigns | null {
  const states = signs.map(stateOf)
  const state = signsStates.find((one) => states.includes(one))
  const sign = state && signs[states.indexOf(state)]
  if (!state || !sign) return null
  return {
    state,
    working: states.filter((one) => one === 'lit' || one === 'available').length,
    total: signs.length,
    signNumber: state === 'available' ? null : sign.number,
    faults: state === 'fault' ? sign.vmsStatus.faults : [],
    shows: state === 'lit' ? shownOn(sign, descriptions) : null,
  }
}
