/* Public API of this feature; other features import nothing else. */

export { canToggle, openInspection } from './announceable.ts'
export { useAnnounce } from './useAnnounce.tsx'
