/* Public API of this feature; other features import nothing else. */

export { AlarmList } from './AlarmList.tsx'
export { AlarmShelving } from './AlarmShelving.tsx'
export { useOpenAlarms } from './useAlarms.ts'
