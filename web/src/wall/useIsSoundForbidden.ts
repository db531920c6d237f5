import { useEffect, useState } from 'react'
import { useSound } from '../core/sound.ts'
import { watchSoundPermission } from '../core/tones.ts'

/** Whether the browser keeps the alarm of hits from being heard; false where no alarm would sound. */
export function useIsSoundForbidden(seesHits: boolean): boolean {
  const { alarm } = useSound()
  const [isForbidden, setForbidden] = useState(false)
  const isNeeded = seesHits && alarm
  useEffect(() => {
    if (!isNeeded) return
    const stop = new AbortController()
    watchSoundPermission(setForbidden, stop.signal)
    return () => stop.abort()
  }, [isNeeded])
  return isNeeded && isForbidden
}
