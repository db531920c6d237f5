import { useEffect, useState } from 'react'

/** Object URL of a blob; undefined after a change until the new URL exists. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [current, setCurrent] = useState<{ blob: Blob; url: string }>()
  useEffect(() => {
    if (!blob) return
    const url = URL.createObjectURL(blob)
    setCurrent({ blob, url })
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return current?.blob === blob ? current?.url : undefined
}
