import { build } from '@rogatka/contract/session.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import { extractPages, fetchReport } from '../../reports/testing.ts'
import { addTicket, configured, shownToAll } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/** Effects of the variables of what pages and reports say. */
export const textEffects: Record<string, VariableEffect> = {
  BUILD_CODE: {
    title: 'sets the public build variant',
    cases: [
      [undefined, 'ZG201025'],
      ['SG010126', 'SG010126'],
    ],
    observe: async (env) => (await shownToAll(env)).buildCode,
  },
  OWNER_COMPANY: {
    title: 'sets the public owner and issuer of reports',
    cases: ['Zarząd Dróg w Łomży', 'GDDKiA'].map((owner) => [owner, [owner, true]]),
    observe: async (env) => {
      const { OWNER_COMPANY = '' } = env
      const api = await configured(env)
      const user = await addTicket(api)
      const ordered = await user.call(tickets.report, { query: { year: 2026, month: 10 } })
      const pages = await extractPages((await fetchReport(user, ordered.body)).bytes)
      return [(await api.anyone.call(build)).body.ownerCompany, pages.join(' ').includes(OWNER_COMPANY)]
    },
  },
  LEGACY_URL: {
    title: 'sets the link to the old system',
    cases: [
      [undefined, null],
      ['https://old.example/wim', 'https://old.example/wim'],
    ],
    observe: async (env) => (await shownToAll(env)).legacyUrl,
  },
  SOURCE_URL: {
    title: 'sets the link to the source code',
    cases: [
      [undefined, 'https://github.com/rogatka/rogatka'],
      ['https://git.example/wim', 'https://git.example/wim'],
    ],
    observe: async (env) => (await shownToAll(env)).sourceUrl,
  },
  ORGANIZATION: {
    title: 'limits tickets to one organization; if absent, all are shown',
    cases: [
      ['Zarząd Dróg A', 1],
      ['Zarząd Dróg B', 0],
      [undefined, 1],
    ],
    observe: async (env) => {
      const one = await configured({ ORGANIZATION: 'Zarząd Dróg A' })
      const { token } = await addTicket(one)
      const other = await configured(env, one)
      const listed = await other.client(token).call(tickets.list, { query: { year: 2026, month: 10 } })
      return listed.body.content.length
    },
  },
}
