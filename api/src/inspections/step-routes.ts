import * as endpoints from '@rogatka/contract/inspections.ts'
import {
  canCloseUnweighed,
  contradictsWeights,
  needsReason,
  resultsError,
} from '@rogatka/domain/inspections/results.ts'
import { shiftAt } from '@rogatka/domain/inspections/shift.ts'
import { parseTaxId } from '@rogatka/domain/inspections/taxId.ts'
import { type EnteredWeights, weightsError } from '@rogatka/domain/inspections/weighing.ts'
import { takeScale } from '../certificates/public-api.ts'
import { assertNotAnonymised } from '../core/anonymity.ts'
import type { Transaction } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { storable } from '../core/text.ts'
import { clearFromSign } from '../vms/public-api.ts'
import { copyImages, vehicleOf } from './copy.ts'
import { legalLimitsOf } from './detail.ts'
import { type InspectionChange, type InspectionRow, inspectionById } from './queries.ts'
import { takeStep } from './steps.ts'
import { toInspection } from './view.ts'
import { measuredOf, weighingColumns } from './weighing.ts'

const textOrNull = (text: string | null | undefined): string | null => (text ? storable(text) : null)

/** A text after a request: as stored if it names none, removed if it is empty. */
const changed = (text: string | null | undefined, stored: string | null): string | null =>
  text === undefined ? stored : textOrNull(text)

/** Registers the steps of an inspection after its beginning. */
export function stepRoutes(api: Api, files: Files): void {
  /** Copies late images after a step, whose answer does not depend on them. */
  const withImages = async (call: { db: Call<typeof endpoints.read>['db'] }, inspection: endpoints.Inspection) => {
    const row = (await inspectionById(call.db, inspection.id)) as InspectionRow
    const known = inspection.wim?.images.length
    await copyImages(call.db, files, row).catch((error) => {
      api.http.log.warn({ err: error }, 'inspections: images not copied')
    })
    const copied = await toInspection(call.db, row)
    return copied.wim?.images.length === known ? inspection : { ...inspection, wim: copied.wim }
  }

  route(api, endpoints.takeOver, async (call) => {
    const taken = await takeStep(call, {
      step: 'take-over',
      action: 'inspection-taken-over',
      change: async (db, row, at) => {
        const key = vehicleOf(row)
        if (key) await clearFromSign(db, call, key)
        const { userId } = call.session
        const officer = { officer_id: userId, reason: textOrNull(call.body.reason) ?? row.reason }
        // Another officer continues what the first began.
        if (row.takenOverAt) {
          const former = new Set([...row.formerOfficerIds, ...(row.officerId === null ? [] : [row.officerId])])
          former.delete(userId)
          return { ...officer, former_officers: [...former] }
        }
        const { day, start } = shiftAt(api.config.shiftStarts, at)
        return {
          ...officer,
          taken_over_at: at,
          shift_day: day,
          shift_start: start,
          passed_by_at: null,
          passed_by_by: null,
        }
      },
    })
    return withImages(call, taken)
  })

  route(api, endpoints.weigh, async (call) => {
    const { body, session } = call
    assertNotAnonymised(session)
    const weights = {
      axles: body.axles ?? null,
      lifted: body.lifted ?? null,
      gaps: body.gaps ?? null,
      groups: body.groups ?? null,
      gross: body.gross ?? null,
    }
    const error = weightsError(weights)
    if (error) throw new Refusal(error.code, error.code === 'weights-disagree' ? 422 : 400, error.path)
    return takeStep(call, {
      step: 'weighing',
      action: 'inspection-weighed',
      change: (db, row, at) => weighingOf(db, row, { ...body, weights }, { at, now: call.now, userId: session.userId }),
    })
  })

  route(api, endpoints.close, async (call) => {
    const { body, session } = call
    assertNotAnonymised(session)
    const results = [...new Set(body.results)].sort((a, b) => a - b)
    const error = resultsError({ results, fineAmount: body.fineAmount ?? null })
    if (error) throw new Refusal(error.code, 422, error.path)
    const taxId = body.taxId ? parseTaxId(body.taxId) : null
    if (body.taxId && taxId === null) throw new Refusal('incorrect-tax-id', 422, 'taxId')
    const closed = await takeStep(call, {
      step: 'close',
      action: 'inspection-closed',
      canCloseUnweighed: canCloseUnweighed(results),
      change: (_, row, at) => {
        if (row.weighedAt && contradictsWeights(results)) throw new Refusal('results-contradict', 422, 'results')
        if (needsReason(results, row.confirmed) && !body.reason) throw new Refusal('reason-missing', 422, 'reason')
        return {
          closed_at: at,
          closed_by: session.userId,
          results,
          fine_amount: body.fineAmount ?? null,
          carrier: changed(body.carrier, row.carrier),
          tax_id: body.taxId === undefined ? row.taxId : taxId,
          declaration: changed(body.declaration, row.declaration),
          note: changed(body.note, row.note),
          reason: textOrNull(body.reason) ?? row.reason,
        }
      },
    })
    return withImages(call, closed)
  })

  route(api, endpoints.withdraw, (call) =>
    takeStep(call, {
      step: 'withdraw',
      action: 'inspection-withdrawn',
      change: () => ({
        withdrawn_at: call.now,
        withdrawn_by: call.session.userId,
        reason: storable(call.body.reason),
      }),
    }),
  )

  route(api, endpoints.passBy, (call) =>
    takeStep(call, {
      step: 'passed-by',
      action: 'inspection-passed-by',
      change: () => ({ passed_by_at: call.now, passed_by_by: call.session.userId }),
    }),
  )

  route(api, endpoints.reopen, (call) =>
    takeStep(call, {
      step: 'reopen',
      action: 'inspection-reopened',
      change: () => ({
        reopened_at: call.now,
        reopened_by: call.session.userId,
        closed_at: null,
        closed_by: null,
        reason: storable(call.body.reason),
      }),
    }),
  )
}

type WeighingBody = Pick<endpoints.NewWeighing, 'scaleId' | 'ctg8p1'> & { weights: EnteredWeights }

/** The columns of a weighing on a scale, by its certificate of that day. */
async function weighingOf(
  db: Transaction,
  row: InspectionRow,
  { scaleId, ctg8p1: corrected, weights }: WeighingBody,
  { at, now, userId }: { at: Date; now: Date; userId: number },
): Promise<InspectionChange> {
  const scale = await takeScale(db, scaleId, { at, now })
  if (!scale) throw new Refusal('scale-unknown', 422, 'scaleId')
  const measured = measuredOf(row.passage)
  const limits = await legalLimitsOf(db, row, at)
  const ctg8p1 = corrected ?? row.ctg8p1
  return { weighed_by: userId, ...weighingColumns(weights, { measured, ctg8p1, limits, scale, at }) }
}
