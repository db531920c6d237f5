import { z } from 'zod'
import type { Config } from '../config.ts'

/** So long an answer may take; then it counts as lost, and what was asked for may still have been done. */
const TIMEOUT_MS = 15_000
export const PAGE_SIZE = 100
/** Nobody: the user that every Zammad is born with. */
const NOBODY = 1

/** Zammad said no, with this status. */
export class ZammadError extends Error {
  readonly status: number
  constructor(status: number, human: string) {
    super(`HTTP error! status: ${status}${human && ` (${human})`}`)
    this.status = status
  }
}

/** Nothing was done: what was refused may be asked again at once. */
export const isClientError = (error: unknown): boolean => error instanceof ZammadError && error.status < 500

/** What was sent was refused, not who sent it: it would be refused again, whatever comes after it may be taken. */
export const isContentRefusal = (error: unknown): boolean =>
  error instanceof ZammadError && [400, 413, 415, 422].includes(error.status)

const id = z.int().positive()
const remoteTicket = z.object({
  id,
  number: z.coerce.string(),
  title: z.string(),
  state: z.string().nullish(),
  state_id: id.nullish(),
  owner_id: z.int().nullish(),
  group: z.string().nullish(),
  organization: z.string().nullish(),
  created_at: z.coerce.date(),
  updated_at: z.coerce.date(),
  close_at: z.coerce.date().nullish(),
})
const remoteState = z.object({
  id,
  name: z.string(),
  state_type: z.string().nullish(),
  active: z.boolean().default(true),
})
const remoteUser = z.object({
  login: z.string().nullish(),
  firstname: z.string().nullish(),
  lastname: z.string().nullish(),
})
const article = z.object({
  id,
  subject: z.string().nullish(),
  body: z.string().default(''),
  from: z.string().nullish(),
  attachments: z.array(z.object({ id, filename: z.string(), size: z.coerce.number().default(0) })).default([]),
})

/** Without the tokens themselves. */
const remoteTokens = z.object({
  tokens: z.array(z.object({ id, label: z.string().nullish(), name: z.string().nullish() })).default([]),
})
const createdToken = z.object({ token: z.string().nullish(), name: z.string().nullish() })

/** An answer of a version whose form is not known: asking again would only create another token. */
export class TokenMissing extends Error {
  constructor() {
    super('Token is missing in the response')
  }
}

export type RemoteTicket = z.output<typeof remoteTicket> & { stateType: string; hasOwner: boolean }
export type RemoteArticle = z.output<typeof article>

export type SentAttachment = { filename: string; bytes: Buffer; type: string }

type NewRemoteTicket = {
  title: string
  customer: number | string
  state: string
  owner: number | null
  body: string
  attachments: readonly SentAttachment[]
}

type RemoteChange = {
  title?: string
  state?: string
  owner?: number | null
  article?: { subject: string; body: string; attachments?: readonly SentAttachment[] }
}

const encoded = (attachments: readonly SentAttachment[] = []) =>
  attachments.map(({ filename, bytes, type }) => ({ filename, data: bytes.toString('base64'), 'mime-type': type }))

type Settings = NonNullable<Config['zammad']>
type CallOptions = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: unknown; authorization?: string }

export type Zammad = ReturnType<typeof createZammadClient>

