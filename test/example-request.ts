/** The body of POST /recommendations for an m5.xlarge that is less than half used. */
export const exampleRequest = (predicates: Readonly<Record<string, readonly string[]>> = {}) => ({
  provider: 'aws',
  region: 'us-east-1',
  availability_zone: '',
  service: 'AmazonEC2',
  instance_type: 'm5.xlarge',
  operating_system: 'Linux',
  usage_type: 'ondemand',
  vm: { cpu_cores: 4, ram_gb: 16 },
  usage: { cpu_cores: 1.5, ram_gb: 6 },
  predicates: {
    providers: [],
    regions: [],
    instance_types: [],
    availability_zones: [],
    usage_types: [],
    ...predicates,
  },
})
