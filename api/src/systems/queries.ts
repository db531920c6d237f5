import type { SystemRight } from '@rogatka/contract/systems.ts'
import { createHolderQueries, type HolderRow } from '../core/token-holders.ts'

export type SystemValues = {
  name: string
  remark: string | null
  locationIds: number[]
  rights: SystemRight[]
  plates: boolean
  validUntil: string
}

export type SystemRow = HolderRow<SystemValues>

export const systemQueries = createHolderQueries<SystemValues>({
  name: 'exchange_system',
  hashColumn: 'key_hash',
  channel: 'system_changed',
  columns: ['rights', 'plates'],
})
