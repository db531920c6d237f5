import { controlModes, signFaults } from '@rogatka/contract/vms.ts'
import { toMulti } from '@rogatka/domain/vms/multi.ts'
import { z } from 'zod'
import type { Pool } from '../core/database.ts'
import { locations } from '../locations/public-api.ts'
import { pictograms } from './pictograms.ts'
import {
  addGroup,
  addSign,
  contents,
  groups,
  plateSignOf,
  removeSign,
  setContent,
  signById,
  signs,
  upsertContent,
} from './queries.ts'
import { injectFaults } from './simulated/queries.ts'

/* The part of `npm run manage` that puts up signs. */

type Command = (db: Pool, options: Record<string, string | undefined>) => Promise<void>

const whole = z.coerce.number().int().positive()
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

const group = z.object({ station: whole, description: text, variants: names.pipe(z.array(text).min(1)) })
const content = z.object({
  description: text,
  pictogram: z.enum(Object.keys(pictograms)).optional(),
  graphic: whole.max(255).optional(),
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
  group: whole,
  road: text,
  chainage: text,
  driver: z.enum(['simulated', 'ntcip1203']),
  host: text,
  port: whole.max(65_535).default(161),
  community: text.default('public'),
  plates: yes,
  contents: numbers,
})
const ownContent = z.object({ sign: whole, variant: whole, content: whole })
const one = z.object({ sign: whole })
const behaviour = one.extend({
  offline: yes,
  rejects: yes,
  delay: z.coerce.number().int().min(0).max(60_000).default(0),
  mode: z.enum(controlModes).default('central'),
  faults: names.pipe(z.array(z.enum(signFaults))).default([]),
})

/** Names of all options, for the reader of the command line. */
export const signOptions = [
  ...new Set([group, content, sign, ownContent, behaviour].flatMap(({ shape }) => Object.keys(shape))),
].filter((name) => name !== 'road' && name !== 'chainage')

/** What is enabled stays as its operator has seen it: contents change while a group is off. */
async function refuseWhileEnabled(db: Pool, groupId: number): Promise<void> {
  const enabled = (await signs(db, { groupIds: [groupId] })).some(({ enabledVariant }) => enabledVariant !== null)
  if (enabled) throw new Error(`Group ${groupId} is enabled: disable it first`)
}

async function signOf(db: Pool, id: number) {
  const found = await signById(db, id)
  if (!found) throw new Error(`There is no sign ${id}`)
  return found
}

export const signCommands: Record<string, Command> = {
  'sign list': async (db) => {
    const all = await signs(db)
    for (const { id, shortName, description, variants } of await groups(db, undefined)) {
      const named = variants.map(({ variant, description }) => `${variant} ${description}`).join(', ')
      console.log(`group ${id}\t${shortName}\t${description}\tvariants: ${named}`)
      for (const sign of all.filter(({ groupId }) => groupId === id)) {
        const own = sign.contents.map(({ variant, contentId }) => `${variant}:${contentId}`).join(' ')
        const address = `${sign.driver} ${sign.host}:${sign.port}`
        const plates = sign.showsPlates ? '\tshows plates' : ''
        console.log(`  sign ${sign.id}\t${sign.roadNumber} ${sign.chainage}\t${address}\tcontents ${own}${plates}`)
      }
    }
    for (const known of await contents(db)) console.log(`content ${known.id}\t${known.description}\t${toMulti(known)}`)
  },

  'sign group': async (db, options) => {
    const { station, description, variants } = group.parse(options)
    if (!(await locations(db)).some(({ id }) => id === station)) throw new Error(`There is no station ${station}`)
    console.log(`group ${await addGroup(db, { locationId: station, description, variants })}`)
  },

  'sign content': async (db, options) => {
    const { pictogram = null, graphic = null, ...rest } = content.parse(options)
    if (pictogram === null && rest.lines.length === 0) throw new Error('Give a pictogram, lines, or both')
    if (pictogram !== null && graphic === null)
      throw new Error('A pictogram needs --graphic, the number under which the sign has it: else the sign stays dark')
    console.log(`content ${await upsertContent(db, { ...rest, pictogram, graphic })}`)
  },

  'sign add': async (db, options) => {
    const { group: groupId, road, plates, contents: contentIds, ...address } = sign.parse(options)
    const found = (await groups(db, undefined)).find(({ id }) => id === groupId)
    if (!found) throw new Error(`There is no group ${groupId}`)
    if (contentIds.length !== found.variants.length)
      throw new Error(`The group has ${found.variants.length} variants: give as many contents`)
    await refuseWhileEnabled(db, groupId)
    if (plates && (await plateSignOf(db, found.locationId)))
      throw new Error(`Station ${found.locationId} has a sign for plates already`)
    const id = await addSign(db, { ...address, groupId, roadNumber: road, showsPlates: plates, contentIds })
    console.log(`sign ${id}`)
  },

  'sign set-content': async (db, options) => {
    const { sign, variant, content } = ownContent.parse(options)
    await refuseWhileEnabled(db, (await signOf(db, sign)).groupId)
    await setContent(db, sign, variant, content)
    console.log(`sign ${sign} has content ${content} in variant ${variant}`)
  },

  'sign remove': async (db, options) => {
    const { sign } = one.parse(options)
    await refuseWhileEnabled(db, (await signOf(db, sign)).groupId)
    await removeSign(db, sign)
    console.log(`sign ${sign} is removed`)
  },

  'sign behave': async (db, options) => {
    const { sign, delay, mode, ...rest } = behaviour.parse(options)
    const { driver } = await signOf(db, sign)
    if (driver !== 'simulated') throw new Error(`Sign ${sign} is a real one`)
    await injectFaults(db, sign, { ...rest, delayMs: delay, controlMode: mode })
    console.log(`sign ${sign} behaves so from now on`)
  },
}
