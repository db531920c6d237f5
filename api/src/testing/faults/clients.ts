import { API_BASE } from '@rogatka/contract/endpoint.ts'
import type { History } from './history.ts'
import type { Portal } from './portal.ts'
import type { Owner } from './world.ts'

const POLL_MS = 1_000
const COMMAND_TIMEOUT_MS = 40_000
const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * A client of the live list. Collects the vehicles that it has been shown. It polls now this, now that process, or, if it
 * stays, the same one as long as that lives.
 */
export function runViewer({ world, pick, living }: History, name: string, stays: boolean): { seen: Set<number> } {
  const viewer: Owner = { name, isAlive: true }
  const seen = new Set<number>()
  let lastId: number | undefined
  let last: Portal | undefined
  const poll = () => {
    last = stays && last && living().includes(last) ? last : pick()
    const window = last?.live.current()
    if (!window) return
    const now = new Date(world.nowMs())
    for (const { id } of window.since(lastId, now)) seen.add(id)
    lastId = window.lastId(now) ?? undefined
  }
  world.addTimer(viewer, POLL_MS, poll, POLL_MS)
  return { seen }
}

type SignResult = { vms: { id: number }; done: boolean }

/** Someone who commands the signs, and checks what is reported as done. */
export async function runOperator(history: History): Promise<void> {
  const { world, base, signs } = history
  const { random } = world
  const operator: Owner = { name: 'operator', isAlive: true }
  const headers = { authorization: `Bearer ${base.token}` }
  for (let count = 1 + random.below(3); count > 0; count--) {
    await world.wait(operator, random.below(5_000))
    const portal = history.pick()
    if (!portal) continue
    const variant = random.pick([1, 2, null])
    const askedMs = world.nowMs()
    const shown = variant === null ? '' : (base.contents[variant - 1] as string)
    await history.send(
      operator,
      portal,
      {
        label: `variant ${variant}`,
        method: variant === null ? 'DELETE' : 'PUT',
        url: `${API_BASE}/vms-groups-status/${base.groupId}/variant${variant === null ? '' : `/${variant}`}`,
        headers,
        timeoutMs: random.pick([1_000, COMMAND_TIMEOUT_MS]),
      },
      ({ status, body }) => {
        if (status !== 200) return
        for (const { vms, done } of (body as { results: SignResult[] }).results)
          if (done && !signs.hasShown(vms.id, shown, askedMs))
            world.violate(`sign ${vms.id}: ${JSON.stringify(shown)} reported as done, but was not shown`)
      },
    )
  }
}

/** What a user has reported: tickets by their description, with the last change that was confirmed. */
export type ReportedTicket = { id: number; description: string; status: string }

/** Someone who reports failures, and changes the reports. */
export async function runReporter(history: History): Promise<ReportedTicket[]> {
  const { world, base } = history
  const { random } = world
  const reporter: Owner = { name: 'reporter', isAlive: true }
  const headers = { authorization: `Bearer ${base.token}`, ...JSON_TYPE }
  const reported: ReportedTicket[] = []
  const request = async (label: string, method: 'POST' | 'PUT', path: string, body: object) => {
    const portal = history.pick()
    if (!portal) return
    const url = `${API_BASE}${path}`
    await history.send(
      reporter,
      portal,
      { label, method, url, headers, payload: JSON.stringify(body), timeoutMs: 20_000 },
      ({ status, body }) => {
        if (status !== 200 && status !== 201) return
        const ticket = body as ReportedTicket
        const known = reported.find(({ id }) => id === ticket.id)
        if (known) Object.assign(known, ticket)
        else reported.push(ticket)
      },
    )
  }
  for (let count = 1 + random.below(2); count > 0; count--) {
    await world.wait(reporter, random.below(4_000))
    const description = `Failure ${count}`
    await request('ticket', 'POST', '/tickets', { title: `Ticket ${count}`, description, locationId: 7 })
  }
  for (let count = random.below(4); count > 0 && reported.length > 0; count--) {
    const time = world.wait(reporter, random.below(60_000))
    // Sometimes while a ticket is being sent.
    await (random.happens(0.5) ? Promise.race([time, history.tickets.nextChange()]) : time)
    const { id } = random.pick(reported)
    const status = random.pick(['open', 'in_progress', 'closed'])
    const description = `Failure ${random.below(3)}`
    await request('change', 'PUT', `/tickets/${id}`, { title: 'Ticket', description, status })
  }
  return reported
}
