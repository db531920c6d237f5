/** What is used of jStat, which brings no types. */
declare module 'jstat' {
  const jStat: {
    studentt: {
      /** The probability that Student's t with so many degrees of freedom is at most x. */
      cdf: (x: number, degreesOfFreedom: number) => number
    }
  }
  export default jStat
}
