import type { InjectOptions } from 'fastify'
import type { Portal } from './portal.ts'
import type { Owner, World } from './world.ts'

export type NetworkFaults = { lost: number; unanswered: number; repeated: number; slow: number }

export type NetworkAnswer = { status: number; body: unknown }
type Request = InjectOptions & { label: string; timeoutMs: number }

/**
 * The network between clients and processes. A request, or its answer, may be lost or late, and a request may arrive twice.
 * `onAnswer` is called when the process has answered, whether or not the answer arrives.
 */
export const createNetwork = (world: World, faults: NetworkFaults) => {
  const happens = (probability: number) => !world.isCalm && world.random.happens(probability)

  /** The answer; null if none arrived in time. */
  return (
    client: Owner,
    portal: Portal,
    { label, timeoutMs, ...request }: Request,
    onAnswer: (answer: NetworkAnswer) => void | Promise<void>,
  ): Promise<NetworkAnswer | null> =>
    new Promise((resolve) => {
      const timer = world.addTimer(client, timeoutMs, () => resolve(null), null)
      const arrive = () =>
        world.park(portal.owner, null, `request ${label}`, () => {
          void portal.http.inject(request).then(({ statusCode: status, body: text }) => {
            const body = text && JSON.parse(text)
            world.record(portal.owner, `answered ${label}: ${status} ${text.slice(0, 300)}`)
            world.await(onAnswer({ status, body }))
            const deliver = () => {
              world.removeTimer(timer)
              resolve({ status, body })
            }
            if (happens(faults.unanswered)) return
            if (happens(faults.slow)) world.addTimer(client, world.random.below(timeoutMs * 2), deliver, null)
            else world.park(client, null, `answer ${label}: ${status}`, deliver)
          })
        })
      if (happens(faults.lost)) return
      arrive()
      if (happens(faults.repeated)) arrive()
    })
}

export type Network = ReturnType<typeof createNetwork>
