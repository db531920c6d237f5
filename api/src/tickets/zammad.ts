import { z } from 'zod'
import type { Config } from '../config.ts'

/** Timeout of a request; it may still have taken effect. */
const TIMEOUT_MS = 15_000
export const PAGE_SIZE = 100
/** The built-in user that means no owner. */
const NOBODY = 1

/** An error response of Zammad. */
export class ZammadError extends Error {
  readonly status: number
  constructor(status: number, human: string) {
    super(`HTTP error! status: ${status}${human && ` (${human})`}`)
    this.status = status
  }
}

/** The request had no effect and may be repeated at once. */
export const isClientError = (error: unknown): boolean => error instanceof ZammadError && error.status < 500

/** The content was refused, not the caller: a repeat would be refused too, later requests may succeed. */
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

/** Without the secrets. */
const remoteTokens = z.object({
  tokens: z.array(z.object({ id, label: z.string().nullish(), name: z.string().nullish() })).default([]),
})
const createdToken = z.object({ token: z.string().nullish(), name: z.string().nullish() })

/** A response in an unknown format: repeating would only create another token. */
export class TokenMissing extends Error {
  constructor() {
    super('Token is missing in the response')
  }
}

export type RemoteTicket = z.output<typeof remoteTicket> & { stateType: string; hasOwner: boolean }
export type RemoteArticle = z.output<typeof article>

export type AttachmentContent = { filename: string; bytes: Buffer; type: string }

type NewRemoteTicket = {
  title: string
  customer: number | string
  state: string
  owner: number | null
  body: string
  attachments: readonly AttachmentContent[]
}

type RemoteChange = {
  title?: string
  state?: string
  owner?: number | null
  article?: { subject: string; body: string; attachments?: readonly AttachmentContent[] }
}

const encodeAttachments = (attachments: readonly AttachmentContent[] = []) =>
  attachments.map(({ filename, bytes, type }) => ({ filename, data: bytes.toString('base64'), 'mime-type': type }))

type Settings = NonNullable<Config['zammad']>
type CallOptions = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: unknown; authorization?: string }

export type Zammad = ReturnType<typeof createZammadClient>

/** A client of Zammad's REST API, with the service's own token or that of a user. */
export function createZammadClient({ url, token, auth, group }: Settings, timeoutMs = TIMEOUT_MS) {
  const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const tokenHeader = (secret: string) => (auth === 'bearer' ? `Bearer ${secret}` : `Token token=${secret}`)
  const own = auth === 'basic' ? `Basic ${Buffer.from(token).toString('base64')}` : tokenHeader(token)

  async function request(
    path: string,
    { method = 'GET', body, authorization = own }: CallOptions = {},
  ): Promise<Response> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // The token must not be sent elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) return response
    const details = (await response.json().catch(() => ({}))) as { error_human?: unknown; error?: unknown }
    throw new ZammadError(response.status, String(details.error_human ?? details.error ?? '').slice(0, 200))
  }
  const read = async <S extends z.ZodType>(shape: S, path: string, options?: CallOptions): Promise<z.output<S>> =>
    shape.parse(await (await request(path, options)).json())

  /** Cached for the life of the process. */
  const cacheOnce = <T>(load: () => Promise<T>) => {
    let cached: Promise<T> | undefined
    return () => {
      cached ??= load().catch((error) => {
        cached = undefined
        throw error
      })
      return cached
    }
  }
  const states = cacheOnce(() => read(z.array(remoteState), '/ticket_states?expand=true'))
  const me = cacheOnce(async () => (await read(z.object({ id }), '/users/me')).id)
  const groupId = cacheOnce(async () => {
    const found = (await read(z.array(z.object({ id, name: z.string() })), '/groups')).find(
      ({ name }) => name === group,
    )
    if (!found) throw new Error(`Zammad has no group ${group}`)
    return found.id
  })

  const names = new Map<number, Promise<string | null>>()
  /** The full name of a user, else the login; null if there is none. */
  function userName(userId: number): Promise<string | null> {
    const cached = names.get(userId)
    if (cached) return cached
    const name = read(remoteUser, `/users/${userId}`).then(
      ({ firstname, lastname, login }) => [firstname, lastname].filter(Boolean).join(' ').trim() || login || null,
    )
    names.set(userId, name)
    name.catch(() => names.delete(userId))
    return name
  }

  /** Adds the type of its state, which does not depend on the names of an installation. */
  async function withStateType(ticket: z.output<typeof remoteTicket>): Promise<RemoteTicket> {
    const state = (await states()).find(({ id, name }) => name === ticket.state || id === ticket.state_id)
    const hasOwner = ticket.owner_id != null && ticket.owner_id !== NOBODY
    return { ...ticket, stateType: state?.state_type ?? state?.name ?? ticket.state ?? '', hasOwner }
  }

  return {
    group,
    me,

    /** The name of a state of a type: of the same name, else the first active one. */
    async stateName(type: string): Promise<string> {
      const active = (await states()).filter((state) => state.active)
      const found = active.find(({ name }) => name === type) ?? active.find(({ state_type }) => state_type === type)
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
     * Creates a token for a user by password. Newer versions return it as `token`, older ones as `name`. Deletes tokens
     * of the same name left by unanswered attempts.
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
          await request(`/user_access_token/${token.id}`, { method: 'DELETE', authorization })
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
      return Promise.all(found.map(withStateType))
    },

    ticket: async (ticketId: number): Promise<RemoteTicket> =>
      withStateType(await read(remoteTicket, `/tickets/${ticketId}?expand=true`)),

    /** Creates a ticket, as the user of the token if given. */
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
          attachments: encodeAttachments(ticket.attachments),
        },
      }
      const authorization = userToken === null ? own : tokenHeader(userToken)
      return withStateType(await read(remoteTicket, '/tickets?expand=true', { method: 'POST', body, authorization }))
    },

    /** Changes the given fields only; an owner of null is no owner. */
    async changeTicket(ticketId: number, { title, state, owner, article }: RemoteChange): Promise<RemoteTicket> {
      const body = {
        ...(title !== undefined && { title }),
        ...(state !== undefined && { state }),
        ...(owner !== undefined && { owner_id: owner ?? NOBODY }),
        ...(article && {
          article: {
            ...article,
            attachments: encodeAttachments(article.attachments),
            content_type: 'text/plain',
            type: 'note',
            internal: false,
          },
        }),
      }
      return withStateType(await read(remoteTicket, `/tickets/${ticketId}?expand=true`, { method: 'PUT', body }))
    },

    userName,

    articles: (ticketId: number): Promise<RemoteArticle[]> =>
      read(z.array(article), `/ticket_articles/by_ticket/${ticketId}`),

    async attachment(ticketId: number, articleId: number, fileId: number): Promise<Buffer> {
      const response = await request(`/ticket_attachment/${ticketId}/${articleId}/${fileId}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}
