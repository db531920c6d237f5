/* Public API of this feature; other features import nothing else. */

export { type Finish, firstAxlesSince, lastFinishes } from './queries.ts'
