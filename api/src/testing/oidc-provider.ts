import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import Provider from 'oidc-provider'
import type { Provider as ProviderSettings } from '../core/providers.ts'

/* A certified OpenID Connect provider on this machine, whose ID tokens a test may forge. */

export const CLIENT_ID = 'rogatka'
export const CLIENT_SECRET = 'S3cret-of-the-portal'

/** Somebody at the provider. `claims`: more of the ID token; `userinfo`: more of the endpoint UserInfo. */
export type ProviderAccount = { groups?: string[]; claims?: JWTPayload; userinfo?: object; username?: string }

type Key = { kid: string; privateKey: CryptoKey; jwk: object }

async function newKey(): Promise<Key> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = randomBytes(6).toString('hex')
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' } }
}

const withoutPrivatePart = ({ d: _, ...jwk }: Record<string, unknown>) => jwk

/** The settings of a portal for such a provider, whose groups `wim-admins` and `wim` have roles. */
export const providerSettings = (issuer: string, settings: Partial<ProviderSettings> = {}): ProviderSettings => ({
  id: 'zdw',
  label: 'Zarząd Dróg',
  issuer,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  scope: 'openid profile email',
  roleClaim: 'groups',
  roleMap: [
    { group: 'wim-admins', role: 'Administrator' },
    { group: 'wim', role: 'waga' },
  ],
  mfaAcr: [],
  logout: true,
  linkAtSignIn: true,
  ...settings,
})

export type TestProvider = {
  issuer: string
  accounts: Map<string, ProviderAccount>
  /** Changes the claims of the next ID tokens, or does something before they are sent; undefined: as they are. */
  forge: ((claims: JWTPayload) => JWTPayload | Promise<JWTPayload>) | undefined
  /** Signs the next ID tokens with another key than the published one, or not at all. */
  signature: 'published' | 'retired' | 'none'
  /** Publishes a new key instead of the current one, which is retired. */
  rotateKey: () => Promise<void>
  /** Names no address at which sessions end. */
  withoutLogout: boolean
  /** Paths of the requests so far. */
  requests: string[]
  server: Server
}

/** Starts the provider; its page asks for a name only. `callback`: the address of the portal to which it sends browsers. */
export async function startTestProvider(callback: string): Promise<TestProvider> {
  let current = await newKey()
  let retired = current
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, ProviderAccount>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [callback],
        post_logout_redirect_uris: [new URL('/login', callback).href],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [current.jwk] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name', 'groups'],
      email: ['email'],
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context, form) => {
          context.body = `<!doctype html><html lang="pl"><title>ZDW</title>${form}<button form="op.logoutForm" name="logout" value="yes">Wyloguj</button></html>`
        },
      },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => {
        const { groups = [], username = sub } = accounts.get(sub) ?? {}
        return {
          sub,
          preferred_username: username,
          given_name: 'Anna',
          family_name: 'Nowak',
          email: `${sub}@zdw.example`,
          groups,
        }
      },
    }),
    // The portal is no third party: nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc
      if (!client || !session?.accountId) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const found: TestProvider = {
    issuer,
    accounts,
    forge: undefined,
    signature: 'published',
    rotateKey: async () => {
      retired = current
      current = await newKey()
    },
    withoutLogout: false,
    requests: [],
    server,
  }

  async function sign(token: string): Promise<string> {
    const claims = decodeJwt(token)
    const account = accounts.get(claims.sub ?? '')
    const payload = { ...claims, ...account?.claims }
    const forged = (await found.forge?.(payload)) ?? payload
    if (found.signature === 'none') return new UnsecuredJWT(forged).encode()
    const { kid, privateKey } = found.signature === 'retired' ? retired : current
    return new SignJWT(forged).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
  }

  provider.use(async (context, next) => {
    found.requests.push(context.path)
    if (context.path.startsWith('/interaction/')) {
      if (context.method === 'GET') {
        context.type = 'html'
        context.body =
          '<!doctype html><html lang="pl"><title>ZDW</title><form method="post"><label>Login <input name="login"></label> <button>OK</button></form></html>'
        return
      }
      const form = new URLSearchParams(Buffer.concat(await context.req.toArray()).toString())
      const login = form.get('login') ?? ''
      const result = login === '' ? { error: 'access_denied' } : { login: { accountId: login } }
      const address = await provider.interactionResult(context.req, context.res, result)
      context.redirect(address)
      return
    }
    await next()
    if (context.path === '/jwks') context.body = { keys: [withoutPrivatePart({ ...current.jwk })] }
    if (found.withoutLogout && context.path.startsWith('/.well-known/')) {
      const { end_session_endpoint: _, ...metadata } = context.body as Record<string, unknown>
      context.body = metadata
    }
    const answer = context.body as { id_token?: string; sub?: string } | undefined
    if (context.path === '/me' && answer?.sub) context.body = { ...answer, ...accounts.get(answer.sub)?.userinfo }
    if (context.path === '/token' && answer?.id_token)
      context.body = { ...answer, id_token: await sign(answer.id_token) }
  })
  server.on('request', provider.callback())
  return found
}

/**
 * Signs in at the provider as a browser does that comes with an authorization request; returns the query with which it
 * sends the browser back. Without a name the user declines.
 */
export async function answerOf(address: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  const visit = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const target = response.headers.get('location')
    if (target === null) throw new Error(`${url}: ${response.status} ${await response.text()}`)
    return new URL(target, url).href
  }
  const page = await visit(address)
  const back = await visit(page, { method: 'POST', body: new URLSearchParams({ login }) })
  const callback = await visit(back)
  return new URL(callback).search.slice(1)
}
