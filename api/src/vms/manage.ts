import { controlModes, signFaults } from '@rogatka/contract/vms.ts'
import { contentValues, newGroup, pictogramNames, signDrivers, signValues } from '@rogatka/contract/vms-upkeep.ts'
import { toMulti } from '@rogatka/domain/vms/multi.ts'
import { z } from 'zod'
import type { Pool } from '../core/database.ts'
import { commandEditor } from '../core/editor.ts'
import { contents, groups, signById, signs } from './queries.ts'
import { injectFaults } from './simulated/queries.ts'
import { addContent, addGroup, addSign, changeContent, changeSignContent, removeSign } from './upkeep.ts'

/* The commands of `npm run manage` for signs. */

type Command = (db: Pool, options: Record<string, string | undefined>, now: Date) => Promise<void>

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

const lines = z
  .string()
  .default('')
  .transform((lines) =>
    lines
      .split('|')
      .map((line) => line.trim())
      .filter(Boolean),
  )

/* Option texts are converted to values, which the schemas of the contract validate. */
const group = z
  .object({ station: positiveInt, description: text, variants: names })
  .transform(({ station, ...rest }) => ({ ...rest, locationId: station }))
  .pipe(newGroup)
const contentText = z.object({
  description: text,
  pictogram: z.enum(pictogramNames).nullable().default(null),
  graphic: positiveInt.nullable().default(null),
  lines,
})
const content = contentText.pipe(contentValues)
const signText = z.object({
  group: positiveInt,
  road: text,
  chainage: text,
  driver: z.enum(signDrivers),
  host: text,
  port: positiveInt.default(161),
  community: text.optional(),
  plates: yes,
  contents: numbers,
})
const sign = signText
  .transform(({ road, plates, contents, ...rest }) => ({
    ...rest,
    roadNumber: road,
    showsPlates: plates,
    contentIds: contents as (number | null)[],
  }))
  .pipe(signValues.extend({ group: z.int() }))
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
  ...new Set([contentText, signText, ownContent, faultOptions].flatMap(({ shape }) => Object.keys(shape))),
  'station',
  'variants',
].filter((name) => !['road', 'chainage', 'community'].includes(name))

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

  'sign group': async (db, options, now) => {
    const values = group.parse(options)
    const { id } = await db.transaction((db) => addGroup(db, commandEditor(now), values))
    console.log(`group ${id}`)
  },

  'sign content': async (db, options, now) => {
    const values = content.parse(options)
    const { id } = await db.transaction(async (db) => {
      const existing = (await contents(db)).find(({ description }) => description === values.description)
      return existing
        ? changeContent(db, commandEditor(now), existing.id, values)
        : addContent(db, commandEditor(now), values)
    })
    console.log(`content ${id}`)
  },

  'sign add': async (db, options, now) => {
    const { group: groupId, ...values } = sign.parse(options)
    const { id } = await db.transaction((db) => addSign(db, commandEditor(now), groupId, values))
    console.log(`sign ${id}`)
  },

  'sign set-content': async (db, options, now) => {
    const { sign: id, variant, content: contentId } = ownContent.parse(options)
    await db.transaction((db) => changeSignContent(db, commandEditor(now), { id, variant, contentId }))
    console.log(`sign ${id} has content ${contentId} in variant ${variant}`)
  },

  'sign remove': async (db, options, now) => {
    const { sign } = signOnly.parse(options)
    await db.transaction((db) => removeSign(db, commandEditor(now), sign))
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
