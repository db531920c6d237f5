/** Types of the used part of jStat, which ships none. */
declare module 'jstat' {
  const jStat: {
    studentt: {
      /** CDF of Student's t: the probability of at most x. */
      cdf: (x: number, degreesOfFreedom: number) => number
    }
  }
  export default jStat
}
