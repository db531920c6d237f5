import { useSelf } from '../core/useSelf.ts'
import { useHitWatch } from './useHitWatch.ts'

/** On every page: receives the open hits and sounds the alarm. */
export function HitWatch() {
  useHitWatch(useSelf().data?.id)
  return null
}
