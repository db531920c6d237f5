import { newTag, type Tag, type WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { retag } from '../ui/vehicle/retag.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { setOwnTags } from './ownTags.ts'
import { endpointsOf, keyOf, locatorOf, type Source, type VehicleLocator } from './useVehicle.ts'

/** Tags are private: the response contains only the user's own. */
export const isTagged = ({ tags = [] }: Pick<WireVehicle, 'tags'>): boolean => tags.length > 0

/** Optimistic tag until the server returns the real one. */
const optimisticTag: Tag = { id: 0, private: true, type: 1, data: null, description: null }

/** Vehicles with a pending tag request, by key: whether the user wants them tagged in the end. */
const desiredTagged = new Map<string, boolean>()

const callOptions = { background: true } as const

async function add(locator: VehicleLocator): Promise<Tag[]> {
  const tag = await call(endpointsOf(locator.source).addTag, {
    params: { id: locator.id },
    query: keyOf(locator),
    body: newTag.parse({}),
    ...callOptions,
  })
  if (tag?.id) return [tag]
  console.warn(`The tag of vehicle ${locator.id} came back without an id.`)
  return []
}

async function remove(locator: VehicleLocator, tags: readonly Tag[]): Promise<Tag[]> {
  const query = keyOf(locator)
  for (const { id } of tags) {
    await call(endpointsOf(locator.source).removeTag, { params: { id: locator.id, tagId: id }, query, ...callOptions })
  }
  return []
}

/**
 * Toggles the private tag with an optimistic update, which is reverted on errors. A click while a request is pending is
 * carried out after it. Returns a stable function.
 */
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
      const key = vehicleKey(vehicle)
      const show = (tags: Tag[], since: number | null) => {
        setOwnTags(vehicle, tags, since)
        client.setQueriesData<WireVehicle>(
          { queryKey: ['vehicle', source, vehicle.id] },
          (old) => old && retag(old, vehicle, tags),
        )
      }
      const isPending = desiredTagged.has(key)
      desiredTagged.set(key, !isTagged(vehicle))
      show(isTagged(vehicle) ? [] : [optimisticTag], null)
      if (isPending) return

      const since = performance.now()
      const locator = locatorOf(source, vehicle)
      let { tags = [] } = vehicle
      try {
        let desired: boolean | undefined
        do {
          desired = desiredTagged.get(key)
          if (desired !== isTagged({ tags })) tags = await (desired ? add(locator) : remove(locator, tags))
        } while (desired !== desiredTagged.get(key))
      } catch (error) {
        latest.current.showWarning(latest.current.t(isTagged({ tags }) ? 'untag-failed' : 'tag-failed'), error)
      } finally {
        desiredTagged.delete(key)
        show(tags, since)
      }
    },
    [source, client],
  )
}
