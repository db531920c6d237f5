/* Public API of this feature; other features import nothing else. */

export { publishedGroups } from './published.ts'
export { contents } from './queries.ts'
export { commandsOfShift } from './shift.ts'
export { clearFromSign, isOnSign, showOnSign } from './show-plate.ts'
export { groupViews, type SignState, signStates } from './view.ts'
