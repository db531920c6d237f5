/* Public API of this feature; other features import nothing else. */

export { type FeedPosition, follow } from './feed.ts'
export { isViolating, isWanted } from './liveList.ts'
