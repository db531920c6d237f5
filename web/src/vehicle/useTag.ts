import { newTag, type Tag, type WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { retag } from '../ui/vehicle/retag.ts'
import { endpointsOf, keyOf, type PassageKey, passageKeyOf, type Source } from './useVehicleSource.ts'

/** Tags are private: the response contains only the user's own. */
export const isTagged = ({ tags = [] }: Pick<WireVehicle, 'tags'>): boolean => tags.length > 0

/** Optimistic tag until the server returns the real one. */
const optimisticTag: Tag = { id: 0, private: true, type: 1, data: null, description: null }

/** Vehicles with a pending tag request; further clicks are ignored. */
const pendingIds = new Set<number>()

const callOptions = { background: true } as const

async function add(passage: PassageKey): Promise<Tag[]> {
  const tag = await call(endpointsOf(passage.source).addTag, {
    params: { id: passage.id },
    query: keyOf(passage),
    body: newTag.parse({}),
    ...callOptions,
  })
  if (tag?.id) return [tag]
  console.warn(`The tag of vehicle ${passage.id} came back without an id.`)
  return []
}

async function remove(passage: PassageKey, tags: readonly Tag[]): Promise<Tag[]> {
  const query = keyOf(passage)
  for (const { id } of tags) {
    await call(endpointsOf(passage.source).removeTag, { params: { id: passage.id, tagId: id }, query, ...callOptions })
  }
  return []
}

type Listener = (vehicle: WireVehicle, tags: Tag[]) => void
const listeners = new Set<Listener>()

/** Subscribes to all tag changes; returns the function that unsubscribes. */
export function onTags(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Toggles the private tag with an optimistic update, which is reverted on errors. Returns a stable function. */
export function useTag(source: Source) {
  const { t } = useTranslation('vehicle')
  const client = useQueryClient()
  const showWarning = useWarningToast()
  const latest = useRef({ t, showWarning })
  useEffect(() => {
    latest.current = { t, showWarning }
  })

  return useCallback(
    async (vehicle: WireVehicle) => {
      const { id, tags = [] } = vehicle
      if (pendingIds.has(id)) return
      pendingIds.add(id)
      const tagged = isTagged(vehicle)
      const show = (tags: Tag[]) => {
        for (const listener of listeners) listener(vehicle, tags)
        client.setQueriesData<WireVehicle>(
          { queryKey: ['vehicle', source, id] },
          (old) => old && retag(old, vehicle, tags),
        )
      }
      const passage = passageKeyOf(source, vehicle)
      show(tagged ? [] : [optimisticTag])
      try {
        show(await (tagged ? remove(passage, tags) : add(passage)))
      } catch (error) {
        show(tags)
        latest.current.showWarning(latest.current.t(tagged ? 'untag-failed' : 'tag-failed'), error)
      } finally {
        pendingIds.delete(id)
      }
    },
    [source, client],
  )
}
