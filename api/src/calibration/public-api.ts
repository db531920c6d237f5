/* Public API of this feature; other features import nothing else. */

export { firstAxles, lastFinishes } from './queries.ts'
