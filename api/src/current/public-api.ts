/* Public API of this feature; other features import nothing else. */

export type { LiveWindow } from './live-window.ts'
export type { Window } from './window.ts'
