import type { AlarmPriority, AlarmState } from '@rogatka/contract/alarms.ts'
import { expect, test } from 'vitest'
import { worstAlarms } from './worstAlarm.ts'

const alarm = (id: number, priority: AlarmPriority, state: AlarmState = 'active') => ({
  location: { id, shortName: 'S8 Wyszków', roadNumber: 'S8' },
  priority,
  state,
  clearedAt: state === 'cleared' ? '2026-10-20T08:00:00Z' : null,
})

test('finds the worst alarm of each station whose cause holds, acknowledged or not', () => {
  const alarms = [
    alarm(1, 'low'),
    alarm(1, 'high', 'acknowledged'),
    alarm(1, 'medium'),
    alarm(2, 'high', 'shelved'),
    alarm(2, 'low'),
    alarm(3, 'high', 'cleared'),
    { ...alarm(4, 'high'), location: null },
  ]
  expect(Object.fromEntries(worstAlarms(alarms))).toEqual({ 1: 'high', 2: 'low' })
})
