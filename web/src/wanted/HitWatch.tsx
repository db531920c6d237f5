import { useHitWatch } from './useHitWatch.ts'

/** On every page: receives the open hits and sounds the alarm. */
export function HitWatch() {
  useHitWatch()
  return null
}
