/* Public API of this feature; other features import nothing else. */

export { clearFromSign, isOnSign, showOnSign } from './show-plate.ts'
export { groupViews, type SignState, signStates } from './view.ts'