/** Speaks Zammad's REST API, with the service's own token or in the name of a user. */
export function createZammadClient({ url, token, auth, group }: Settings, timeoutMs = TIMEOUT_MS) {
  const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const bearing = (secret: string) => (auth === 'bearer' ? `Bearer ${secret}` : `Token token=${secret}`)
  const own = auth === 'basic' ? `Basic ${Buffer.from(token).toString('base64')}` : bearing(token)

  async function ask(path: string, { method = 'GET', body, authorization = own }: CallOptions = {}): Promise<Response> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Elsewhere the token is not to go.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) return response
    const said = (await response.json().catch(() => ({}))) as { error_human?: unknown; error?: unknown }
    throw new ZammadError(response.status, String(said.error_human ?? said.error ?? '').slice(0, 200))
  }
  const read = async <S extends z.ZodType>(shape: S, path: string, asked?: CallOptions): Promise<z.output<S>> =>
    shape.parse(await (await ask(path, asked)).json())

  /** Asked once: they hardly ever change while a process lives. */
  const once = <T>(fetchIt: () => Promise<T>) => {
    let known: Promise<T> | undefined
    return () => {
      known ??= fetchIt().catch((error) => {
        known = undefined
        throw error
      })
      return known
    }
  }
  const states = once(() => read(z.array(remoteState), '/ticket_states?expand=true'))
  const me = once(async () => (await read(z.object({ id }), '/users/me')).id)
  const groupId = once(async () => {
    const found = (await read(z.array(z.object({ id, name: z.string() })), '/groups')).find(
      ({ name }) => name === group,
    )
    if (!found) throw new Error(`Zammad has no group ${group}`)
    return found.id
  })

  const names = new Map<number, Promise<string | null>>()
  /** The name of a user: as people call them, else as they sign in; null if the service has none. */
  function userName(userId: number): Promise<string | null> {
    const known = names.get(userId)
    if (known) return known
    const asked = read(remoteUser, `/users/${userId}`).then(
      ({ firstname, lastname, login }) => [firstname, lastname].filter(Boolean).join(' ').trim() || login || null,
    )
    names.set(userId, asked)
    asked.catch(() => names.delete(userId))
    return asked
  }

  /** With the type of its state, by which the names that an installation gives its states do not matter. */
  async function typed(ticket: z.output<typeof remoteTicket>): Promise<RemoteTicket> {
    const state = (await states()).find(({ id, name }) => name === ticket.state || id === ticket.state_id)
    const hasOwner = ticket.owner_id != null && ticket.owner_id !== NOBODY
    return { ...ticket, stateType: state?.state_type ?? state?.name ?? ticket.state ?? '', hasOwner }
  }

  return {
    group,
    me,

    /** The name of the state of a type: that of the same name, else the first that is in use. */
    async stateName(type: string): Promise<string> {
      const known = (await states()).filter(({ active }) => active)
      const found = known.find(({ name }) => name === type) ?? known.find(({ state_type }) => state_type === type)
      if (!found) throw new Error(`Zammad has no state ${type}`)
      return found.name
    },

    async addUser(user: {
      firstname: string
      lastname: string
      email: string
      password: string
      organizationId: number | null
    }) {
      const { organizationId, ...person } = user
      const body = {
        ...person,
        login: user.email,
        roles: ['Agent', 'Customer'],
        group_ids: { [await groupId()]: ['full'] },
        ...(organizationId !== null && { organization_id: organizationId }),
      }
      return (await read(z.object({ id }), '/users', { method: 'POST', body })).id
    },

    /**
     * Creates a token of a user who signs in by password. Newer versions answer it as `token`, older ones as `name`.
     * Tokens of the same name that unanswered attempts left behind are deleted first.
     */
    async addToken(login: string, password: string, name: string, expiresAt: Date): Promise<string> {
      const body = {
        name,
        label: name,
        permission: ['ticket.agent', 'ticket.customer'],
        expires_at: expiresAt.toISOString().slice(0, 10),
      }
      const authorization = basic(login, password)
      const { tokens } = await read(remoteTokens, '/user_access_token', { authorization })
      for (const token of tokens)
        if (token.label === name || token.name === name)
          await ask(`/user_access_token/${token.id}`, { method: 'DELETE', authorization })
      const answer = await read(createdToken, '/user_access_token', { method: 'POST', body, authorization })
      const found = answer.token ?? answer.name
      if (!found) throw new TokenMissing()
      return found
    },

    async organizations(): Promise<{ id: number; name: string }[]> {
      const shape = z.array(z.object({ id, name: z.string() }))
      const all: { id: number; name: string }[] = []
      for (let page = 1; ; page++) {
        const some = await read(shape, `/organizations?page=${page}&per_page=${PAGE_SIZE}`)
        all.push(...some)
        if (some.length < PAGE_SIZE) return all
      }
    },

    /** A page of all tickets, oldest first. */
    async ticketPage(page: number): Promise<RemoteTicket[]> {
      const found = await read(z.array(remoteTicket), `/tickets?page=${page}&per_page=${PAGE_SIZE}&expand=true`)
      return Promise.all(found.map(typed))
    },

    ticket: async (ticketId: number): Promise<RemoteTicket> =>
      typed(await read(remoteTicket, `/tickets/${ticketId}?expand=true`)),

    /** Makes a ticket, in the name of the user whose token is given. */
    async addTicket(ticket: NewRemoteTicket, userToken: string | null): Promise<RemoteTicket> {
      const body = {
        title: ticket.title,
        group,
        customer_id: ticket.customer,
        state: ticket.state,
        ...(ticket.owner !== null && { owner_id: ticket.owner }),
        article: {
          subject: ticket.title,
          body: ticket.body,
          content_type: 'text/plain',
          type: 'note',
          internal: false,
          attachments: encoded(ticket.attachments),
        },
      }
      const authorization = userToken === null ? own : bearing(userToken)
      return typed(await read(remoteTicket, '/tickets?expand=true', { method: 'POST', body, authorization }))
    },

    /** Changes what is given and leaves the rest as it is there; an owner of null is nobody. */
    async changeTicket(ticketId: number, { title, state, owner, article }: RemoteChange): Promise<RemoteTicket> {
      const body = {
        ...(title !== undefined && { title }),
        ...(state !== undefined && { state }),
        ...(owner !== undefined && { owner_id: owner ?? NOBODY }),
        ...(article && {
          article: {
            ...article,
            attachments: encoded(article.attachments),
            content_type: 'text/plain',
            type: 'note',
            internal: false,
          },
        }),
      }
      return typed(await read(remoteTicket, `/tickets/${ticketId}?expand=true`, { method: 'PUT', body }))
    },

    userName,

    articles: (ticketId: number): Promise<RemoteArticle[]> =>
      read(z.array(article), `/ticket_articles/by_ticket/${ticketId}`),

    async attachment(ticketId: number, articleId: number, fileId: number): Promise<Buffer> {
      const response = await ask(`/ticket_attachment/${ticketId}/${articleId}/${fileId}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}
