import type { DeviceColumns } from '@rogatka/contract/devices.ts'
import { createHolderQueries, type HolderRow } from '../core/token-holders.ts'

export type DeviceValues = {
  name: string
  remark: string | null
  locationIds: number[]
  columns: DeviceColumns
  anonymised: boolean
  wanted: boolean
  validUntil: string | null
}

export type DeviceRow = HolderRow<DeviceValues>

export const deviceQueries = createHolderQueries<DeviceValues>({
  name: 'device',
  hashColumn: 'token_hash',
  channel: 'device_changed',
  columns: ['columns', 'anonymised', 'wanted'],
})
