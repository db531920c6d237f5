import { type AlarmPriority, alarmPriorities, type WireAlarm } from '@rogatka/contract/alarms.ts'

/**
 * The highest priority of the alarms of each station whose cause holds, acknowledged or not. Shelved ones do not count, until
 * they return.
 */
export function worstAlarms(
  alarms: readonly Pick<WireAlarm, 'location' | 'priority' | 'state' | 'clearedAt'>[],
): Map<number, AlarmPriority> {
  const worst = new Map<number, AlarmPriority>()
  for (const priority of alarmPriorities.toReversed())
    for (const alarm of alarms) {
      const holds = alarm.state !== 'shelved' && alarm.clearedAt === null
      if (alarm.location && holds && alarm.priority === priority) worst.set(alarm.location.id, priority)
    }
  return worst
}
