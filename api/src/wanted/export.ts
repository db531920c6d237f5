import { plateExportQuery } from '@rogatka/contract/wanted.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { shownOf } from '../core/look.ts'
import type { Session } from '../core/sessions.ts'
import { type Column, csv, reportKind, stampedName } from '../reports/public-api.ts'
import { type ExportedPlate, exportedPlates } from './queries.ts'
import { maskFor, toPlateSearch } from './search.ts'
import { wantedTexts } from './texts.ts'

/** The columns that the import reads: plate, description, expiry, misread characters. */
export const plateExport = reportKind({
  name: 'wanted-plates',
  access: ['WantedList', 'BlackList', 'WhiteList'],
  query: plateExportQuery,
  shows: async ({ db, session, now }, query) => {
    const plates: string[] = []
    for await (const batch of exportedPlates(db, toPlateSearch(session, query, now), 'createdAt'))
      for (const { plateLpr } of batch) plates.push(plateLpr)
    return { results: plates.length, shown: shownOf(plates) }
  },
  create: async ({ db, session, now, language }, query) => {
    const texts = wantedTexts(language).file
    const columns: Column<ExportedPlate>[] = [
      { title: texts.plate, value: ({ plateLpr }) => plateLpr, width: 14 },
      { title: texts.description, value: ({ description }) => description, width: 60 },
      { title: texts.expires, value: ({ expiresAt }) => expiresAt, width: 20 },
      { title: texts.misread, value: ({ allowMisread }) => (allowMisread ? texts.yes : texts.no), width: 10 },
    ]
    // Ordering by plate would reveal masked plates.
    const orderBy = isAnonymised(session) ? 'createdAt' : 'plate'
    const rows = maskedBatches(exportedPlates(db, toPlateSearch(session, query, now), orderBy), session)
    return { name: stampedName('wanted_plates', now, 'csv'), content: csv(columns, rows, language) }
  },
})

async function* maskedBatches(batches: AsyncIterable<ExportedPlate[]>, session: Session) {
  for await (const batch of batches) yield batch.map((row) => maskFor(session, row))
}
