/* Public API of this feature; other features import nothing else. */

export { orderRows } from './orderRows.ts'
export { type OverviewRow, useStationConditions } from './useOverview.ts'
export { fullName } from './useOverviewTexts.ts'
