/* Public API of this feature; other features import nothing else. */

export { alarmsOfShift } from './shift.ts'
