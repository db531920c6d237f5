import { controlModes, signFaults } from '@rogatka/contract/vms.ts'
import { toMulti } from '@rogatka/domain/vms/multi.ts'
import { z } from 'zod'
import type { Pool } from '../core/database.ts'
import { locations } from '../locations/public-api.ts'
import { pictograms } from './pictograms.ts'
import {
  contents,
  deleteSign,
  groups,
  insertGroup,
  insertSign,
  plateSignOf,
  setContent,
  signById,
  signs,
  upsertContent,
} from './queries.ts'
import { injectFaults } from './simulated/queries.ts'

/* The commands of `npm run manage` for signs. */

type Command = (db: Pool, options: Record<string, string | undefined>) => Promise<void>

const positiveInt = z.coerce.number().int().positive()
const names = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
)
const numbers = names.transform((texts) => texts.map(Number)).pipe(z.array(z.int().positive()).min(1))
const yes = z
  .enum(['yes', 'no'])
  .default('no')
  .transform((word) => word === 'yes')
const text = z.string().trim().min(1)

const group = z.object({ station: positiveInt, description: text, variants: names.pipe(z.array(text).min(1)) })
const content = z.object({
  description: text,
  pictogram: z.enum(Object.keys(pictograms)).optional(),
  graphic: positiveInt.max(255).optional(),
  lines: z
    .string()
    .default('')
    .transform((lines) =>
      lines
        .split('|')
        .map((line) => line.trim())
        .filter(Boolean),
    ),
})
const sign = z.object({
  group: positiveInt,
  road: text,
  chainage: text,
  driver: z.enum(['simulated', 'ntcip1203']),
  host: text,
  port: positiveInt.max(65_535).default(161),
  community: text.default('public'),
  plates: yes,
  contents: numbers,
})
const ownContent = z.object({ sign: positiveInt, variant: positiveInt, content: positiveInt })
const signOnly = z.object({ sign: positiveInt })
const faultOptions = signOnly.extend({
  offline: yes,
  rejects: yes,
  delay: z.coerce.number().int().min(0).max(60_000).default(0),
  mode: z.enum(controlModes).default('central'),
  faults: names.pipe(z.array(z.enum(signFaults))).default([]),
})

/** Names of all options with a value on the command line, for its parser. The community is a secret. */
export const signOptions = [
  ...new Set([group, content, sign, ownContent, faultOptions].flatMap(({ shape }) => Object.keys(shape))),
].filter((name) => !['road', 'chainage', 'community'].includes(name))

/** Contents change only while a group is disabled, so that operators know what is shown. */
async function assertDisabled(db: Pool, groupId: number): Promise<void> {
  const enabled = (await signs(db, { groupIds: [groupId] })).some(({ enabledVariant }) => enabledVariant !== null)
  if (enabled) throw new Error(`Group ${groupId} is enabled: disable it first`)
}

async function findSign(db: Pool, id: number) {
  const found = await signById(db, id)
  if (!found) throw new Error(`Sign ${id} not found`)
  return found
}

export const signCommands: Record<string, Command> = {
  'sign list': async (db) => {
    const all = await signs(db)
    for (const { id, shortName, description, variants } of await groups(db, undefined)) {
      const variantNames = variants.map(({ variant, description }) => `${variant} ${description}`).join(', ')
      console.log(`group ${id}\t${shortName}\t${description}\tvariants: ${variantNames}`)
      for (const sign of all.filter(({ groupId }) => groupId === id)) {
        const own = sign.contents.map(({ variant, contentId }) => `${variant}:${contentId}`).join(' ')
        const address = `${sign.driver} ${sign.host}:${sign.port}`
        const plates = sign.showsPlates ? '\tshows plates' : ''
        console.log(`  sign ${sign.id}\t${sign.roadNumber} ${sign.chainage}\t${address}\tcontents ${own}${plates}`)
      }
    }
    for (const item of await contents(db)) console.log(`content ${item.id}\t${item.description}\t${toMulti(item)}`)
  },

  'sign group': async (db, options) => {
    const { station, description, variants } = group.parse(options)
    if (!(await locations(db)).some(({ id }) => id === station)) throw new Error(`Station ${station} not found`)
    console.log(`group ${await insertGroup(db, { locationId: station, description, variants })}`)
  },

  'sign content': async (db, options) => {
    const { pictogram = null, graphic = null, ...rest } = content.parse(options)
    if (pictogram === null && rest.lines.length === 0) throw new Error('Specify a pictogram, lines, or both')
    if (pictogram !== null && graphic === null)
      throw new Error('A pictogram needs --graphic, the number under which the sign has it: else the sign stays dark')
    console.log(`content ${await upsertContent(db, { ...rest, pictogram, graphic })}`)
  },

  'sign add': async (db, options) => {
    const { group: groupId, road, plates, contents: contentIds, ...address } = sign.parse(options)
    const found = (await groups(db, undefined)).find(({ id }) => id === groupId)
    if (!found) throw new Error(`Group ${groupId} not found`)
    if (contentIds.length !== found.variants.length)
      throw new Error(`The group has ${found.variants.length} variants: specify one content for each`)
    await assertDisabled(db, groupId)
    if (plates && (await plateSignOf(db, found.locationId)))
      throw new Error(`Station ${found.locationId} has a sign for plates already`)
    const id = await insertSign(db, { ...address, groupId, roadNumber: road, showsPlates: plates, contentIds })
    console.log(`sign ${id}`)
  },

  'sign set-content': async (db, options) => {
    const { sign, variant, content } = ownContent.parse(options)
    await assertDisabled(db, (await findSign(db, sign)).groupId)
    await setContent(db, sign, variant, content)
    console.log(`sign ${sign} has content ${content} in variant ${variant}`)
  },

  'sign remove': async (db, options) => {
    const { sign } = signOnly.parse(options)
    await assertDisabled(db, (await findSign(db, sign)).groupId)
    await deleteSign(db, sign)
    console.log(`sign ${sign} removed`)
  },

  'sign behave': async (db, options) => {
    const { sign, delay, mode, ...rest } = faultOptions.parse(options)
    const { driver } = await findSign(db, sign)
    if (driver !== 'simulated') throw new Error(`Sign ${sign} is not simulated`)
    await injectFaults(db, sign, { ...rest, delayMs: delay, controlMode: mode })
    console.log(`faults of sign ${sign} set`)
  },
}
