/** Types of the used part of jStat, which ships none. */
declare module 'jstat' {
  const jStat: {
    normal: {
      /** CDF of the normal distribution. */
      cdf: (x: number, mean: number, standardDeviation: number) => number
    }
    studentt: {
      /** CDF of Student's t: the probability of at most x. */
      cdf: (x: number, degreesOfFreedom: number) => number
      /** Quantile of Student's t. */
      inv: (probability: number, degreesOfFreedom: number) => number
    }
  }
  export default jStat
}
