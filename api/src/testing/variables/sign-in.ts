import { writeFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { ownSessions, updatePassword } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { build, login, ping } from '@rogatka/contract/session.ts'
import { loginWithProvider, startProviderLogin } from '@rogatka/contract/session-providers.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import { expect, onTestFinished } from 'vitest'
import { sql } from '../../core/statement.ts'
import { answerOf, CLIENT_ID, CLIENT_SECRET, startTestProvider } from '../oidc-provider.ts'
import { selfSigned } from '../self-signed.ts'
import { listenUntilFinished } from '../services.ts'
import { PASSWORD } from '../test-api.ts'
import { configured, createFolder, type Env, filled, SECRET_KEY } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/** A portal with a file of one provider, `{file}` in the variables. */
async function withProvider(env: Env, issuer = 'https://id.zdw.example') {
  const file = join(await createFolder(), 'providers.json')
  await writeFile(
    file,
    JSON.stringify([{ id: 'zdw', label: 'ZDW', issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }]),
  )
  return configured({ OIDC_ROLE_MAP: 'wim=waga', ...filled(env, 'file', file) })
}

/** The same with a provider that works, where anna belongs to the group wim. */
async function startedProvider(env: Env) {
  const provider = await startTestProvider('http://127.0.0.1:8080/login/callback/zdw')
  onTestFinished(() => void provider.server.close())
  provider.accounts.set('anna', { groups: ['wim'] })
  const api = await withProvider({ OIDC_PROVIDERS: '{file}', ...env }, provider.issuer)
  await api.db.execute(sql`insert into role (name, permissions) values ('Waga', '{ROLE_1}')`)
  const params = { provider: 'zdw' }
  const start = async () => {
    const { address, transaction } = (await api.anyone.call(startProviderLogin, { params })).body
    const signIn = async () =>
      api.anyone.call(loginWithProvider, { params, body: { transaction, answer: await answerOf(address, 'anna') } })
    return { address, signIn }
  }
  return { api, provider, start }
}

/** The permission of a user of the provider, or why there is none. */
async function roleThroughProvider(env: Env) {
  const { api, start } = await startedProvider(env)
  const result = await (await start()).signIn()
  if (result.status !== 200) return result.errors[0]?.code
  return (await api.client(result.body.token).call(readSelf)).body.permissions[0]
}

/** Effects of the variables of sign-in and limits of requests. */
export const signInEffects: Record<string, VariableEffect> = {
  SECRET_KEY: {
    title: 'encrypts tokens of the ticket service; if absent, none is stored',
    cases: [
      [undefined, ['tokens-cannot-be-kept', 0]],
      [SECRET_KEY, [null, 1]],
    ],
    observe: async (env) => {
      const body = { token: 'token-of-anna', email: 'anna@example.org' }
      const api = await configured(env)
      const { errors } = await (await api.as('Tickets')).call(tickets.saveToken, { body })
      const rows = await api.db.query(sql`select * from ticket_account`)
      expect(JSON.stringify(rows)).not.toContain(body.token)
      return [errors[0]?.code ?? null, rows.length]
    },
  },
  BREACHED_PASSWORDS: {
    title: 'refuses passwords of a file of SHA-1; if absent, only common ones, and all while it cannot be read',
    cases: [
      [undefined, [204, 422]],
      ['{file}', [422, 422]],
      ['{file}.missing', [503, 422]],
    ],
    observe: async (env) => {
      const file = join(await createFolder(), 'pwned.txt')
      // printf Kx7-mP2_qR9-vT | sha1sum
      await writeFile(file, '414A0A9F19039B77175F6023FD44FF48C2D6DFC4:3\r\n')
      const api = await configured(filled(env, 'file', file))
      const user = await api.as('PasswordChange')
      const change = async (newPassword: string) =>
        (await user.call(updatePassword, { body: { password: PASSWORD, newPassword } })).status
      return [await change('Kx7-mP2_qR9-vT'), await change('Password1')]
    },
  },
  SECOND_FACTOR: {
    title: 'requires a second factor of administrators or of all; if absent, of none in a demo',
    cases: [
      [undefined, [false, false]],
      ['off', [false, false]],
      ['admins', [true, false]],
      ['all', [true, true]],
    ],
    observe: async (env) => {
      const api = await configured({ SECRET_KEY, ...env })
      const users = [await api.as('UsersAdmin'), await api.as('Stat')]
      return Promise.all(users.map(async ({ call }) => (await call(readSelf)).body.mustSetUpFactor))
    },
  },
  OIDC_PROVIDERS: {
    title: 'names the file of providers on the login page; if absent, there are none',
    cases: [
      [undefined, []],
      ['{file}', [{ id: 'zdw', label: 'ZDW', linkAtSignIn: false }]],
      ['{file}.missing', 'Configuration: OIDC_PROVIDERS'],
    ],
    observe: async (env) => {
      try {
        return (await (await withProvider(env)).anyone.call(build)).body.providers
      } catch (error) {
        return (error as Error).message.slice(0, 29)
      }
    },
  },
  OIDC_ROLE_CLAIM: {
    title: 'names the claim with the groups of users, unless the provider does',
    cases: [
      [undefined, 'ROLE_1'],
      ['email', 'no-role'],
      ['preferred_username', 'no-role'],
    ],
    observe: (env) => roleThroughProvider(env),
  },
  OIDC_ROLE_MAP: {
    title: 'gives roles to groups, unless the provider does',
    cases: [
      ['wim=waga', 'ROLE_1'],
      ['staff=waga', 'no-role'],
    ],
    observe: (env) => roleThroughProvider(env),
  },
  OIDC_MFA_ACR: {
    title: 'names values of acr that stand for a second factor, unless the provider does',
    cases: [
      [undefined, [null, null]],
      ['silver gold', ['provider', 'silver gold']],
    ],
    observe: async (env) => {
      const { api, provider, start } = await startedProvider(env)
      provider.accounts.set('anna', { groups: ['wim'], claims: { acr: 'gold' } })
      const { address, signIn } = await start()
      const token = (await signIn()).body.token
      const [session] = (await api.client(token).call(ownSessions)).body
      return [session?.factor, new URL(address).searchParams.get('acr_values')]
    },
  },
  OIDC_CA: {
    title: 'names further authorities of providers',
    cases: [
      [undefined, 'provider-certificate'],
      ['{ca}', 'provider-answer-unreadable'],
    ],
    observe: async (env) => {
      const { key, cert } = selfSigned()
      const port = await listenUntilFinished(createTlsServer({ key, cert }, (_request, response) => response.end()))
      const ca = join(await createFolder(), 'ca.pem')
      await writeFile(ca, cert)
      const api = await withProvider(
        { OIDC_PROVIDERS: '{file}', ...filled(env, 'ca', ca) },
        `https://127.0.0.1:${port}`,
      )
      return (await api.anyone.call(startProviderLogin, { params: { provider: 'zdw' } })).errors[0]?.code
    },
  },
  PASSWORD_MIN_LENGTH: {
    title: 'sets the minimum length of new passwords, and is public',
    cases: [
      [undefined, [6, ['newPassword', 204]]],
      ['10', [10, ['newPassword', 'newPassword']]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const user = await api.as('PasswordChange')
      const change = async (characters: number) => {
        const newPassword = 'Kx7-mP2_qR9-vT'.slice(0, characters)
        const { errors, status } = await user.call(updatePassword, { body: { password: PASSWORD, newPassword } })
        return errors[0]?.path ?? status
      }
      return [(await api.anyone.call(build)).body.passwordMinLength, [await change(5), await change(9)]]
    },
  },
  REQUESTS_PER_MINUTE: {
    title: 'limits the requests of an address, and then lookups of tokens by a tenth of it',
    cases: [
      ['60', { answered: 60, lookedUp: 6 }],
      ['61', { answered: 61, lookedUp: 7 }],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const firstRefused = async (client: typeof api.anyone, times: number) => {
        const statuses: number[] = []
        for (let time = 0; time < times; time++) statuses.push((await client.call(ping)).status)
        return statuses.indexOf(429)
      }
      return {
        answered: await firstRefused(api.anyone, 62),
        lookedUp: await firstRefused(api.client('nobody'), 8),
      }
    },
  },
  ADDRESS_REQUESTS_PER_MINUTE: {
    title: 'limits all requests of an address together',
    cases: [
      ['60', 60],
      ['61', 61],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const user = await api.as('Stat')
      const statuses: number[] = []
      for (let time = 0; time < 63; time++) statuses.push((await user.call(ping)).status)
      return statuses.indexOf(429)
    },
  },
  ADDRESS_LOGIN_FAILURES: {
    title: 'limits the failed logins of an address',
    cases: [
      ['5', 5],
      ['6', 6],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const statuses: number[] = []
      for (let time = 0; time < 8; time++) {
        const body = { username: `guess${time}`, password: 'wrong' }
        statuses.push((await api.anyone.call(login, { body })).status)
      }
      return statuses.indexOf(429)
    },
  },
  TRUST_PROXY: {
    title: 'sets the proxies trusted for the client address',
    cases: [
      [undefined, ['127.0.0.1']],
      ['true', ['203.0.113.9']],
      ['192.0.2.7, 127.0.0.0/8', ['203.0.113.9']],
      ['192.0.2.7', ['127.0.0.1']],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }
      expect((await api.anyone.call(login, { body: { username: 'a', password: 'b' }, headers })).status).toBe(401)
      return (await api.db.query<{ ip: string }>(sql`select ip from login_failure`)).map(({ ip }) => ip)
    },
  },
}
