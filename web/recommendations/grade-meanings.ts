export const riskMeaning =
  'How much can go wrong. Low: more is requested, or nothing observed would have been throttled or killed. High: something is removed, a limit comes near the highest usage, or a single replica or a database gets less memory. Medium: everything else.'
export const confidenceMeaning =
  'how much usage it is based on: a week gives about 74% for a container and 59% for a machine, a month 92% and 74%. Gaps and restarts lower it.'
