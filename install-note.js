/*
 * Run by npm after an installation, by the Node.js of the portal: says in one line which one that is, where the machine has
 * another one. npm's warnings about the machine's version are hidden (.npmrc), because nothing but the installation runs on it.
 */

const own = process.version.slice(1)
const installer = /\bnode\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]
if (installer && installer !== own)
  console.log(`Node.js ${installer} of this machine only installs: npm start and npm test run on Node.js ${own}.`)
