import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { languageOf } from '@rogatka/contract/languages.ts'
import * as endpoints from '@rogatka/contract/vms.ts'
import { toApiErrors } from '../core/error-mapping.ts'
import { shownOf } from '../core/look.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { awaitOutcomes, COMMAND_DEADLINE_MS } from './outcome.ts'
import {
  contentById,
  contents,
  groups,
  insertCommands,
  lockGroup,
  markPlateEnding,
  type NewCommand,
  type SignRow,
  selectVariant,
  signById,
  signs,
} from './queries.ts'
import { shownContent } from './shown-content.ts'
import { hasImage, signPng } from './sign-image.ts'
import { contentImagePath, groupViews, isComplete, linesShown } from './view.ts'

/** Registers the routes of sign groups: their status, contents and variants. */
export function vmsRoutes(api: Api): void {
  route(api, endpoints.groups, ({ db, session, now, query }) => groupViews(db, session, now, query.locations))

  route(api, endpoints.contents, async ({ db }) =>
    (await contents(db)).map(({ graphic: _, ...content }) => ({
      ...content,
      image: hasImage(content) ? contentImagePath(content.id) : null,
    })),
  )

  route(api, endpoints.contentImage, async ({ db, params, reply }) => {
    const content = await contentById(db, params.id)
    if (!content || !hasImage(content)) throw new Refusal('content-not-found', 404)
    const png = await signPng(content)
    return reply.type('image/png').send(png)
  })

  route(api, endpoints.signImage, async ({ db, session, params, reply, look }) => {
    const sign = await signById(db, params.id)
    if (sign?.groupId !== params.groupId) throw new Refusal('sign-not-found', 404)
    const knownContents = await contents(db)
    const shows = shownContent(sign, knownContents)
    const content = knownContents.find(({ id }) => id === shows?.contentId)
    const face = content ?? { pictogram: null, lines: shows ? linesShown(sign, shows, session) : [] }
    if (!hasImage(face)) throw new Refusal('content-not-found', 404)
    // A text that is no content may be a plate.
    const shown = shownOf(content ? [] : [sign.plate?.plateLpr])
    await look(content ? null : { kind: 'signs', criteria: {}, results: 1, shown })
    return reply.type('image/png').send(await signPng(face))
  })

  route(api, endpoints.enableVariant, async (call) => {
    const { groupId, variantId } = call.params
    const pending = await call.db.transaction(async (db) => {
      if (!(await lockGroup(db, groupId))) throw new Refusal('sign-group-not-found', 404)
      const groupSigns = await signs(db, { groupIds: [groupId] })
      const { variants = [] } = (await groups(db, undefined)).find(({ id }) => id === groupId) ?? {}
      if (!variants.some(({ variant }) => variant === variantId)) throw new Refusal('variant-not-found', 404)
      if (!isComplete(groupSigns, await contents(db), variantId)) throw new Refusal('signs-incomplete', 422)
      await selectVariant(db, groupId, variantId)
      // A sign that shows a vehicle keeps it: its driver is already reading it.
      const free = groupSigns.filter(({ plate }) => plate === null)
      const ids = await insertCommands(
        db,
        free.map((sign) => ({ ...commandBy(call, sign), kind: 'variant', variant: variantId })),
      )
      return { groupSigns, ids }
    })
    return groupOutcome(call, pending, api.now)
  })

  route(api, endpoints.disableVariant, async (call) => {
    const { groupId } = call.params
    const pending = await call.db.transaction(async (db) => {
      if (!(await lockGroup(db, groupId))) throw new Refusal('sign-group-not-found', 404)
      const groupSigns = await signs(db, { groupIds: [groupId] })
      const group = (await groups(db, undefined)).find(({ id }) => id === groupId)
      const selected = group?.selectedVariant ?? null
      if (selected === null || !isComplete(groupSigns, await contents(db), selected))
        throw new Refusal('signs-incomplete', 422)
      for (const { plate } of groupSigns) if (plate) await markPlateEnding(db, plate.id, 'disabled', call.now)
      const ids = await insertCommands(
        db,
        groupSigns.map((sign) => ({
          ...commandBy(call, sign),
          kind: 'clear' as const,
          ...(sign.plate && { plateId: sign.plate.id }),
        })),
      )
      return { groupSigns, ids }
    })
    return groupOutcome(call, pending, api.now)
  })
}

type GroupCall = Call<typeof endpoints.enableVariant> | Call<typeof endpoints.disableVariant>

const commandBy = ({ session, request, now }: GroupCall, { id }: SignRow): Omit<NewCommand, 'kind'> => ({
  signId: id,
  userId: session.userId,
  ip: request.ip,
  askedAt: now,
  deadline: new Date(now.getTime() + COMMAND_DEADLINE_MS),
})

/** Waits for the commands of all signs and returns their outcomes. */
async function groupOutcome(
  call: GroupCall,
  { groupSigns, ids }: { groupSigns: SignRow[]; ids: Map<number, number> },
  now: () => Date,
) {
  const { db, session, params, request } = call
  const outcomes = await awaitOutcomes(db, [...ids.values()])
  const language = languageOf(request.headers['accept-language'])
  const results = groupSigns.map(({ id, number, roadNumber, chainage }) => {
    const commandId = ids.get(id)
    const outcome = commandId === undefined ? 'sign-shows-plate' : (outcomes.get(commandId) ?? 'sign-did-not-answer')
    const [error = null] = outcome === 'done' ? [] : toApiErrors([{ path: null, code: outcome as ErrorCode }], language)
    return { vms: { id, number, roadNumber, chainage }, done: outcome === 'done', error }
  })
  const [group] = (await groupViews(db, session, now())).filter(({ group }) => group.id === params.groupId)
  if (!group) throw new Refusal('sign-group-not-found', 404)
  return { results, group }
}
