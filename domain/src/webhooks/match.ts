import type { Webhook } from '@rogatka/contract/webhooks.ts'

type Filter = Pick<Webhook, 'locationIds' | 'ctg8p1' | 'minExcess'> & { events: readonly string[] }

/** An event; `locationId` 0: of no station. */
type Event = { type: string; locationId: number; data: unknown }

/** What filters read of an overloaded vehicle: its class, and its excess in percent. */
type Overloaded = { ctg8p1: number | null; overloadSA: number; overloadMA: number; overloadTL: number }

/** Whether a subscription wants an event. */
export function wantsEvent({ events, locationIds, ctg8p1, minExcess }: Filter, event: Event): boolean {
  if (!events.includes(event.type)) return false
  if (locationIds && !locationIds.includes(event.locationId)) return false
  if (event.type !== 'vehicle.overloaded') return true
  const vehicle = event.data as Overloaded
  if (ctg8p1 && !ctg8p1.includes(vehicle.ctg8p1 ?? 0)) return false
  return minExcess === null || Math.max(vehicle.overloadSA, vehicle.overloadMA, vehicle.overloadTL) >= minExcess
}
