/** Lets so many at once do something; the others wait in the order in which they came. */
export function createTurns(limit: number) {
  let free = limit
  const waiting: (() => void)[] = []

  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  return {
    /** Answers how to leave, when it is one's turn; null when the signal came first. */
    async take(signal: AbortSignal): Promise<(() => void) | null> {
      if (signal.aborted) return null
      if (free > 0) free--
      else {
        const came = await new Promise<boolean>((resolve) => {
          const enter = () => resolve(true)
          waiting.push(enter)
          signal.addEventListener('abort', () => {
            const place = waiting.indexOf(enter)
            if (place >= 0) waiting.splice(place, 1)
            resolve(false)
          })
        })
        if (!came) return null
      }
      let left = false
      return () => {
        if (!left) leave()
        left = true
      }
    },
  }
}
