/* Public API of this feature; other features import nothing else. */

export { AlarmList } from './AlarmList.tsx'
export { AlarmMark } from './AlarmMark.tsx'
export { AlarmShelving } from './AlarmShelving.tsx'
export { useOpenAlarms } from './useAlarms.ts'
export { useAlarmTexts } from './useAlarmTexts.ts'
