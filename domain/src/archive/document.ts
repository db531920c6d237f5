import { listPages } from '../core/listDocument.ts'

/** Height of a row, in points. */
export const ROW_HEIGHT = { plain: 18, withImages: 56 }
/** Lines of criteria of a usual search, with issuer and number; of the totals; and of the legend. */
const CRITERIA = 6
const BLOCKS = [8, 3]

/** Number of pages of the PDF list of these vehicles, approximately: each further criterion takes a line. */
export const archivePages = (vehicles: number, withImages: boolean): number =>
  listPages(vehicles, {
    rowHeight: withImages ? ROW_HEIGHT.withImages : ROW_HEIGHT.plain,
    criteria: CRITERIA,
    blocks: BLOCKS,
    hasNote: true,
  })
