import { plateExportQuery, type WantedPlate } from '@rogatka/contract/wanted.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { type Column, csv, inOnePart, reportKind, stampedName } from '../reports/public-api.ts'
import { foundPlates } from './queries.ts'
import { asSeen, toPlateSearch } from './search.ts'
import { wantedTexts } from './texts.ts'

type Row = Pick<WantedPlate, 'plateLpr' | 'description' | 'expiresAt' | 'allowMisread'>

/** The columns that the page loads again: plate, description, end, misread characters. */
export const plateExport = reportKind({
  name: 'wanted-plates',
  access: ['WantedList', 'BlackList', 'WhiteList'],
  query: plateExportQuery,
  create: async ({ db, session, now, language }, query) => {
    const words = wantedTexts(language).file
    const columns: Column<Row>[] = [
      { title: words.plate, value: ({ plateLpr }) => plateLpr, width: 14 },
      { title: words.description, value: ({ description }) => description, width: 60 },
      { title: words.expires, value: ({ expiresAt }) => expiresAt, width: 20 },
      { title: words.misread, value: ({ allowMisread }) => (allowMisread ? words.yes : words.no), width: 10 },
    ]
    // The order of the plates would tell what the mask hides.
    const orderBy = isAnonymised(session) ? 'createdAt' : 'plate'
    const rows = (await foundPlates(db, toPlateSearch(session, query), orderBy)).map((row) => asSeen(session, row))
    return { name: stampedName('wanted_plates', now, 'csv'), content: csv(columns, inOnePart(rows), language) }
  },
})
