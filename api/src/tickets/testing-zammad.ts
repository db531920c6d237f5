import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { outbox } from '@rogatka/contract/activity.ts'
import * as endpoints from '@rogatka/contract/tickets.ts'
import type { Config } from '../config.ts'
import { sql } from '../core/statement.ts'
import { listenUntilFinished } from '../testing/services.ts'
import { testApi } from '../testing/test-api.ts'

type User = {
  id: number
  login: string
  email: string
  password: string
  roles: string[]
  group_ids: object
  firstname?: string
  lastname?: string
  organization_id?: number
}
type File = { id: number; filename: string; size: number; bytes: Buffer; type: string }
type Article = { id: number; ticket_id: number; body: string; subject: string; from: string; attachments: File[] }
type Ticket = {
  id: number
  number: string
  title: string
  group: string
  state: string
  owner_id: number
  customer_id: number
  organization: string | null
  created_at: string
  updated_at: string
  close_at: string | null
  by: string
}
type FakeResponse = { status: number; body?: unknown; bytes?: Buffer }

const STATES = [
  { id: 1, name: 'new', state_type: 'new', active: true },
  { id: 2, name: 'open', state_type: 'open', active: true },
  { id: 3, name: 'pending reminder', state_type: 'pending reminder', active: true },
  { id: 4, name: 'closed', state_type: 'closed', active: true },
]
const ADMIN = 'admin-token'

