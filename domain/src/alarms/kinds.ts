import { type AlarmKind, type AlarmPriority, alarmKinds } from '@rogatka/contract/alarms.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts'

/** What a source observes; a source that has not reported yet neither raises nor clears. */
export const alarmSources = [
  'vehicles',
  'stations',
  'health',
  'signs',
  'certificates',
  'accuracy',
  'outbox',
  'stamps',
  'disk',
  'evidence',
] as const
export type AlarmSource = (typeof alarmSources)[number]

export type AlarmRule = {
  priority: AlarmPriority
  source: AlarmSource
  /** How long its cause must last before it is raised, and be gone before it is cleared. */
  delayOnMs: number
  delayOffMs: number
  /** Longest shelving; 0: never. */
  maxShelfMs: number
}

const HIGH_SHELF_MS = HOUR_MS
const SHELF_MS = 8 * HOUR_MS

const rule = (priority: AlarmPriority, source: AlarmSource, delays: [onMs: number, offMs: number] = [0, 0]) => ({
  priority,
  source,
  delayOnMs: delays[0],
  delayOffMs: delays[1],
  maxShelfMs: priority === 'high' ? HIGH_SHELF_MS : SHELF_MS,
})

/** Rules of all kinds of alarms (docs/domain.md, Alarms). Dead bands are those of the checks that observe the cause. */
export const alarmRules: Record<AlarmKind, AlarmRule> = {
  'wrong-way': { ...rule('high', 'vehicles'), maxShelfMs: 0 },
  'sign-not-ordered': rule('high', 'signs', [30 * SECOND_MS, 10 * SECOND_MS]),
  'sign-not-cleared': rule('high', 'signs', [30 * SECOND_MS, 0]),
  overload: rule('medium', 'vehicles'),
  'announced-passing': rule('medium', 'vehicles'),
  overheight: rule('medium', 'vehicles'),
  'station-silent': rule('medium', 'stations', [0, MINUTE_MS]),
  'certificate-ended': rule('medium', 'certificates'),
  'certificate-ending': rule('medium', 'certificates'),
  'certificate-nearing': rule('low', 'certificates'),
  'lane-silent': rule('low', 'health', [0, MINUTE_MS]),
  'images-missing': rule('low', 'health', [0, MINUTE_MS]),
  'plates-unreadable': rule('low', 'health', [0, MINUTE_MS]),
  'clock-skew': rule('low', 'health', [0, MINUTE_MS]),
  'calibration-deviation': rule('low', 'health', [0, MINUTE_MS]),
  'class-not-earned': rule('low', 'accuracy'),
  'sign-silent': rule('low', 'signs', [MINUTE_MS, 30 * SECOND_MS]),
  'outbox-stuck': rule('low', 'outbox', [MINUTE_MS, MINUTE_MS]),
  'evidence-broken': rule('low', 'evidence'),
  'evidence-unchecked': rule('low', 'evidence'),
  'sealing-late': rule('low', 'evidence', [10 * MINUTE_MS, MINUTE_MS]),
  'anchors-not-copied': rule('low', 'evidence', [10 * MINUTE_MS, MINUTE_MS]),
  'stamps-missing': rule('low', 'stamps', [MINUTE_MS, MINUTE_MS]),
  'disk-low': rule('low', 'disk', [MINUTE_MS, 5 * MINUTE_MS]),
}

/** Alarms about vehicles on the road, which end with their countdown; all others are about equipment. */
export const isVehicleKind = (kind: AlarmKind): boolean => alarmRules[kind].source === 'vehicles'

export const vehicleKinds: readonly AlarmKind[] = alarmKinds.filter(isVehicleKind)
export const equipmentKinds: readonly AlarmKind[] = alarmKinds.filter((kind) => !isVehicleKind(kind))
