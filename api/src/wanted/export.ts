import { plateExportQuery, type WantedPlate } from '@rogatka/contract/wanted.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { type Column, csv, inOneBatch, reportKind, stampedName } from '../reports/public-api.ts'
import { searchPlates } from './queries.ts'
import { maskFor, toPlateSearch } from './search.ts'
import { wantedTexts } from './texts.ts'

type Row = Pick<WantedPlate, 'plateLpr' | 'description' | 'expiresAt' | 'allowMisread'>

/** The columns that the import reads: plate, description, expiry, misread characters. */
export const plateExport = reportKind({
  name: 'wanted-plates',
  access: ['WantedList', 'BlackList', 'WhiteList'],
  query: plateExportQuery,
  create: async ({ db, session, now, language }, query) => {
    const texts = wantedTexts(language).file
    const columns: Column<Row>[] = [
      { title: texts.plate, value: ({ plateLpr }) => plateLpr, width: 14 },
      { title: texts.description, value: ({ description }) => description, width: 60 },
      { title: texts.expires, value: ({ expiresAt }) => expiresAt, width: 20 },
      { title: texts.misread, value: ({ allowMisread }) => (allowMisread ? texts.yes : texts.no), width: 10 },
    ]
    // Ordering by plate would reveal masked plates.
    const orderBy = isAnonymised(session) ? 'createdAt' : 'plate'
    const rows = (await searchPlates(db, toPlateSearch(session, query), orderBy)).map((row) => maskFor(session, row))
    return { name: stampedName('wanted_plates', now, 'csv'), content: csv(columns, inOneBatch(rows), language) }
  },
})
