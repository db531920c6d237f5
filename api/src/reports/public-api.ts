/* Public API of this feature; other features import nothing else. */

export { ALIGNED_ROW, startAlignedTable } from './aligned-table.ts'
export { drawChart, drawCriteria } from './criteria.ts'
export { type CsvCells, csv, csvCells, csvLines, dataCsv } from './csv.ts'
export { createFigureTable } from './figure-table.ts'
export { createReportLink } from './link-queries.ts'
export { type ParquetColumn, parquet } from './parquet.ts'
export { createPdfDocument, INK, MARGIN, type PdfDocument, type TextStyle } from './pdf-document.ts'
export { OFFSET_PLACEHOLDER, SIGNATURE_BYTES } from './pdf-signature.ts'
export {
  type Box,
  type DrawTools,
  FIRST_BASELINE,
  type PageColumn,
  type PageTable,
  pdfAnnex,
  pdfTable,
} from './pdf-table.ts'
export { createPlatePainter } from './plate.ts'
export { type ReportContext, type ReportFile, reportKind, stampedName } from './report.ts'
export { fitToHeight, type ReportImage } from './report-image.ts'
export type { SendFile } from './send-file.ts'
export { type Column, type DataColumn, inOneBatch, type RowBatches } from './table.ts'
export type { DrawCell } from './table-tags.ts'
export { categoryName, reportTexts, timeClassCountryCriteria, violationsOf } from './texts.ts'
export { type CriteriaSheet, criteriaSheet, xlsx } from './xlsx.ts'
export { type ChartSheet, xlsxCharts } from './xlsx-charts.ts'
export { createYielder, inChunks } from './yielding.ts'
export { type ZipEntry, zip } from './zip.ts'
