import { type Owner, owners, type World } from './world.ts'

export type TicketFaults = { lost: number; unanswered: number; late: number; failed: number; slow: number }

/** A request that nobody waits for may still take effect within this time; the portal reckons with a minute. */
const MAX_LATE_MS = 40_000
/** Some answers come after the portal has given up. */
const MAX_SLOW_MS = [500, 5_000, 20_000]

type Ticket = {
  id: number
  number: string
  title: string
  group: string
  state: string
  owner_id: number
  organization: null
  created_at: string
  updated_at: string
  close_at: string | null
}
type Article = { id: number; ticket: number; subject: string; body: string }
type Body = {
  title?: string
  state?: string
  owner_id?: number
  article?: { subject: string; body: string }
}

const STATES = ['new', 'open', 'closed'].map((name, index) => ({ id: index + 1, name, state_type: name, active: true }))
const OWN_ID = 2
const NOBODY = 1

/** A ticket service like Zammad, as far as the portal uses it. Requests and answers get lost, or take effect late. */
export function createTicketService(world: World, faults: TicketFaults) {
  const tickets: Ticket[] = []
  const articles: Article[] = []
  const service: Owner = { name: 'tickets', isAlive: true }
  const stamp = () => new Date(world.nowMs()).toISOString()
  const happens = (probability: number) => !world.isCalm && world.random.happens(probability)
  let nextChange = Promise.withResolvers<void>()

  const addArticle = (ticket: number, { subject, body }: { subject: string; body: string }) =>
    articles.push({ id: 900 + articles.length, ticket, subject, body })

  function add({ title = '', state = 'new', owner_id = NOBODY, article }: Body): Ticket {
    const id = 500 + tickets.length
    const at = stamp()
    const ticket = {
      id,
      number: `77${id}`,
      title,
      group: 'Users',
      state,
      owner_id,
      organization: null,
      created_at: at,
      updated_at: at,
      close_at: state === 'closed' ? at : null,
    }
    tickets.push(ticket)
    if (article) addArticle(id, article)
    world.record(service, `ticket ${id} ${state} ${title}`)
    return ticket
  }

  function change(ticket: Ticket, { title, state, owner_id, article }: Body): Ticket {
    if (state !== undefined && state !== ticket.state) ticket.close_at = state === 'closed' ? stamp() : null
    if (title !== undefined) ticket.title = title
    if (owner_id !== undefined) ticket.owner_id = owner_id
    ticket.state = state ?? ticket.state
    ticket.updated_at = stamp()
    if (article) addArticle(ticket.id, article)
    world.record(service, `ticket ${ticket.id} ${ticket.state} ${ticket.title}`)
    return ticket
  }

  /** Status and body of the answer. */
  function respond(method: string, path: string, query: URLSearchParams, body: Body): [number, unknown] {
    if (path === '/users/me') return [200, { id: OWN_ID }]
    if (path === '/users/2') return [200, { login: 'rogatka', firstname: '', lastname: '' }]
    if (path === '/groups') return [200, [{ id: 1, name: 'Users' }]]
    if (path === '/ticket_states') return [200, STATES]
    if (path === '/organizations') return [200, []]
    if (path === '/tickets' && method === 'POST') return [201, add(body)]
    if (path === '/tickets') {
      const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))]
      return [200, tickets.slice((page - 1) * size, page * size)]
    }
    const ticket = tickets.find(({ id }) => path.endsWith(`/${id}`))
    if (!ticket) return [404, { error: 'Not found' }]
    if (path.startsWith('/ticket_articles/'))
      return [200, articles.filter((article) => article.ticket === ticket.id).map((it) => ({ ...it, attachments: [] }))]
    return [200, method === 'PUT' ? change(ticket, body) : ticket]
  }

  const fetchSimulated = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { owner } = owners.getStore() as { owner: Owner }
    const url = new URL(String(input))
    const method = init.method ?? 'GET'
    const path = url.pathname.replace('/api/v1', '')
    const body = (typeof init.body === 'string' ? JSON.parse(init.body) : {}) as Body
    const isChange = method !== 'GET'
    const execute = () => structuredClone(respond(method, path, url.searchParams, body))
    const answered = world.call(owner, `${method} ${path}${url.search}`, (): [number, unknown] | null => {
      if (isChange) nextChange.resolve()
      if (happens(faults.lost)) return null
      if (isChange && happens(faults.late)) {
        world.addTimer(service, world.random.below(MAX_LATE_MS), execute, null)
        return null
      }
      const answer = execute()
      if (isChange) world.onDone(owner)
      if (happens(faults.failed)) return [500, { error: 'Internal Server Error' }]
      return happens(faults.unanswered) ? null : answer
    })
    const { signal } = init
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const answer = await Promise.race([answered, aborted])
    if (answer === null) return aborted
    if (happens(faults.slow)) {
      const ms = world.random.below(world.random.pick(MAX_SLOW_MS))
      await Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), aborted])
    }
    const [status, value] = answer
    world.record(owner, `answer ${status} ${JSON.stringify(value).slice(0, 200)}`)
    // Without a stream, whose reading would take turns of its own.
    return { ok: status < 400, status, json: async () => value } as Response
  }

  return {
    fetch: fetchSimulated as typeof fetch,
    tickets: tickets as readonly Ticket[],
    /** Resolves when the next request arrives that creates or changes a ticket. */
    nextChange: (): Promise<void> => {
      nextChange = Promise.withResolvers()
      return nextChange.promise
    },
    articlesOf: (id: number) => articles.filter(({ ticket }) => ticket === id),
  }
}

export type TicketService = ReturnType<typeof createTicketService>
