import { useState } from 'react'
import { readStored, writeStored } from '../core/browserStorage.ts'

function useStoredFlag(name: string) {
  const [isOn, setOn] = useState(() => readStored('local', name) === 'on')
  const set = (on: boolean) => {
    writeStored('local', name, on ? 'on' : null)
    setOn(on)
  }
  return [isOn, set] as const
}

/** How this device shows the overview. */
export function useOverviewSettings() {
  const [isTable, setTable] = useStoredFlag('overview-table')
  const [isUnusualFirst, setUnusualFirst] = useStoredFlag('overview-unusual-first')
  return { isTable, setTable, isUnusualFirst, setUnusualFirst }
}
export type OverviewSettings = ReturnType<typeof useOverviewSettings>