/** A fake Zammad: validates requests as strictly, stores data, and can simulate failures. */
export async function createFakeZammad(clock: { now: Date }) {
  const users: User[] = [
    { id: 1, login: '-', email: '', password: '', roles: [], group_ids: {} },
    { id: 2, login: 'rogatka', email: 'rogatka@example.org', password: 'x', roles: ['Agent'], group_ids: {} },
  ]
  const organizations = [{ id: 11, name: 'Zarząd Dróg Testowych' }]
  const tickets: Ticket[] = []
  const articles: Article[] = []
  const tokens = new Map<string, number>([[ADMIN, 2]])
  const labels = new Map<string, string>()
  const requests: string[] = []
  let fileCount = 0
  const mood = {
    /** Returns this status for matching method and path, without effect. */
    refuse: null as null | { match: RegExp; status: number },
    /** Returns 422 for requests that contain this text, without effect. */
    refuseText: null as null | string,
    /** Executes matching requests, then returns 500. */
    loseAnswerOf: null as null | RegExp,
    /** Delays the response after executing the request. */
    slowMs: 0,
    down: false,
    /** Newer versions return `{ token }`, versions up to 5 the token as `{ name }`. */
    tokenAnswer: 'token' as 'token' | 'name' | 'none',
    /** How far its clock is ahead. */
    aheadMs: 0,
  }

  const errorResponse = (status: number, error: string): FakeResponse => ({
    status,
    body: { error, error_human: error },
  })
  const stamp = () => new Date(clock.now.getTime() + mood.aheadMs).toISOString()
  const toResponse = ({ by: _, ...ticket }: Ticket) => ticket

  function userOf(request: IncomingMessage): User | null {
    const header = request.headers.authorization ?? ''
    const token = /^Token token=(\S+)$/.exec(header)?.[1]
    if (token) return users.find(({ id }) => id === tokens.get(token)) ?? null
    const [login, password] = Buffer.from(/^Basic (\S+)$/.exec(header)?.[1] ?? '', 'base64')
      .toString()
      .split(':')
    return users.find((user) => user.login === login && user.password === password && password !== '') ?? null
  }

  function fileOf(attachment: { filename?: string; data?: string; 'mime-type'?: string }): File | null {
    const { filename, data, 'mime-type': type } = attachment
    // Strict base64: padded groups of four.
    if (!filename || !type || !data || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(data))
      return null
    const bytes = Buffer.from(data, 'base64')
    return { id: 1_000 + articles.length * 10 + 1 + fileCount++, filename, size: bytes.length, bytes, type }
  }

  function addTicket(body: Record<string, unknown>, by: User): FakeResponse {
    const { title, group, customer_id, state, article } = body as {
      title?: string
      group?: string
      customer_id?: number | string
      state?: string
      article?: { subject?: string; body?: string; type?: string; internal?: boolean; attachments?: object[] }
    }
    if (!title || group !== 'Users' || !article?.body) return errorResponse(422, 'Missing required value')
    if (!STATES.some(({ name }) => name === state)) return errorResponse(422, `No lookup value found for 'state'`)
    const guessed = /^guess:(.+@.+)$/.exec(String(customer_id))?.[1]
    const customer = guessed ? 99 : users.find(({ id }) => id === customer_id)?.id
    if (!customer) return errorResponse(422, `Invalid value for param 'customer_id'`)
    if (article.type !== 'note' || article.internal !== false) return errorResponse(422, 'Invalid article')
    const files = (article.attachments ?? []).map(fileOf)
    if (files.includes(null)) return errorResponse(422, `Invalid base64 for attachment with index '0'`)
    const id = 500 + tickets.length
    const organization_id = users.find((user) => user.id === customer)?.organization_id
    tickets.push({
      id,
      number: `77${id}`,
      title,
      group,
      state: state as string,
      owner_id: typeof body.owner_id === 'number' ? body.owner_id : 1,
      customer_id: customer,
      organization: organizations.find(({ id }) => id === organization_id)?.name ?? null,
      created_at: stamp(),
      updated_at: stamp(),
      close_at: state === 'closed' ? stamp() : null,
      by: by.login,
    })
    articles.push({
      id: 900 + articles.length,
      ticket_id: id,
      body: article.body,
      subject: article.subject ?? '',
      from: by.login,
      attachments: files as File[],
    })
    return { status: 201, body: toResponse(tickets.at(-1) as Ticket) }
  }

  function respond(method: string, url: URL, body: Record<string, unknown>, request: IncomingMessage): FakeResponse {
    const caller = userOf(request)
    if (!caller) return errorResponse(401, 'Invalid BasicAuth credentials')
    const path = url.pathname.replace('/api/v1', '')
    const at = `${method} ${path}`
    if (at === 'GET /users/me') return { status: 200, body: { id: caller.id } }
    if (at === 'GET /groups') return { status: 200, body: [{ id: 1, name: 'Users' }] }
    if (at === 'GET /ticket_states') return { status: 200, body: STATES }
    if (at === 'GET /organizations') return { status: 200, body: organizations }
    if (at === 'POST /users') {
      if (caller.id !== 2) return errorResponse(403, 'Not authorized')
      const user = body as unknown as User
      if (!user.login || !user.email || !user.password)
        return errorResponse(422, 'Minimum one identifier (login, email) is needed')
      if (users.some(({ email }) => email === user.email))
        return errorResponse(422, `Email address '${user.email}' is already used for another user.`)
      if (JSON.stringify(user.roles) !== '["Agent","Customer"]') return errorResponse(422, 'Role is missing')
      users.push({ ...user, id: 100 + users.length })
      return { status: 201, body: { id: users.at(-1)?.id } }
    }
    if (at === 'POST /user_access_token') {
      const { name, label, permission, expires_at } = body
      if (!request.headers.authorization?.startsWith('Basic ')) return errorResponse(403, 'Not authorized')
      if (!name || !label || String(permission) !== 'ticket.agent,ticket.customer')
        return errorResponse(422, 'Need permission')
      if (!/^\d{4}-\d\d-\d\d$/.test(String(expires_at))) return errorResponse(422, 'Invalid date')
      const token = tokens.has(`token-of-${caller.login}`)
        ? `token-of-${caller.login}-${tokens.size}`
        : `token-of-${caller.login}`
      tokens.set(token, caller.id)
      labels.set(token, String(label))
      if (mood.tokenAnswer === 'none') return { status: 200, body: {} }
      return { status: 200, body: { [mood.tokenAnswer]: token } }
    }
    const ownTokens = [...tokens].filter(([, user]) => user === caller.id).map(([token]) => token)
    const tokenId = (token: string) => [...labels.keys()].indexOf(token) + 1
    if (at === 'GET /user_access_token')
      return {
        status: 200,
        body: {
          tokens: ownTokens.map((token) => ({ id: tokenId(token), label: labels.get(token), last_used_at: null })),
          permissions: [],
        },
      }
    const deleted = /^DELETE \/user_access_token\/(\d+)$/.exec(at)?.[1]
    if (deleted) {
      const token = ownTokens.find((token) => tokenId(token) === Number(deleted))
      if (!token) return errorResponse(422, 'The API token could not be found.')
      tokens.delete(token)
      return { status: 200, body: {} }
    }
    const person = users.find(({ id }) => at === `GET /users/${id}`)
    if (person) {
      const { password: _, ...rest } = person
      return { status: 200, body: rest }
    }
    if (at === 'GET /tickets') {
      const [page, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('per_page'))]
      if (!(page >= 1) || !(size >= 1 && size <= 100)) return errorResponse(422, 'Invalid page')
      return { status: 200, body: tickets.slice((page - 1) * size, page * size).map(toResponse) }
    }
    if (at === 'POST /tickets') return addTicket(body, caller)
    const ticket = tickets.find(({ id }) => path === `/tickets/${id}`)
    if (ticket && method === 'GET') return { status: 200, body: toResponse(ticket) }
    if (ticket && method === 'PUT') {
      const { title, state, owner_id, article } = body as {
        title?: string
        state?: string
        owner_id?: number
        article?: { subject?: string; body?: string; type?: string; internal?: boolean; attachments?: object[] }
      }
      if (state !== undefined && !STATES.some(({ name }) => name === state))
        return errorResponse(422, `No lookup value found for 'state'`)
      if (article && (!article.body || article.type !== 'note')) return errorResponse(422, 'Invalid article')
      const files = (article?.attachments ?? []).map(fileOf)
      if (files.includes(null)) return errorResponse(422, `Invalid base64 for attachment with index '0'`)
      if (state !== undefined && state !== ticket.state)
        ticket.close_at = state === 'closed' ? (ticket.close_at ?? stamp()) : null
      // Absent fields are unchanged.
      Object.assign(ticket, {
        title: title ?? ticket.title,
        state: state ?? ticket.state,
        owner_id: owner_id ?? ticket.owner_id,
        updated_at: stamp(),
      })
      if (article)
        articles.push({
          id: 900 + articles.length,
          ticket_id: ticket.id,
          body: article.body as string,
          subject: article.subject ?? '',
          from: caller.login,
          attachments: files as File[],
        })
      return { status: 200, body: toResponse(ticket) }
    }
    const list = /^\/ticket_articles\/by_ticket\/(\d+)$/.exec(path)
    if (list) {
      const own = articles.filter(({ ticket_id }) => ticket_id === Number(list[1]))
      return {
        status: 200,
        body: own.map(({ attachments, ...article }) => ({
          ...article,
          attachments: attachments.map(({ id, filename, size }) => ({ id, filename, size: String(size) })),
        })),
      }
    }
    const file = /^\/ticket_attachment\/(\d+)\/(\d+)\/(\d+)$/.exec(path)?.slice(1).map(Number)
    if (file) {
      const found = articles
        .find(({ id, ticket_id }) => ticket_id === file[0] && id === file[1])
        ?.attachments.find(({ id }) => id === file[2])
      if (found) return { status: 200, bytes: found.bytes }
    }
    return errorResponse(404, 'Not found')
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    if (mood.down) return request.socket.destroy()
    const url = new URL(request.url ?? '', 'http://zammad')
    const endpoint = `${request.method} ${url.pathname.replace('/api/v1', '')}`
    requests.push(endpoint)
    const text = Buffer.concat(parts).toString()
    const refused = mood.refuse?.match.test(endpoint) ? errorResponse(mood.refuse.status, 'Refused') : null
    const textRefused =
      mood.refuseText !== null && text.includes(mood.refuseText) ? errorResponse(422, 'Unwanted') : null
    let result = refused ?? textRefused ?? respond(request.method ?? '', url, text ? JSON.parse(text) : {}, request)
    if (mood.loseAnswerOf?.test(endpoint) && result.status < 400) result = errorResponse(500, 'Lost')
    if (mood.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, mood.slowMs))
    response.writeHead(result.status, {
      'content-type': result.bytes ? 'application/octet-stream' : 'application/json',
      ...(result.status < 400 && result.status >= 300 && { location: '/elsewhere' }),
    })
    response.end(result.bytes ?? JSON.stringify(result.body))
  }

  const server = createServer((request, response) => void serve(request, response))
  const port = await listenUntilFinished(server)
  return {
    users,
    tickets,
    articles,
    tokens,
    requests,
    mood,
    fileOf,
    addTicket,
    settings: { url: `http://127.0.0.1:${port}`, token: ADMIN, auth: 'token' as const, group: 'Users' },
  }
}

