import { ask } from './question.ts'

/** From the plan pages of DigitalOcean, Hetzner and OVHcloud. */
export const smallerQuestions = [
  ask(
    'digitalocean nyc1 s-4vcpu-8gb',
    1,
    '',
    's-2vcpu-4gb hel1 fsn1',
    'Four cores and eight GiB in North America',
  ),
  ask('digitalocean nyc1 c-4', 1, '', 't3.* Standard_B*', 'Dedicated threads that are all busy'),
  ask(
    'digitalocean nyc1 g-2vcpu-8gb',
    1,
    'm5a.large|m6a.large|e2-standard-2',
    'm6g.large',
    'General purpose at the large clouds',
  ),
  ask('digitalocean nyc1 m-2vcpu-16gb', 1, '', 's-2vcpu-8gb*', 'Sixteen GiB'),
  ask(
    'digitalocean nyc1 so-2vcpu-16gb',
    1,
    '',
    'm-2vcpu-16gb g-* r5.large',
    'Storage-optimised Droplets are paid for their NVMe',
  ),
  ask(
    'digitalocean fra1 s-4vcpu-8gb',
    1,
    'hetzner|ovhcloud',
    'ash hil nyc1 us-*',
    'Frankfurt is compared with Europe',
  ),
  ask('digitalocean sgp1 s-4vcpu-8gb', 1, '', 'fsn1 GRA9 nyc1', 'Singapore with Asia'),
  ask('digitalocean syd1 g-4vcpu-16gb', 1, '', 'sgp1 us-*', 'Sydney with Oceania'),
  ask('hetzner fsn1 cx33', 1, '', 'cax21 nyc1 ash', 'cax is Arm; Virginia is another continent'),
  ask('hetzner fsn1 cax21', 1, '', 'cx33 s-*', 'Arm stays Arm'),
  ask('hetzner fsn1 ccx23', 1, '', 'cx11 cx22 cax21', 'Retired plans are not offered'),
  ask('hetzner ash cpx41', 1, '', 'fsn1 nbg1 hel1', 'Ashburn stays in North America'),
  ask('ovhcloud GRA9 b3-16', 1, '', 'nyc1 us-* i1-* bm-*', 'Europe, and no storage or bare metal'),
  ask('ovhcloud GRA9 b2-15', 1, 'b3-16|cx33|cx43|cpx42', 'us-*', 'A previous plan moves to a current one'),
  ask('ovhcloud GRA9 i1-45', 1, '', 'b3-* r3-* cx*', 'Storage-optimised keeps its NVMe'),
  ask('ovhcloud GRA9 t2-le-45', 1, '', 'p3.2xlarge Standard_NC6s_v3', 'A V100S of 32 GB is not a V100 of 16'),
  ask('ovhcloud GRA9 bm-s1', 1, '', 'b3-* c3-*', 'Bare metal stays bare metal'),
]
