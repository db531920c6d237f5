import { createContext, type FocusEvent, type PointerEvent, useContext, useMemo, useState } from 'react'

/** Handlers of an element that belongs to stations, and whether it is joined with the one under the pointer. */
type JoinProps = {
  'data-joined': true | undefined
  onPointerEnter: (event: PointerEvent) => void
  onPointerLeave: () => void
  onFocus: (event: FocusEvent) => void
  onBlur: () => void
}

/** Joins what belongs to the same stations: the mark on the map, the strip and the alarm under the pointer or focus. */
export type StationJoin = {
  /** The stations under the pointer or with the focus. */
  joined: readonly number[]
  /** Properties of an element that belongs to these stations. */
  propsFor: (ids: readonly number[]) => JoinProps
}

const NONE: readonly number[] = []

export function useStationJoin(): StationJoin {
  const [joined, setJoined] = useState(NONE)
  return useMemo(
    () => ({
      joined,
      propsFor: (ids) => ({
        'data-joined': ids.some((id) => joined.includes(id)) || undefined,
        // Touch does not hover.
        onPointerEnter: ({ pointerType }) => pointerType !== 'touch' && setJoined(ids),
        onPointerLeave: () => setJoined(NONE),
        // Clicks leave focus behind; only a visible focus is from the keyboard.
        onFocus: ({ target }) => target.matches(':focus-visible') && setJoined(ids),
        onBlur: () => setJoined(NONE),
      }),
    }),
    [joined],
  )
}

const Context = createContext<StationJoin | null>(null)

/** Shares a join with lists of other features on the page. */
export const StationJoinProvider = Context.Provider

/** Properties of rows that belong to stations; none on pages that join nothing. */
export function useJoinProps(): (ids: readonly number[]) => Partial<JoinProps> {
  const join = useContext(Context)
  return (ids) => (join && ids.length > 0 ? join.propsFor(ids) : {})
}