export const ORGANIZATION = 'Zarząd Dróg Testowych'

export const MINUTE = 60_000

/** A portal with a simulated ticket service, and both clocks. */
export async function portalWithZammad(more: Partial<Config> = {}) {
  const clock = { now: new Date('2026-10-20T08:00:00Z') }
  const zammad = await createFakeZammad(clock)
  const secretKey = randomBytes(32)
  const api = await testApi({ zammad: zammad.settings, secretKey, organization: ORGANIZATION, ...more })
  const pass = (minutes: number) => {
    clock.now = new Date(clock.now.getTime() + minutes * MINUTE)
    api.clock.now = clock.now
  }
  pass(0)
  const recurring = (name: string) => api.app.jobs.recurring.find((one) => one.name === name)?.work()
  /** Runs a minute of jobs; delayed retries run now. */
  const minute = async () => {
    pass(1)
    await recurring('sync-tickets')
    await api.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`)
    await api.runJobs()
  }
  const report = async (description: string, more = {}) => {
    const user = await api.as('Tickets')
    const body = { description, reporterName: 'Anna Nowak', reporterEmail: 'anna@example.org', ...more }
    return { user, ticket: (await user.call(endpoints.add, { body: body as never })).body }
  }
  const messages = async (kind: string) => {
    const admin = await api.as('UsersAdmin')
    return (await admin.call(outbox, { query: { limit: 100 } })).body.content.filter((one) => one.kind === kind)
  }
  const readAgain = async (id: number) =>
    (await (await api.as('Tickets')).call(endpoints.read, { params: { id } })).body
  return { api, zammad, secretKey, pass, minute, report, messages, readAgain }
}
