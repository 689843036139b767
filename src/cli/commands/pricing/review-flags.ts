import { efforts } from '../../../pricing/compare/comparison.ts'
import { type CommandOption, flagOption, listOption, textOption } from '../../command.ts'
import { reviewFormats } from '../../render/review.ts'

export const reviewOptions: Readonly<Record<string, CommandOption>> = {
  format: textOption('FORMAT', `${reviewFormats.join(', ')}; default text`, reviewFormats),
  diff: flagOption(
    'Compare two states, or two plan files by their planned end state, instead of reviewing plans',
  ),
  region: listOption(
    '[PROVIDER=]REGION',
    'Region of resources for which the plan contains none, such as eu-west-1 or aws=eu-west-1',
  ),
  manifests: textOption(
    'PATH',
    'Review Kubernetes manifests by their requests: a file, a directory of rendered YAML, or - for the output of helm template or kustomize build',
  ),
  'manifests-before': textOption('PATH', 'With --manifests: the manifests before the change'),
  'cluster-prices': textOption(
    'PRICES',
    'With --manifests: the type of the nodes (aws/us-east-1/m5.large, also with /spot), or US dollars an hour (core=0.03,gib=0.004)',
  ),
  nodes: textOption('COUNT', 'With --manifests: number of nodes, for what runs on each'),
  hours: textOption('HOURS', 'Hours that machines run in a month; default 730'),
  price: listOption(
    'TYPE=USD',
    'What a resource of a type costs a month if it has no price here, such as aws_nat_gateway=35.04',
  ),
  'max-increase': textOption(
    'USD',
    'Exit 3 if the monthly cost rises by more than this, or if a resource without a price could raise it',
  ),
  'fail-on-unpriced': flagOption('Exit 3 if any resource that may cost money has no price'),
  'allow-unpriced': flagOption('With --max-increase: allow resources without a price'),
  suggest: listOption('EFFORT', `What suggestions may change: ${efforts.join(', ')} or all; default resize`),
  suggestions: textOption('COUNT', 'Suggestions per machine and effort; default 1; 0 for none'),
  comment: textOption(
    'SERVICE',
    'Create or update one comment on the pull request of this pipeline: github or gitlab',
    ['github', 'gitlab'],
  ),
  'comment-tag': textOption('NAME', 'Name of the comment, if several jobs comment on one pull request'),
  ci: textOption('SERVICE', 'Write the summary, outputs and annotations of the CI job: github'),
  save: textOption(
    'NAME',
    'With --server: keep the totals under this name, such as infrastructure#42, for cheapside reviews and the console',
  ),
  source: textOption(
    'DIRECTORY',
    'Directory of the Terraform files, for annotations; default: the current one',
  ),
}

export const reviewNotes = [
  'terraform plan -out plan && terraform show -json plan > plan.json && cheapside review plan.json',
  'Use - as PLAN.json to read standard input. The JSON of a state (terraform show -json) is accepted too.',
  'With --server, suggestions use the measured usage of machines that the service knows; the key needs the scope gateway:read. Prices stay those of the catalogue.',
  '--save needs a key with the scope gateway:write. Plans are never kept.',
  'Regions also come from AWS_REGION, AWS_DEFAULT_REGION, GOOGLE_REGION, ARM_LOCATION and OS_REGION_NAME, as in Terraform.',
  'Comments need a token in GITHUB_TOKEN, or one with the scope api in GITLAB_TOKEN; the rest comes from the variables of the pipeline.',
].join('\n')
