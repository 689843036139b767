import '../../runtime/node-24.ts'
import { buildAdjustment } from '../../catalogue/adjusted-catalogue.ts'
import { catalogueRules } from '../../catalogue/load-catalogue.ts'
import { buffersIn } from '../../catalogue/snapshot/transfer.ts'
import { providers } from '../../providers/providers.ts'
import { Transferred } from '../../runtime/request-channel.ts'
import { serveOnce } from '../../runtime/worker-thread.ts'
import type { AdjustWork } from './adjust-in-thread.ts'
import { RuleAdjuster } from './rule-adjuster.ts'

serveOnce(async ({ columns, rules, providers: keys }: AdjustWork) => {
  const on = providers.filter(({ key }) => keys.includes(key))
  const adjustment = buildAdjustment(columns, (base) => new RuleAdjuster(rules, base), catalogueRules(on))
  return new Transferred(adjustment, buffersIn(adjustment))
})
