// Made by web/api/generate.ts from docs/openapi.json.

export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  instance?: string
  code:
    | 'bad-request'
    | 'not-json'
    | 'unauthenticated'
    | 'key-expired'
    | 'forged-request'
    | 'forbidden'
    | 'not-found'
    | 'unknown-provider'
    | 'unknown-region'
    | 'unknown-instance-type'
    | 'no-price'
    | 'method-not-allowed'
    | 'not-acceptable'
    | 'timeout'
    | 'conflict'
    | 'precondition-failed'
    | 'body-too-large'
    | 'unsupported-media-type'
    | 'invalid'
    | 'rate-limited'
    | 'too-many-series'
    | 'headers-too-large'
    | 'internal'
    | 'starting'
    | 'draining'
    | 'too-many-connections'
    | 'overloaded'
    | 'busy'
    | 'loading'
    | 'store-unavailable'
  request_id?: string
  error?: string
  errors?: { pointer?: string; message?: string; detail?: string }[]
  current?: Record<string, unknown>
  nearest?: Record<string, unknown>
}

export interface paths {
  '/admin/demo': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': { organisation: string; loaded_until: string | null; is_loading: boolean }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    post: {
      parameters: { query?: never }
      responses: {
        201: { content: { 'application/json': { organisation: string; key: string; expires_at: string } } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    delete: {
      parameters: { query?: never }
      responses: {
        204: { content: never }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/admin/keys': {
    get: {
      parameters: { query?: { organisation?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              keys: {
                id: string
                organisation: string
                name: string
                scopes: (
                  | 'pricing:read'
                  | 'marketplace:write'
                  | 'gateway:read'
                  | 'gateway:write'
                  | 'usage:write'
                  | 'admin'
                )[]
                state: 'active' | 'rotating' | 'expired' | 'revoked'
                created_at: string
                expires_at: string | null
                revoked_at: string | null
                last_used_at: string | null
                replaced_by: string | null
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': { organisation: string; name: string; scopes: string[]; expires_at?: string }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': { key: string } & {
              id: string
              organisation: string
              name: string
              scopes: (
                | 'pricing:read'
                | 'marketplace:write'
                | 'gateway:read'
                | 'gateway:write'
                | 'usage:write'
                | 'admin'
              )[]
              state: 'active' | 'rotating' | 'expired' | 'revoked'
              created_at: string
              expires_at: string | null
              revoked_at: string | null
              last_used_at: string | null
              replaced_by: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/admin/keys/{id}/revoke': {
    post: {
      parameters: { query?: never; path: { id: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              organisation: string
              name: string
              scopes: (
                | 'pricing:read'
                | 'marketplace:write'
                | 'gateway:read'
                | 'gateway:write'
                | 'usage:write'
                | 'admin'
              )[]
              state: 'active' | 'rotating' | 'expired' | 'revoked'
              created_at: string
              expires_at: string | null
              revoked_at: string | null
              last_used_at: string | null
              replaced_by: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/admin/keys/{id}/rotate': {
    post: {
      parameters: { query?: never; path: { id: string } }
      requestBody: { content: { 'application/json': { overlap_seconds?: number } } }
      responses: {
        201: {
          content: {
            'application/json': { key: string } & {
              id: string
              organisation: string
              name: string
              scopes: (
                | 'pricing:read'
                | 'marketplace:write'
                | 'gateway:read'
                | 'gateway:write'
                | 'usage:write'
                | 'admin'
              )[]
              state: 'active' | 'rotating' | 'expired' | 'revoked'
              created_at: string
              expires_at: string | null
              revoked_at: string | null
              last_used_at: string | null
              replaced_by: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/admin/organisations/{organisation}/cost_sharing': {
    get: {
      parameters: { query?: never; path: { organisation: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              idle: 'apart' | 'by_cost' | 'evenly' | 'fixed'
              shared_namespaces: string[]
              shared: 'apart' | 'by_cost' | 'evenly' | 'fixed'
              shares: Record<string, number>
              load_balancer_usd_per_month: number | null
              network_usd_per_gib: number | null
              network_internet_percent: number | null
              off: ('containers' | 'machines' | 'volumes' | 'load_balancers' | 'network')[]
              set: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    put: {
      parameters: { query?: never; path: { organisation: string } }
      requestBody: {
        content: {
          'application/json': {
            idle?: 'apart' | 'by_cost' | 'evenly' | 'fixed'
            shared_namespaces?: string[]
            shared?: 'apart' | 'by_cost' | 'evenly' | 'fixed'
            shares?: Record<string, number>
            load_balancer_usd_per_month?: number | null
            network_usd_per_gib?: number | null
            network_internet_percent?: number | null
            off?: ('containers' | 'machines' | 'volumes' | 'load_balancers' | 'network')[]
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              idle: 'apart' | 'by_cost' | 'evenly' | 'fixed'
              shared_namespaces: string[]
              shared: 'apart' | 'by_cost' | 'evenly' | 'fixed'
              shares: Record<string, number>
              load_balancer_usd_per_month: number | null
              network_usd_per_gib: number | null
              network_internet_percent: number | null
              off: ('containers' | 'machines' | 'volumes' | 'load_balancers' | 'network')[]
              set: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/admin/organisations/{organisation}/sizing_profile': {
    get: {
      parameters: { query?: never; path: { organisation: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              profile: string | null
              risk: number | null
              set: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    put: {
      parameters: { query?: never; path: { organisation: string } }
      requestBody: { content: { 'application/json': { profile?: string; risk?: number } } }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              profile: string | null
              risk: number | null
              set: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/admin/organisations/{organisation}/sizing_rules': {
    get: {
      parameters: { query?: never; path: { organisation: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              rules: {
                cluster?: string
                namespace?: string
                workload?: string
                container?: string
                image?: string
                labels?: Record<string, string>
                limits?: 'none' | 'ratio' | 'quantile'
                min_cpu?: number
                max_cpu?: number
                min_memory?: number
                max_memory?: number
                cpu_memory_ratio?: string
                profile?: string
                risk?: number
                qos?: 'guaranteed' | 'burstable'
                exclude?: boolean
                managed_by?: string
              }[]
              etag: string
              would_change?: {
                containers: number
                unmatched_rules: number[]
                cost_per_month: { before: number; after: number }
                cpu_request_cores: { before: number; after: number }
                memory_request_gib: { before: number; after: number }
                largest: {
                  cluster: string
                  namespace: string
                  workload: string
                  container: string
                  before: {
                    cpu_cores: number | null
                    cpu_limit_cores: number | null
                    memory_gib: number | null
                    memory_limit_gib: number | null
                  }
                  after: {
                    cpu_cores: number | null
                    cpu_limit_cores: number | null
                    memory_gib: number | null
                    memory_limit_gib: number | null
                  }
                  cost_per_month: { before: number; after: number }
                }[]
              }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    put: {
      parameters: { query?: { dry_run?: boolean }; path: { organisation: string } }
      requestBody: {
        content: {
          'application/json': {
            rules: {
              cluster?: string
              namespace?: string
              workload?: string
              container?: string
              image?: string
              labels?: Record<string, string>
              limits?: 'none' | 'ratio' | 'quantile'
              min_cpu?: number
              max_cpu?: number
              min_memory?: number
              max_memory?: number
              cpu_memory_ratio?: string
              profile?: string
              risk?: number
              qos?: 'guaranteed' | 'burstable'
              exclude?: boolean
              managed_by?: string
            }[]
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              rules: {
                cluster?: string
                namespace?: string
                workload?: string
                container?: string
                image?: string
                labels?: Record<string, string>
                limits?: 'none' | 'ratio' | 'quantile'
                min_cpu?: number
                max_cpu?: number
                min_memory?: number
                max_memory?: number
                cpu_memory_ratio?: string
                profile?: string
                risk?: number
                qos?: 'guaranteed' | 'burstable'
                exclude?: boolean
                managed_by?: string
              }[]
              etag: string
              would_change?: {
                containers: number
                unmatched_rules: number[]
                cost_per_month: { before: number; after: number }
                cpu_request_cores: { before: number; after: number }
                memory_request_gib: { before: number; after: number }
                largest: {
                  cluster: string
                  namespace: string
                  workload: string
                  container: string
                  before: {
                    cpu_cores: number | null
                    cpu_limit_cores: number | null
                    memory_gib: number | null
                    memory_limit_gib: number | null
                  }
                  after: {
                    cpu_cores: number | null
                    cpu_limit_cores: number | null
                    memory_gib: number | null
                    memory_limit_gib: number | null
                  }
                  cost_per_month: { before: number; after: number }
                }[]
              }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        412: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/admin/prices/refresh': {
    post: {
      parameters: { query?: never }
      requestBody: { content: { 'application/json': { providers?: string[]; accept?: boolean } } }
      responses: {
        202: {
          content: {
            'application/json': {
              state: 'none' | 'running' | 'done' | 'elsewhere' | 'failed'
              started_at: string | null
              finished_at: string | null
              requested: string[]
              progress: { provider: string; text: string }[]
              providers: {
                provider: string
                outcome: 'fresh' | 'unchanged' | 'refused' | 'failed' | 'needs-credential'
                reason: string
                notes: string[]
                fresh_at: string | null
                offers: number
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              state: 'none' | 'running' | 'done' | 'elsewhere' | 'failed'
              started_at: string | null
              finished_at: string | null
              requested: string[]
              progress: { provider: string; text: string }[]
              providers: {
                provider: string
                outcome: 'fresh' | 'unchanged' | 'refused' | 'failed' | 'needs-credential'
                reason: string
                notes: string[]
                fresh_at: string | null
                offers: number
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/api/v1/write': {
    post: {
      parameters: { query?: { cluster?: string } }
      responses: {
        204: { content: never }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/catalogue': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              built_at: string
              offers: number
              exchange: { from: string; to: string; rate: number; day: string; source: string } | null
              providers: {
                provider_key: string
                provider: string
                offers: number
                types: number
                regions: number
                currency: string
                oldest_day: string | null
                newest_day: string | null
                sources: { source: string; day: string; rows: number }[]
                filled: { what: string; rule: string; types: number; offers: number }[]
                unknown_sizes: { offers: number; types: string[] }
                quarantined: {
                  region: string
                  availability_zone: string
                  instance_type: string
                  operating_system: string
                  usage_type: string
                  term: string
                  cost_per_hour: number
                  median_per_hour: number | null
                  reason: string
                }[]
                dropped: { reason: string; rows: number; example: string }[]
                refresh: {
                  at: string
                  outcome: 'fresh' | 'unchanged' | 'refused' | 'failed' | 'needs-credential'
                  reason: string
                  fresh_at: string | null
                  notes: string[]
                  bytes: number | null
                } | null
              }[]
            }
          }
        }
        304: { content: { 'application/json': unknown } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/catalogue/types': {
    get: {
      parameters: {
        query?: {
          q?: string
          provider?: string
          region?: string
          cpu_cores?: number
          ram_gb?: number
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              provider_key: string
              provider: string
              instance_type: string
              cpu_cores: number | null
              ram_gb: number | null
              architecture: string
              gpu: { count: number; name: string } | null
              regions: string[]
              operating_systems: string[]
              usage_types: string[]
              cost_per_hour_from: number | null
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/healthz': {
    get: {
      parameters: { query?: never }
      responses: {
        200: { content: { 'application/json': { status: 'ok' } } }
        400: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/key': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              organisation: string
              name: string
              scopes: (
                | 'pricing:read'
                | 'marketplace:write'
                | 'gateway:read'
                | 'gateway:write'
                | 'usage:write'
                | 'admin'
              )[]
              state: 'active' | 'rotating' | 'expired' | 'revoked'
              created_at: string
              expires_at: string | null
              revoked_at: string | null
              last_used_at: string | null
              replaced_by: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/marketplace/providers': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            name: string
            entries: {
              cost_per_hour: number
              cpu_cores: number
              ram_gb: number
              usage_type?: string
              instance_type: string
              region: string
              raw_pricing_data?: Record<string, unknown>
              provider?: string
              service?: string
              operating_system?: string
              availability_zone?: string
            }[]
          }
        }
      }
      responses: {
        200: {
          content: { 'application/json': { Status: 'Registered'; Entries: number; Warnings?: string[] } }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': { providers: { provider: string; service: string }[]; count: number }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/marketplace/providers/compute': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            entries: {
              cost_per_hour: number
              cpu_cores: number
              ram_gb: number
              usage_type?: string
              instance_type: string
              region: string
              raw_pricing_data?: Record<string, unknown>
              provider?: string
              service?: string
              operating_system?: string
              availability_zone?: string
            }[]
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'Registered'
              entries: {
                cpu_cores_cost_per_hour: number
                ram_gb_cost_per_hour: number
                cost_per_hour: number
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                instance_type: string
                region: string
                provider: string
                service: string
                operating_system: string
                availability_zone: string
                raw_pricing_data: Record<string, unknown>
                id: string
                architecture: string
                cpu_cores: number
                ram_gb: number
                period_billing_hours: number
                currency: 'USD'
                native_cost_per_hour: number
                gpu_count: number
                gpu_type: string
                gpu_cost_per_hour: number
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }[]
              warnings?: string[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    get: {
      parameters: {
        query?: {
          limit?: number
          offset?: number
          service?: string
          region?: string
          instance_type?: string
          usage_type?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              providers: {
                cpu_cores_cost_per_hour: number
                ram_gb_cost_per_hour: number
                cost_per_hour: number
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                instance_type: string
                region: string
                provider: string
                service: string
                operating_system: string
                availability_zone: string
                raw_pricing_data: Record<string, unknown>
                id: string
                architecture: string
                cpu_cores: number
                ram_gb: number
                period_billing_hours: number
                currency: 'USD'
                native_cost_per_hour: number
                gpu_count: number
                gpu_type: string
                gpu_cost_per_hour: number
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    delete: {
      parameters: { query: { id: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'Deleted'
              entries: {
                cpu_cores_cost_per_hour: number
                ram_gb_cost_per_hour: number
                cost_per_hour: number
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                instance_type: string
                region: string
                provider: string
                service: string
                operating_system: string
                availability_zone: string
                raw_pricing_data: Record<string, unknown>
                id: string
                architecture: string
                cpu_cores: number
                ram_gb: number
                period_billing_hours: number
                currency: 'USD'
                native_cost_per_hour: number
                gpu_count: number
                gpu_type: string
                gpu_cost_per_hour: number
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/marketplace/providers/disks': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            entries: {
              type: string
              region: string
              cost_per_gb_hour: number
              id?: string | null
              provider?: string | null
              service?: string | null
              availability_zone?: string | null
              usage_type?: string | null
              cost_per_iops_hour?: number | null
              cost_per_throughput_mbps_hour?: number | null
              min_capacity_gb?: number | null
              max_capacity_gb?: number | null
              min_iops?: number | null
              max_iops?: number | null
              min_throughput_mbps?: number | null
              max_throughput_mbps?: number | null
              period_billing_hours?: number | null
              raw_pricing_data?: Record<string, unknown> | null
              tags?: Record<string, string> | null
            }[]
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'Registered'
              entries: {
                id: string
                provider: string
                service: string
                region: string
                availability_zone: string
                type: string
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                cost_per_gb_hour: number
                cost_per_iops_hour: number
                cost_per_throughput_mbps_hour: number
                min_capacity_gb: number
                max_capacity_gb: number | null
                min_iops: number
                max_iops: number | null
                min_throughput_mbps: number
                max_throughput_mbps: number | null
                period_billing_hours: number
                raw_pricing_data: Record<string, unknown>
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              providers: {
                id: string
                provider: string
                service: string
                region: string
                availability_zone: string
                type: string
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                cost_per_gb_hour: number
                cost_per_iops_hour: number
                cost_per_throughput_mbps_hour: number
                min_capacity_gb: number
                max_capacity_gb: number | null
                min_iops: number
                max_iops: number | null
                min_throughput_mbps: number
                max_throughput_mbps: number | null
                period_billing_hours: number
                raw_pricing_data: Record<string, unknown>
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    delete: {
      parameters: { query: { id: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'Deleted'
              entries: {
                id: string
                provider: string
                service: string
                region: string
                availability_zone: string
                type: string
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                cost_per_gb_hour: number
                cost_per_iops_hour: number
                cost_per_throughput_mbps_hour: number
                min_capacity_gb: number
                max_capacity_gb: number | null
                min_iops: number
                max_iops: number | null
                min_throughput_mbps: number
                max_throughput_mbps: number | null
                period_billing_hours: number
                raw_pricing_data: Record<string, unknown>
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/marketplace/providers/{name}': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; path: { name: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              cost_per_hour: number
              cpu_cores: number
              ram_gb: number
              usage_type?: string
              instance_type: string
              region: string
              raw_pricing_data?: Record<string, unknown>
              provider?: string
              service?: string
              operating_system?: string
              availability_zone?: string
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    delete: {
      parameters: { query?: never; path: { name: string } }
      responses: {
        200: { content: { 'application/json': { Status: 'Removed'; Entries: number } } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/metrics': {
    get: {
      parameters: { query?: never }
      responses: {
        200: { content: { 'text/plain': string; 'application/openmetrics-text': string } }
        400: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/pricing': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            provider: string
            region: string
            instance_type: string
            operating_system: string
            usage_type: string
            availability_zone?: string
            service?: string
            vm?: { cpu_cores: number; ram_gb: number }
            include_metadata?: boolean
            fallback_to_base_pricing?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              cpu_cores_cost_per_hour: number
              ram_gb_cost_per_hour: number
              cost_per_hour: number
              usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
              instance_type: string
              region: string
              provider: string
              service: string
              operating_system: string
              availability_zone: string
              raw_pricing_data?: {
                term: string | null
                architecture: string | null
                gpu: { count: number; name: string } | null
                burstable_baseline: number | null
                monthly_cap: number | null
                sku_ids: string[]
                source: string
                day: string | null
                price_source: 'list' | 'rule' | 'own' | 'base'
                price_rules?: string[]
                accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                vcpu_kind:
                  | (
                      | 'dedicated-core'
                      | 'dedicated-thread'
                      | 'dedicated-thread-capped'
                      | 'shared-pool'
                      | 'shared'
                      | 'burstable'
                      | 'bare-metal'
                    )
                  | null
                kinds: string[]
                generation: 'current' | 'previous' | 'retiring' | 'retired'
                ends_on: string | null
                speed: {
                  coremark_per_vcpu: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                  borrowed_from: string | null
                } | null
                processor: string | null
                local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                network: { baseline_gbps: number | null; max_gbps: number | null } | null
                spot_interruption: { band: string; as_of: string } | null
                carbon: {
                  grams_co2e_per_hour: number
                  low: number
                  high: number
                  method: string
                  grid: string
                  grid_year: number | null
                } | null
                changes?: (
                  | 'provider'
                  | 'region'
                  | 'country'
                  | 'partition'
                  | 'payment'
                  | 'term'
                  | 'architecture'
                  | 'unknown-architecture'
                  | 'hypervisor'
                  | 'image-generation'
                  | 'fewer-cores'
                  | 'less-memory'
                  | 'slower-cores'
                  | 'unknown-speed'
                  | 'shared-vcpus'
                  | 'burstable-vcpus'
                  | 'capped-vcpus'
                  | 'local-disk-lost'
                  | 'smaller-local-disk'
                  | 'slower-network'
                  | 'previous-generation'
                  | 'ending'
                  | 'kind'
                  | 'interconnect'
                  | 'sap'
                  | 'sap-lost'
                  | 'constrained-vcpu'
                  | 'constrained-vcpu-lost'
                  | 'no-premium-storage'
                )[]
                performance?: {
                  ratio: number
                  low: number
                  high: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                } | null
                registered?: unknown
                notes?: string[]
              }
              id: string
              architecture: string
              cpu_cores: number
              ram_gb: number
              period_billing_hours: number
              currency: 'USD'
              native_cost_per_hour: number
              gpu_count: number
              gpu_type: string
              gpu_cost_per_hour: number
              tags: Record<string, string>
              created_at: string | null
              updated_at: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/pricing/compute': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            id?: string
            provider?: string
            service?: string
            region?: string
            availability_zone?: string
            instance_type?: string
            operating_system?: string
            usage_type?: string
            vm?: { cpu_cores?: number; ram_gb?: number }
            include_metadata?: boolean
            fallback_to_base_pricing?: boolean
            use_base_pricing?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              cpu_cores_cost_per_hour: number
              ram_gb_cost_per_hour: number
              cost_per_hour: number
              usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
              instance_type: string
              region: string
              provider: string
              service: string
              operating_system: string
              availability_zone: string
              raw_pricing_data?: {
                term: string | null
                architecture: string | null
                gpu: { count: number; name: string } | null
                burstable_baseline: number | null
                monthly_cap: number | null
                sku_ids: string[]
                source: string
                day: string | null
                price_source: 'list' | 'rule' | 'own' | 'base'
                price_rules?: string[]
                accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                vcpu_kind:
                  | (
                      | 'dedicated-core'
                      | 'dedicated-thread'
                      | 'dedicated-thread-capped'
                      | 'shared-pool'
                      | 'shared'
                      | 'burstable'
                      | 'bare-metal'
                    )
                  | null
                kinds: string[]
                generation: 'current' | 'previous' | 'retiring' | 'retired'
                ends_on: string | null
                speed: {
                  coremark_per_vcpu: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                  borrowed_from: string | null
                } | null
                processor: string | null
                local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                network: { baseline_gbps: number | null; max_gbps: number | null } | null
                spot_interruption: { band: string; as_of: string } | null
                carbon: {
                  grams_co2e_per_hour: number
                  low: number
                  high: number
                  method: string
                  grid: string
                  grid_year: number | null
                } | null
                changes?: (
                  | 'provider'
                  | 'region'
                  | 'country'
                  | 'partition'
                  | 'payment'
                  | 'term'
                  | 'architecture'
                  | 'unknown-architecture'
                  | 'hypervisor'
                  | 'image-generation'
                  | 'fewer-cores'
                  | 'less-memory'
                  | 'slower-cores'
                  | 'unknown-speed'
                  | 'shared-vcpus'
                  | 'burstable-vcpus'
                  | 'capped-vcpus'
                  | 'local-disk-lost'
                  | 'smaller-local-disk'
                  | 'slower-network'
                  | 'previous-generation'
                  | 'ending'
                  | 'kind'
                  | 'interconnect'
                  | 'sap'
                  | 'sap-lost'
                  | 'constrained-vcpu'
                  | 'constrained-vcpu-lost'
                  | 'no-premium-storage'
                )[]
                performance?: {
                  ratio: number
                  low: number
                  high: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                } | null
                registered?: unknown
                notes?: string[]
              }
              id: string
              architecture: string
              cpu_cores: number
              ram_gb: number
              period_billing_hours: number
              currency: 'USD'
              native_cost_per_hour: number
              gpu_count: number
              gpu_type: string
              gpu_cost_per_hour: number
              tags: Record<string, string>
              created_at: string | null
              updated_at: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/pricing/disks': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            id?: string | null
            provider?: string | null
            service?: string | null
            region?: string | null
            availability_zone?: string | null
            type?: string | null
            usage_type?: string | null
            capacity_gb?: number | null
            iops?: number | null
            throughput_mbps?: number | null
            fallback_to_base_pricing?: boolean | null
            include_metadata?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              provider: string
              service: string
              region: string
              availability_zone: string
              type: string
              usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
              cost_per_gb_hour: number
              cost_per_iops_hour: number
              cost_per_throughput_mbps_hour: number
              min_capacity_gb: number
              max_capacity_gb: number | null
              min_iops: number
              max_iops: number | null
              min_throughput_mbps: number
              max_throughput_mbps: number | null
              period_billing_hours: number
              raw_pricing_data: Record<string, unknown>
              tags: Record<string, string>
              created_at: string | null
              updated_at: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/pricing/history': {
    get: {
      parameters: {
        query: {
          provider: string
          region: string
          instance_type: string
          operating_system?: string
          usage_type?: string
          availability_zone?: string
          term?: string
          start_date?: string
          end_date?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              provider: string
              region: string
              instance_type: string
              start_date: string
              end_date: string
              series: {
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                term: string
                availability_zone: string
                operating_system: string
                cost_per_hour: number | null
                points: { from: string; cost_per_hour: number | null }[]
                last_30_days?: { minimum: number; median: number; maximum: number }
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/providers': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': Record<
              string,
              {
                provider: string
                predicates: {
                  regions: string[]
                  usage_types: string[]
                  availability_zones: string[]
                  providers: string[]
                  operating_systems: string[]
                  services: string[]
                }
              }
            >
          }
        }
        304: { content: { 'application/json': unknown } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/readyz': {
    get: {
      parameters: { query?: never }
      responses: {
        200: { content: { 'application/json': { status: 'ready' } } }
        400: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/json': { status: 'not ready'; troubles: Record<string, string> } } }
      }
    }
  }
  '/recommendations': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json':
            | {
                provider: string
                region: string
                instance_type: string
                operating_system: string
                usage_type: string
                availability_zone: string
                service: string
                vm: { cpu_cores: number; ram_gb: number }
                usage: { cpu_cores: number; ram_gb: number }
                predicates: {
                  availability_zones?: string[]
                  instance_types?: string[]
                  providers?: string[]
                  regions?: string[]
                  usage_types?: string[]
                  architectures?: string[]
                  interconnects?: string[]
                  near?: string
                  distance_km?: number
                }
                include_metadata?: boolean
                fallback_to_base_pricing?: boolean
                performance?: 'conservative' | 'equivalent'
                target_utilisation?: { cpu?: number; ram?: number }
                limit?: number
                offers_per_type?: number
              }
            | {
                instance: {
                  id?: string
                  provider?: string
                  service?: string
                  region?: string
                  availability_zone?: string
                  instance_type?: string
                  operating_system?: string
                  usage_type?: string
                  vm?: { cpu_cores?: number; ram_gb?: number }
                  include_metadata?: boolean
                  fallback_to_base_pricing?: boolean
                  use_base_pricing?: boolean
                }
                usage?: { cpu_cores?: number; ram_gb?: number }
                predicates?: {
                  availability_zones?: string[]
                  instance_types?: string[]
                  providers?: string[]
                  regions?: string[]
                  usage_types?: string[]
                  architectures?: string[]
                  interconnects?: string[]
                  near?: string
                  distance_km?: number
                  services?: string[]
                  operating_systems?: string[]
                }
                include_metadata?: boolean
                performance?: 'conservative' | 'equivalent'
                target_utilisation?: { cpu?: number; ram?: number }
                limit?: number
                offers_per_type?: number
              }
        }
      }
      responses: {
        200: {
          content: {
            'application/json':
              | Record<
                  string,
                  {
                    instance_pricing: {
                      cpu_cores_cost_per_hour: number
                      ram_gb_cost_per_hour: number
                      cost_per_hour: number
                      usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                      instance_type: string
                      region: string
                      provider: string
                      service: string
                      operating_system: string
                      availability_zone: string
                      raw_pricing_data?: {
                        term: string | null
                        architecture: string | null
                        gpu: { count: number; name: string } | null
                        burstable_baseline: number | null
                        monthly_cap: number | null
                        sku_ids: string[]
                        source: string
                        day: string | null
                        price_source: 'list' | 'rule' | 'own' | 'base'
                        price_rules?: string[]
                        accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                        vcpu_kind:
                          | (
                              | 'dedicated-core'
                              | 'dedicated-thread'
                              | 'dedicated-thread-capped'
                              | 'shared-pool'
                              | 'shared'
                              | 'burstable'
                              | 'bare-metal'
                            )
                          | null
                        kinds: string[]
                        generation: 'current' | 'previous' | 'retiring' | 'retired'
                        ends_on: string | null
                        speed: {
                          coremark_per_vcpu: number
                          basis:
                            | 'coremark'
                            | 'geekbench'
                            | 'passmark'
                            | 'same-family'
                            | 'same-generation'
                            | 'same-processor'
                          borrowed_from: string | null
                        } | null
                        processor: string | null
                        local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                        network: { baseline_gbps: number | null; max_gbps: number | null } | null
                        spot_interruption: { band: string; as_of: string } | null
                        carbon: {
                          grams_co2e_per_hour: number
                          low: number
                          high: number
                          method: string
                          grid: string
                          grid_year: number | null
                        } | null
                        changes?: (
                          | 'provider'
                          | 'region'
                          | 'country'
                          | 'partition'
                          | 'payment'
                          | 'term'
                          | 'architecture'
                          | 'unknown-architecture'
                          | 'hypervisor'
                          | 'image-generation'
                          | 'fewer-cores'
                          | 'less-memory'
                          | 'slower-cores'
                          | 'unknown-speed'
                          | 'shared-vcpus'
                          | 'burstable-vcpus'
                          | 'capped-vcpus'
                          | 'local-disk-lost'
                          | 'smaller-local-disk'
                          | 'slower-network'
                          | 'previous-generation'
                          | 'ending'
                          | 'kind'
                          | 'interconnect'
                          | 'sap'
                          | 'sap-lost'
                          | 'constrained-vcpu'
                          | 'constrained-vcpu-lost'
                          | 'no-premium-storage'
                        )[]
                        performance?: {
                          ratio: number
                          low: number
                          high: number
                          basis:
                            | 'coremark'
                            | 'geekbench'
                            | 'passmark'
                            | 'same-family'
                            | 'same-generation'
                            | 'same-processor'
                        } | null
                        registered?: unknown
                        notes?: string[]
                      }
                    }
                    vm: { cpu_cores: number; ram_gb: number } | null
                    savings: {
                      percentage: number
                      amount_per_hour: number
                      amount_per_month: number
                      amount_per_year: number
                    }
                  }[]
                >
              | Record<
                  string,
                  {
                    instance_pricing: {
                      cpu_cores_cost_per_hour: number
                      ram_gb_cost_per_hour: number
                      cost_per_hour: number
                      usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                      instance_type: string
                      region: string
                      provider: string
                      service: string
                      operating_system: string
                      availability_zone: string
                      raw_pricing_data?: {
                        term: string | null
                        architecture: string | null
                        gpu: { count: number; name: string } | null
                        burstable_baseline: number | null
                        monthly_cap: number | null
                        sku_ids: string[]
                        source: string
                        day: string | null
                        price_source: 'list' | 'rule' | 'own' | 'base'
                        price_rules?: string[]
                        accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                        vcpu_kind:
                          | (
                              | 'dedicated-core'
                              | 'dedicated-thread'
                              | 'dedicated-thread-capped'
                              | 'shared-pool'
                              | 'shared'
                              | 'burstable'
                              | 'bare-metal'
                            )
                          | null
                        kinds: string[]
                        generation: 'current' | 'previous' | 'retiring' | 'retired'
                        ends_on: string | null
                        speed: {
                          coremark_per_vcpu: number
                          basis:
                            | 'coremark'
                            | 'geekbench'
                            | 'passmark'
                            | 'same-family'
                            | 'same-generation'
                            | 'same-processor'
                          borrowed_from: string | null
                        } | null
                        processor: string | null
                        local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                        network: { baseline_gbps: number | null; max_gbps: number | null } | null
                        spot_interruption: { band: string; as_of: string } | null
                        carbon: {
                          grams_co2e_per_hour: number
                          low: number
                          high: number
                          method: string
                          grid: string
                          grid_year: number | null
                        } | null
                        changes?: (
                          | 'provider'
                          | 'region'
                          | 'country'
                          | 'partition'
                          | 'payment'
                          | 'term'
                          | 'architecture'
                          | 'unknown-architecture'
                          | 'hypervisor'
                          | 'image-generation'
                          | 'fewer-cores'
                          | 'less-memory'
                          | 'slower-cores'
                          | 'unknown-speed'
                          | 'shared-vcpus'
                          | 'burstable-vcpus'
                          | 'capped-vcpus'
                          | 'local-disk-lost'
                          | 'smaller-local-disk'
                          | 'slower-network'
                          | 'previous-generation'
                          | 'ending'
                          | 'kind'
                          | 'interconnect'
                          | 'sap'
                          | 'sap-lost'
                          | 'constrained-vcpu'
                          | 'constrained-vcpu-lost'
                          | 'no-premium-storage'
                        )[]
                        performance?: {
                          ratio: number
                          low: number
                          high: number
                          basis:
                            | 'coremark'
                            | 'geekbench'
                            | 'passmark'
                            | 'same-family'
                            | 'same-generation'
                            | 'same-processor'
                        } | null
                        registered?: unknown
                        notes?: string[]
                      }
                      id: string
                      architecture: string
                      cpu_cores: number
                      ram_gb: number
                      period_billing_hours: number
                      currency: 'USD'
                      native_cost_per_hour: number
                      gpu_count: number
                      gpu_type: string
                      gpu_cost_per_hour: number
                      tags: Record<string, string>
                      created_at: string | null
                      updated_at: string | null
                    }
                    vm?: { cpu_cores: number; ram_gb: number }
                    savings: {
                      percentage: number
                      amount_per_hour: number
                      amount_per_month: number
                      amount_per_year: number
                    }
                  }[]
                >
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/recommendations/compute': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            instance: {
              id?: string
              provider?: string
              service?: string
              region?: string
              availability_zone?: string
              instance_type?: string
              operating_system?: string
              usage_type?: string
              vm?: { cpu_cores?: number; ram_gb?: number }
              include_metadata?: boolean
              fallback_to_base_pricing?: boolean
              use_base_pricing?: boolean
            }
            usage?: { cpu_cores?: number; ram_gb?: number }
            predicates?: {
              availability_zones?: string[]
              instance_types?: string[]
              providers?: string[]
              regions?: string[]
              usage_types?: string[]
              architectures?: string[]
              interconnects?: string[]
              near?: string
              distance_km?: number
              services?: string[]
              operating_systems?: string[]
            }
            include_metadata?: boolean
            performance?: 'conservative' | 'equivalent'
            target_utilisation?: { cpu?: number; ram?: number }
            limit?: number
            offers_per_type?: number
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Record<
              string,
              {
                instance_pricing: {
                  cpu_cores_cost_per_hour: number
                  ram_gb_cost_per_hour: number
                  cost_per_hour: number
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  instance_type: string
                  region: string
                  provider: string
                  service: string
                  operating_system: string
                  availability_zone: string
                  raw_pricing_data?: {
                    term: string | null
                    architecture: string | null
                    gpu: { count: number; name: string } | null
                    burstable_baseline: number | null
                    monthly_cap: number | null
                    sku_ids: string[]
                    source: string
                    day: string | null
                    price_source: 'list' | 'rule' | 'own' | 'base'
                    price_rules?: string[]
                    accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                    vcpu_kind:
                      | (
                          | 'dedicated-core'
                          | 'dedicated-thread'
                          | 'dedicated-thread-capped'
                          | 'shared-pool'
                          | 'shared'
                          | 'burstable'
                          | 'bare-metal'
                        )
                      | null
                    kinds: string[]
                    generation: 'current' | 'previous' | 'retiring' | 'retired'
                    ends_on: string | null
                    speed: {
                      coremark_per_vcpu: number
                      basis:
                        | 'coremark'
                        | 'geekbench'
                        | 'passmark'
                        | 'same-family'
                        | 'same-generation'
                        | 'same-processor'
                      borrowed_from: string | null
                    } | null
                    processor: string | null
                    local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                    network: { baseline_gbps: number | null; max_gbps: number | null } | null
                    spot_interruption: { band: string; as_of: string } | null
                    carbon: {
                      grams_co2e_per_hour: number
                      low: number
                      high: number
                      method: string
                      grid: string
                      grid_year: number | null
                    } | null
                    changes?: (
                      | 'provider'
                      | 'region'
                      | 'country'
                      | 'partition'
                      | 'payment'
                      | 'term'
                      | 'architecture'
                      | 'unknown-architecture'
                      | 'hypervisor'
                      | 'image-generation'
                      | 'fewer-cores'
                      | 'less-memory'
                      | 'slower-cores'
                      | 'unknown-speed'
                      | 'shared-vcpus'
                      | 'burstable-vcpus'
                      | 'capped-vcpus'
                      | 'local-disk-lost'
                      | 'smaller-local-disk'
                      | 'slower-network'
                      | 'previous-generation'
                      | 'ending'
                      | 'kind'
                      | 'interconnect'
                      | 'sap'
                      | 'sap-lost'
                      | 'constrained-vcpu'
                      | 'constrained-vcpu-lost'
                      | 'no-premium-storage'
                    )[]
                    performance?: {
                      ratio: number
                      low: number
                      high: number
                      basis:
                        | 'coremark'
                        | 'geekbench'
                        | 'passmark'
                        | 'same-family'
                        | 'same-generation'
                        | 'same-processor'
                    } | null
                    registered?: unknown
                    notes?: string[]
                  }
                  id: string
                  architecture: string
                  cpu_cores: number
                  ram_gb: number
                  period_billing_hours: number
                  currency: 'USD'
                  native_cost_per_hour: number
                  gpu_count: number
                  gpu_type: string
                  gpu_cost_per_hour: number
                  tags: Record<string, string>
                  created_at: string | null
                  updated_at: string | null
                }
                vm?: { cpu_cores: number; ram_gb: number }
                savings: {
                  percentage: number
                  amount_per_hour: number
                  amount_per_month: number
                  amount_per_year: number
                }
              }[]
            >
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/recommendations/disks': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            instance: {
              id?: string | null
              provider?: string | null
              service?: string | null
              region?: string | null
              availability_zone?: string | null
              type?: string | null
              usage_type?: string | null
              capacity_gb?: number | null
              iops?: number | null
              throughput_mbps?: number | null
              fallback_to_base_pricing?: boolean | null
            }
            usage?: {
              id?: string | null
              provider?: string | null
              service?: string | null
              region?: string | null
              availability_zone?: string | null
              type?: string | null
              usage_type?: string | null
              capacity_gb?: number | null
              iops?: number | null
              throughput_mbps?: number | null
              fallback_to_base_pricing?: boolean | null
            } | null
            predicates?: {
              providers?: string[]
              regions?: string[]
              availability_zones?: string[]
              instance_types?: string[]
              usage_types?: string[]
            }
            include_metadata?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Record<
              string,
              {
                disk: {
                  id: string
                  provider: string
                  service: string
                  region: string
                  availability_zone: string
                  type: string
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  capacity_gb: number
                  iops: number | null
                  throughput_mbps: number | null
                  fallback_to_base_pricing: boolean
                }
                disk_pricing: {
                  id: string
                  provider: string
                  service: string
                  region: string
                  availability_zone: string
                  type: string
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  cost_per_gb_hour: number
                  cost_per_iops_hour: number
                  cost_per_throughput_mbps_hour: number
                  min_capacity_gb: number
                  max_capacity_gb: number | null
                  min_iops: number
                  max_iops: number | null
                  min_throughput_mbps: number
                  max_throughput_mbps: number | null
                  period_billing_hours: number
                  raw_pricing_data: Record<string, unknown>
                  tags: Record<string, string>
                  created_at: string | null
                  updated_at: string | null
                }
                savings: {
                  percentage: number
                  amount_per_hour: number
                  amount_per_month: number
                  amount_per_year: number
                }
              }[]
            >
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/bills': {
    post: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              lines: number
              from: string
              until: string
              classes: {
                class:
                  | 'on_demand'
                  | 'spot'
                  | 'disk'
                  | 'committed'
                  | 'unused_commitment'
                  | 'purchase'
                  | 'discount'
                  | 'credit'
                  | 'tax'
                  | 'marketplace'
                  | 'other'
                lines: number
                cost: number
              }[]
              on_demand: { now: number; proposed: number; billed: number }
              disks: { billed: number; listed: number }
              exchange: { currency: string; usd: number; day: string } | null
              rules: {
                name: string
                note?: string
                provider?: string
                region?: string
                family?: string
                instance_type?: string
                usage_type?: string
                operating_system?: string
                percent_off?: number
                price_per_hour_usd?: number
                add_per_hour_usd?: number
                valid_from?: string
                valid_until?: string
              }[]
              commitments: {
                name: string
                note?: string
                provider: string
                kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
                region?: string
                availability_zone?: string
                instance_type?: string
                family?: string
                operating_system?: string
                instances?: number
                usd_per_hour?: number
                vcpus?: number
                memory_gib?: number
                size_flexible?: boolean
                percent_off?: number
                cost_per_hour_usd?: number
                used_elsewhere_percent?: number
                from: string
                until: string
              }[]
              explained_percent: number
              explained_percent_now: number
              differences: {
                provider: string
                region: string
                instance_type: string
                operating_system: string | null
                quantity: number
                unit: 'hour' | 'GiB-month' | 'IOPS-month' | 'MB/s-month' | 'disk-month'
                billed: number
                now: number | null
                proposed: number | null
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/cluster_recommendations': {
    get: {
      parameters: {
        query?: {
          cluster?: string
          start_date?: string
          end_date?: string
          headroom?: number
          min_nodes?: number
          max_pools?: number
          min_gain?: number
          spot?: number
          elsewhere?: boolean
          arm64?: string
          pods_per_node?: number
          format?: 'json' | 'csv' | 'terraform' | 'karpenter' | 'eksctl' | 'az' | 'gcloud'
          option?: string
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              cluster: string
              start_date: string
              end_date: string
              measured_hours: number
              nodes: {
                provider: string | null
                region: string | null
                instance_type: string | null
                usage_type: string | null
                count: number
                mean_count?: number
                count_by_hour_of_week?: (number | null)[]
                zones?: Record<string, number>
                cpu_cores: number
                memory_gib: number
                shared_vcpus?: boolean
                cost_per_hour: number | null
                cost_per_month: number | null
                price_source: string
                price_rules?: string[]
                price_date: string | null
                requested: { cpu: number; memory: number } | null
                used: { cpu: number; memory: number } | null
              }[]
              pods: number
              cost_per_month: {
                now: number | null
                with_sizes: number | null
                with_sizes_and_nodes: number | null
                lower_bound: number | null
              }
              commitments?: {
                commitments: string[]
                saves_per_month: number
                until: string
                saves_per_month_after: number
                stranded_per_month: number | null
              }
              confidence: number
              recommended: string | null
              options: {
                id: string
                effort: 'fewer' | 'resize' | 'region' | 'provider'
                spot_share: number
                why: string
                pools: {
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  usage_type: string | null
                  count: number
                  mean_count?: number
                  count_by_hour_of_week?: (number | null)[]
                  zones?: Record<string, number>
                  cpu_cores: number
                  memory_gib: number
                  shared_vcpus?: boolean
                  cost_per_hour: number | null
                  cost_per_month: number | null
                  price_source: string
                  price_rules?: string[]
                  price_date: string | null
                }[]
                requested: { cpu: number; memory: number }
                cost_per_month: number
                savings: { amount_per_month: number; percentage: number }
                needs_sizes: boolean
                steps: string[]
                commands: string[]
                formats: string[]
                commitments?: {
                  commitments: string[]
                  saves_per_month: number
                  until: string
                  saves_per_month_after: number
                  stranded_per_month: number | null
                }
              }[]
              pods_without_node: {
                workload: string
                pods: number
                cpu_cores: number
                memory_gib: number
                why: string
              }[]
              reasons: string[]
              notes: string[]
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/clusters/plan': {
    post: {
      parameters: {
        query?: {
          format?: 'json' | 'csv' | 'terraform' | 'karpenter' | 'eksctl' | 'az' | 'gcloud'
          option?: string
          currency?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            cluster?: string
            objects?: unknown[]
            pods?: { name: string; cpu_cores: number; memory_gib: number; count?: number }[]
            provider?: string
            region?: string
            instance_type?: string
            usage_type?: string
            nodes?: number
            headroom?: number
            min_nodes?: number
            max_pools?: number
            min_gain?: number
            spot?: number
            elsewhere?: boolean
            arm64?: string
            pods_per_node?: number
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              cluster: string
              start_date: string
              end_date: string
              measured_hours: number
              nodes: {
                provider: string | null
                region: string | null
                instance_type: string | null
                usage_type: string | null
                count: number
                mean_count?: number
                count_by_hour_of_week?: (number | null)[]
                zones?: Record<string, number>
                cpu_cores: number
                memory_gib: number
                shared_vcpus?: boolean
                cost_per_hour: number | null
                cost_per_month: number | null
                price_source: string
                price_rules?: string[]
                price_date: string | null
                requested: { cpu: number; memory: number } | null
                used: { cpu: number; memory: number } | null
              }[]
              pods: number
              cost_per_month: {
                now: number | null
                with_sizes: number | null
                with_sizes_and_nodes: number | null
                lower_bound: number | null
              }
              commitments?: {
                commitments: string[]
                saves_per_month: number
                until: string
                saves_per_month_after: number
                stranded_per_month: number | null
              }
              confidence: number
              recommended: string | null
              options: {
                id: string
                effort: 'fewer' | 'resize' | 'region' | 'provider'
                spot_share: number
                why: string
                pools: {
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  usage_type: string | null
                  count: number
                  mean_count?: number
                  count_by_hour_of_week?: (number | null)[]
                  zones?: Record<string, number>
                  cpu_cores: number
                  memory_gib: number
                  shared_vcpus?: boolean
                  cost_per_hour: number | null
                  cost_per_month: number | null
                  price_source: string
                  price_rules?: string[]
                  price_date: string | null
                }[]
                requested: { cpu: number; memory: number }
                cost_per_month: number
                savings: { amount_per_month: number; percentage: number }
                needs_sizes: boolean
                steps: string[]
                commands: string[]
                formats: string[]
                commitments?: {
                  commitments: string[]
                  saves_per_month: number
                  until: string
                  saves_per_month_after: number
                  stranded_per_month: number | null
                }
              }[]
              pods_without_node: {
                workload: string
                pods: number
                cpu_cores: number
                memory_gib: number
                why: string
              }[]
              reasons: string[]
              notes: string[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/collected_usage': {
    post: {
      parameters: { query: { cluster: string; engine: string; until?: string; complete?: boolean } }
      responses: {
        200: {
          content: {
            'application/json': {
              samples: number
              rejected: number
              subjects: number
              done_until: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/commitment_recommendations': {
    get: {
      parameters: { query?: { days?: number; sizes?: 'recommended' | 'now'; currency?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              start_date: string
              end_date: string
              measured_hours: number
              covered_per_hour: number
              on_demand_per_hour: number
              recommendations: {
                provider: string
                region: string | null
                family: string | null
                term: '1y' | '3y'
                amount_per_hour: number
                cost_per_hour: number
                used_percent: number
                under_used_hours_percent: number
                on_demand_per_hour: number
                saves_per_month: number
                saves_percent: number
                break_even_percent: number
                break_even_months: number
                commitment: {
                  name: string
                  note?: string
                  provider: string
                  kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
                  region?: string
                  availability_zone?: string
                  instance_type?: string
                  family?: string
                  operating_system?: string
                  instances?: number
                  usd_per_hour?: number
                  vcpus?: number
                  memory_gib?: number
                  size_flexible?: boolean
                  percent_off?: number
                  cost_per_hour_usd?: number
                  used_elsewhere_percent?: number
                  from: string
                  until: string
                }
                curve: {
                  amount_per_hour: number
                  cost_per_hour: number
                  used_percent: number
                  under_used_hours_percent: number
                }[]
              }[]
              combinations: {
                provider: string
                term: '1y' | '3y'
                saves_per_month: number
                parts: {
                  region: string | null
                  family: string | null
                  amount_per_hour: number
                  commitment: {
                    name: string
                    note?: string
                    provider: string
                    kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
                    region?: string
                    availability_zone?: string
                    instance_type?: string
                    family?: string
                    operating_system?: string
                    instances?: number
                    usd_per_hour?: number
                    vcpus?: number
                    memory_gib?: number
                    size_flexible?: boolean
                    percent_off?: number
                    cost_per_hour_usd?: number
                    used_elsewhere_percent?: number
                    from: string
                    until: string
                  }
                }[]
              }[]
              notes: string[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/commitments': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              commitments: {
                name: string
                note?: string
                provider: string
                kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
                region?: string
                availability_zone?: string
                instance_type?: string
                family?: string
                operating_system?: string
                instances?: number
                usd_per_hour?: number
                vcpus?: number
                memory_gib?: number
                size_flexible?: boolean
                percent_off?: number
                cost_per_hour_usd?: number
                used_elsewhere_percent?: number
                from: string
                until: string
              }[]
              etag: string
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    put: {
      parameters: { query?: { dry_run?: boolean } }
      requestBody: {
        content: {
          'application/json': {
            commitments: {
              name: string
              note?: string
              provider: string
              kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
              region?: string
              availability_zone?: string
              instance_type?: string
              family?: string
              operating_system?: string
              instances?: number
              usd_per_hour?: number
              vcpus?: number
              memory_gib?: number
              size_flexible?: boolean
              percent_off?: number
              cost_per_hour_usd?: number
              used_elsewhere_percent?: number
              from: string
              until: string
            }[]
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              commitments: {
                name: string
                note?: string
                provider: string
                kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
                region?: string
                availability_zone?: string
                instance_type?: string
                family?: string
                operating_system?: string
                instances?: number
                usd_per_hour?: number
                vcpus?: number
                memory_gib?: number
                size_flexible?: boolean
                percent_off?: number
                cost_per_hour_usd?: number
                used_elsewhere_percent?: number
                from: string
                until: string
              }[]
              etag: string
              coverage?: {
                machines: number
                on_demand_per_hour: number
                covered_per_hour: number
                coverage_percent: number
                commitments: {
                  name: string
                  kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
                  from: string
                  until: string
                  is_active: boolean
                  utilisation_percent: number | null
                  covered_per_hour: number
                  unused_per_month: number | null
                }[]
                covered: {
                  provider: string
                  region: string
                  instance_type: string
                  operating_system: string
                  count: number
                  machines: string[]
                  cost_per_hour: number
                  covered_percent: number
                  commitments: string[]
                  leaving: {
                    commitments: string[]
                    saves_per_month: number
                    until: string
                    saves_per_month_after: number
                    stranded_per_month: number | null
                  }
                }[]
                note: string
              }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        412: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/commitments/coverage': {
    get: {
      parameters: { query?: { currency?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              machines: number
              on_demand_per_hour: number
              covered_per_hour: number
              coverage_percent: number
              commitments: {
                name: string
                kind: 'reserved_instance' | 'savings_plan' | 'committed_use'
                from: string
                until: string
                is_active: boolean
                utilisation_percent: number | null
                covered_per_hour: number
                unused_per_month: number | null
              }[]
              covered: {
                provider: string
                region: string
                instance_type: string
                operating_system: string
                count: number
                machines: string[]
                cost_per_hour: number
                covered_percent: number
                commitments: string[]
                leaving: {
                  commitments: string[]
                  saves_per_month: number
                  until: string
                  saves_per_month_after: number
                  stranded_per_month: number | null
                }
              }[]
              note: string
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/comparisons': {
    post: {
      parameters: { query?: { currency?: string } }
      requestBody: {
        content: {
          'application/json': {
            provider: string
            region: string
            instance_type: string
            operating_system?: string
            usage_type?: string
            availability_zone?: string
            service?: string
            vm?: { cpu_cores: number; ram_gb: number }
            usage?: { cpu_cores: number; ram_gb: number }
            predicates?: {
              availability_zones?: string[]
              instance_types?: string[]
              providers?: string[]
              regions?: string[]
              usage_types?: string[]
              architectures?: string[]
              interconnects?: string[]
              near?: string
              distance_km?: number
            }
            include_metadata?: boolean
            fallback_to_base_pricing?: boolean
            performance?: 'conservative' | 'equivalent'
            target_utilisation?: { cpu?: number; ram?: number }
            limit?: number
            offers_per_type?: number
            anywhere?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              current: {
                provider: string
                region: string
                availability_zone: string
                instance_type: string
                operating_system: string
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                term: string | null
                vm: { cpu_cores: number; ram_gb: number } | null
                gpu: { count: number; name: string } | null
                cost_per_hour: number
                cost_per_month: number
                price: {
                  price_source: 'list' | 'rule' | 'own' | 'base'
                  price_rules?: string[]
                  source: string
                  day: string | null
                  age_days: number | null
                  is_old: boolean
                  is_indicative: boolean
                }
                machine: {
                  accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                  vcpu_kind:
                    | (
                        | 'dedicated-core'
                        | 'dedicated-thread'
                        | 'dedicated-thread-capped'
                        | 'shared-pool'
                        | 'shared'
                        | 'burstable'
                        | 'bare-metal'
                      )
                    | null
                  kinds: string[]
                  generation: 'current' | 'previous' | 'retiring' | 'retired'
                  ends_on: string | null
                  speed: {
                    coremark_per_vcpu: number
                    basis:
                      | 'coremark'
                      | 'geekbench'
                      | 'passmark'
                      | 'same-family'
                      | 'same-generation'
                      | 'same-processor'
                    borrowed_from: string | null
                  } | null
                  processor: string | null
                  local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                  network: { baseline_gbps: number | null; max_gbps: number | null } | null
                  spot_interruption: { band: string; as_of: string } | null
                  carbon: {
                    grams_co2e_per_hour: number
                    low: number
                    high: number
                    method: string
                    grid: string
                    grid_year: number | null
                  } | null
                  changes?: (
                    | 'provider'
                    | 'region'
                    | 'country'
                    | 'partition'
                    | 'payment'
                    | 'term'
                    | 'architecture'
                    | 'unknown-architecture'
                    | 'hypervisor'
                    | 'image-generation'
                    | 'fewer-cores'
                    | 'less-memory'
                    | 'slower-cores'
                    | 'unknown-speed'
                    | 'shared-vcpus'
                    | 'burstable-vcpus'
                    | 'capped-vcpus'
                    | 'local-disk-lost'
                    | 'smaller-local-disk'
                    | 'slower-network'
                    | 'previous-generation'
                    | 'ending'
                    | 'kind'
                    | 'interconnect'
                    | 'sap'
                    | 'sap-lost'
                    | 'constrained-vcpu'
                    | 'constrained-vcpu-lost'
                    | 'no-premium-storage'
                  )[]
                  performance?: {
                    ratio: number
                    low: number
                    high: number
                    basis:
                      | 'coremark'
                      | 'geekbench'
                      | 'passmark'
                      | 'same-family'
                      | 'same-generation'
                      | 'same-processor'
                  } | null
                }
                usage: { cpu_cores: number; ram_gb: number }
                required: { cpu_cores: number; ram_gb: number }
                notes: string[]
                newer_at_same_price: {
                  instance_type: string
                  cost_per_hour: number
                  performance_ratio: number
                } | null
              }
              options: {
                effort: 'resize' | 'region' | 'provider' | 'commit' | 'spot' | 'anywhere'
                why: string
                offers: {
                  provider: string
                  region: string
                  availability_zone: string
                  instance_type: string
                  operating_system: string
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  term: string | null
                  vm: { cpu_cores: number; ram_gb: number } | null
                  gpu: { count: number; name: string } | null
                  cost_per_hour: number
                  cost_per_month: number
                  price: {
                    price_source: 'list' | 'rule' | 'own' | 'base'
                    price_rules?: string[]
                    source: string
                    day: string | null
                    age_days: number | null
                    is_old: boolean
                    is_indicative: boolean
                  }
                  machine: {
                    accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                    vcpu_kind:
                      | (
                          | 'dedicated-core'
                          | 'dedicated-thread'
                          | 'dedicated-thread-capped'
                          | 'shared-pool'
                          | 'shared'
                          | 'burstable'
                          | 'bare-metal'
                        )
                      | null
                    kinds: string[]
                    generation: 'current' | 'previous' | 'retiring' | 'retired'
                    ends_on: string | null
                    speed: {
                      coremark_per_vcpu: number
                      basis:
                        | 'coremark'
                        | 'geekbench'
                        | 'passmark'
                        | 'same-family'
                        | 'same-generation'
                        | 'same-processor'
                      borrowed_from: string | null
                    } | null
                    processor: string | null
                    local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                    network: { baseline_gbps: number | null; max_gbps: number | null } | null
                    spot_interruption: { band: string; as_of: string } | null
                    carbon: {
                      grams_co2e_per_hour: number
                      low: number
                      high: number
                      method: string
                      grid: string
                      grid_year: number | null
                    } | null
                    changes?: (
                      | 'provider'
                      | 'region'
                      | 'country'
                      | 'partition'
                      | 'payment'
                      | 'term'
                      | 'architecture'
                      | 'unknown-architecture'
                      | 'hypervisor'
                      | 'image-generation'
                      | 'fewer-cores'
                      | 'less-memory'
                      | 'slower-cores'
                      | 'unknown-speed'
                      | 'shared-vcpus'
                      | 'burstable-vcpus'
                      | 'capped-vcpus'
                      | 'local-disk-lost'
                      | 'smaller-local-disk'
                      | 'slower-network'
                      | 'previous-generation'
                      | 'ending'
                      | 'kind'
                      | 'interconnect'
                      | 'sap'
                      | 'sap-lost'
                      | 'constrained-vcpu'
                      | 'constrained-vcpu-lost'
                      | 'no-premium-storage'
                    )[]
                    performance?: {
                      ratio: number
                      low: number
                      high: number
                      basis:
                        | 'coremark'
                        | 'geekbench'
                        | 'passmark'
                        | 'same-family'
                        | 'same-generation'
                        | 'same-processor'
                    } | null
                  }
                  savings: {
                    percentage: number
                    amount_per_hour: number
                    amount_per_month: number
                    amount_per_year: number
                  }
                  commitments?: {
                    commitments: string[]
                    saves_per_month: number
                    until: string
                    saves_per_month_after: number
                    stranded_per_month: number | null
                  }
                }[]
              }[]
              unpriced_efforts: ('resize' | 'region' | 'provider' | 'commit' | 'spot' | 'anywhere')[]
              left_out: {
                reason:
                  | 'other-accelerator'
                  | 'other-kind'
                  | 'ended-or-ending'
                  | 'undocumented'
                  | 'not-sold-there'
                  | 'too-little-local-disk'
                  | 'other-architecture'
                  | 'too-slow'
                  | 'cannot-sustain'
                  | 'other-payment'
                  | 'too-far'
                  | 'local-zone'
                offers: number
              }[]
              scope: string
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/compute/recommendations': {
    get: {
      parameters: { query?: { cluster?: string; limit?: number; cursor?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              cluster: string
              node: string
              creationTime: string
              usage: { cpu_cores: number; ram_gb: number } | null
              recommendations: {
                pricing: {
                  cpu_cores_cost_per_hour: number
                  ram_gb_cost_per_hour: number
                  cost_per_hour: number
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  instance_type: string
                  region: string
                  provider: string
                  service: string
                  operating_system: string
                  availability_zone: string
                  raw_pricing_data?: {
                    term: string | null
                    architecture: string | null
                    gpu: { count: number; name: string } | null
                    burstable_baseline: number | null
                    monthly_cap: number | null
                    sku_ids: string[]
                    source: string
                    day: string | null
                    price_source: 'list' | 'rule' | 'own' | 'base'
                    price_rules?: string[]
                    accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                    vcpu_kind:
                      | (
                          | 'dedicated-core'
                          | 'dedicated-thread'
                          | 'dedicated-thread-capped'
                          | 'shared-pool'
                          | 'shared'
                          | 'burstable'
                          | 'bare-metal'
                        )
                      | null
                    kinds: string[]
                    generation: 'current' | 'previous' | 'retiring' | 'retired'
                    ends_on: string | null
                    speed: {
                      coremark_per_vcpu: number
                      basis:
                        | 'coremark'
                        | 'geekbench'
                        | 'passmark'
                        | 'same-family'
                        | 'same-generation'
                        | 'same-processor'
                      borrowed_from: string | null
                    } | null
                    processor: string | null
                    local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                    network: { baseline_gbps: number | null; max_gbps: number | null } | null
                    spot_interruption: { band: string; as_of: string } | null
                    carbon: {
                      grams_co2e_per_hour: number
                      low: number
                      high: number
                      method: string
                      grid: string
                      grid_year: number | null
                    } | null
                    changes?: (
                      | 'provider'
                      | 'region'
                      | 'country'
                      | 'partition'
                      | 'payment'
                      | 'term'
                      | 'architecture'
                      | 'unknown-architecture'
                      | 'hypervisor'
                      | 'image-generation'
                      | 'fewer-cores'
                      | 'less-memory'
                      | 'slower-cores'
                      | 'unknown-speed'
                      | 'shared-vcpus'
                      | 'burstable-vcpus'
                      | 'capped-vcpus'
                      | 'local-disk-lost'
                      | 'smaller-local-disk'
                      | 'slower-network'
                      | 'previous-generation'
                      | 'ending'
                      | 'kind'
                      | 'interconnect'
                      | 'sap'
                      | 'sap-lost'
                      | 'constrained-vcpu'
                      | 'constrained-vcpu-lost'
                      | 'no-premium-storage'
                    )[]
                    performance?: {
                      ratio: number
                      low: number
                      high: number
                      basis:
                        | 'coremark'
                        | 'geekbench'
                        | 'passmark'
                        | 'same-family'
                        | 'same-generation'
                        | 'same-processor'
                    } | null
                    registered?: unknown
                    notes?: string[]
                  }
                  id: string
                  architecture: string
                  cpu_cores: number
                  ram_gb: number
                  period_billing_hours: number
                  currency: 'USD'
                  native_cost_per_hour: number
                  gpu_count: number
                  gpu_type: string
                  gpu_cost_per_hour: number
                  tags: Record<string, string>
                  created_at: string | null
                  updated_at: string | null
                }
                savings: {
                  percentage: number
                  amount_per_hour: number
                  amount_per_month: number
                  amount_per_year: number
                }
              }[]
              notes: string[]
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/cost_changes': {
    get: {
      parameters: {
        query?: {
          group_by?: 'cluster' | 'namespace' | 'workload'
          start_date?: string
          end_date?: string
          before_start_date?: string
          before_end_date?: string
          sharing?: 'saved' | 'apart' | 'by_cost' | 'evenly'
          without?: string
          cluster?: string
          namespace?: string
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              start: string
              end: string
              before_start: string
              before_end: string
              measured_hours: number
              before_measured_hours: number
              before_usd: number
              cost_usd: number
              change_usd: number
              hours_usd: number
              new_usd: number
              gone_usd: number
              count_usd: number
              size_usd: number
              mix_usd: number
              price_usd: number
              idle_usd: number
              shared_usd: number
              note: string | null
              groups: {
                cluster: string | null
                namespace: string | null
                workload?: string | null
                before_usd: number
                cost_usd: number
                change_usd: number
                hours_usd: number
                new_usd: number
                gone_usd: number
                count_usd: number
                size_usd: number
                mix_usd: number
                price_usd: number
                idle_usd: number
                shared_usd: number
              }[]
              causes: { usd: number; part: string; text: string }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/cost_commitments': {
    get: {
      parameters: { query?: { start_date?: string; end_date?: string; currency?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              commitments: string[]
              covered_usd: number
              cost_usd: number | null
              change_usd: number | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/cost_forecast': {
    get: {
      parameters: { query?: { cluster?: string; namespace?: string; without?: string; currency?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              month: string
              days: number
              so_far_usd: number
              measured_days: number
              history_days: number
              forecast_usd: number | null
              low_usd: number | null
              high_usd: number | null
              has_weekdays: boolean
              text: string
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/cost_keys': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              kinds: string[]
              labels: { name: string; values: { value: string; count: number }[]; left_out: number }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/cost_recounts': {
    post: {
      parameters: { query?: never }
      requestBody: { content: { 'application/json': { start_date: string; end_date?: string } } }
      responses: {
        200: {
          content: {
            'application/json': { start_date: string; end_date: string; days: number; nodes: number }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/cost_sharing': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              idle: 'apart' | 'by_cost' | 'evenly' | 'fixed'
              shared_namespaces: string[]
              shared: 'apart' | 'by_cost' | 'evenly' | 'fixed'
              shares: Record<string, number>
              load_balancer_usd_per_month: number | null
              network_usd_per_gib: number | null
              network_internet_percent: number | null
              off: ('containers' | 'machines' | 'volumes' | 'load_balancers' | 'network')[]
              set: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/costs': {
    get: {
      parameters: {
        query?: {
          group_by?: string
          step?: string
          start_date?: string
          end_date?: string
          sharing?: 'saved' | 'apart' | 'by_cost' | 'evenly'
          without?: string
          cluster?: string
          namespace?: string
          format?: 'focus'
          currency?: string
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              cluster?: string | null
              namespace?: string | null
              kind?: string | null
              workload?: string | null
              pod?: string | null
              container?: string | null
              node?: string | null
              node_type?: string | null
              storage_class?: string | null
              label?: string
              value?: string | null
              start: string
              end: string
              cost_usd: number
              cost_type: 'usage' | 'idle'
              cpu_cost_usd: number
              memory_cost_usd: number
              gpu_cost_usd: number
              other_cost_usd: number
              shared_cost_usd?: number
              estimated_cost_usd: number
              measured_hours?: number
              requested_core_hours: number
              used_core_hours: number
              requested_gib_hours: number
              used_gib_hours: number
              requested_gpu_hours: number
              unpriced_hours: number
              network_at_most_usd: number
              node_cost_usd_per_hour?: number | null
              price_source?: string | null
              price_rules?: string | null
              price_date?: string | null
              note?: string | null
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/disk_types': {
    get: {
      parameters: { query?: { provider?: string; region?: string; limit?: number; currency?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              provider: string
              provider_key: string
              type: string
              tier: string
              region: string
              cost_per_gb_month: number
              cost_per_iops_month: number
              cost_per_throughput_mbps_month: number
              min_capacity_gb: number
              max_capacity_gb: number | null
              included_iops: number
              iops_per_gb: number
              max_iops: number | null
              included_throughput_mbps: number
              throughput_mbps_per_gb: number
              max_throughput_mbps: number | null
              traits: string[]
              source: string
              price_day: string | null
              is_estimate: boolean
              regions: number
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/healthz': {
    get: {
      parameters: { query?: never }
      responses: {
        200: { content: { 'application/json': { status: 'ok' } } }
        400: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/instance_types': {
    get: {
      parameters: {
        query?: {
          q?: string
          provider?: string
          region?: string
          min_cores?: number
          min_memory_gb?: number
          min_speed?: number
          architecture?: string
          gpu_model?: string
          min_local_disk_gb?: number
          generation?: 'current' | 'previous' | 'retiring' | 'retired'
          kind?: string
          max_cost_per_hour?: number
          sort?:
            | 'price'
            | '-price'
            | 'reserved_1y'
            | '-reserved_1y'
            | 'reserved_3y'
            | '-reserved_3y'
            | 'spot'
            | '-spot'
            | 'price_per_core'
            | '-price_per_core'
            | 'price_per_speed'
            | '-price_per_speed'
            | 'cores'
            | '-cores'
            | 'memory'
            | '-memory'
            | 'speed'
            | '-speed'
            | 'regions'
            | '-regions'
            | 'name'
            | '-name'
          limit?: number
          cursor?: string
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              provider_key: string
              provider: string
              instance_type: string
              cpu_cores: number | null
              ram_gb: number | null
              architecture: string | null
              gpu: { count: number; name: string } | null
              regions: string[]
              operating_systems: string[]
              usage_types: string[]
              cost_per_hour_from: number | null
              cost_per_month_from: number | null
              price_day: string | null
              cost_per_hour_reserved_1y: number | null
              cost_per_hour_reserved_3y: number | null
              cost_per_hour_spot: number | null
              burstable_baseline: number | null
              cost_per_1000_coremark: number | null
              machine: {
                accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                vcpu_kind:
                  | (
                      | 'dedicated-core'
                      | 'dedicated-thread'
                      | 'dedicated-thread-capped'
                      | 'shared-pool'
                      | 'shared'
                      | 'burstable'
                      | 'bare-metal'
                    )
                  | null
                kinds: string[]
                generation: 'current' | 'previous' | 'retiring' | 'retired'
                ends_on: string | null
                speed: {
                  coremark_per_vcpu: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                  borrowed_from: string | null
                } | null
                processor: string | null
                local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                network: { baseline_gbps: number | null; max_gbps: number | null } | null
                spot_interruption: { band: string; as_of: string } | null
                carbon: {
                  grams_co2e_per_hour: number
                  low: number
                  high: number
                  method: string
                  grid: string
                  grid_year: number | null
                } | null
                changes?: (
                  | 'provider'
                  | 'region'
                  | 'country'
                  | 'partition'
                  | 'payment'
                  | 'term'
                  | 'architecture'
                  | 'unknown-architecture'
                  | 'hypervisor'
                  | 'image-generation'
                  | 'fewer-cores'
                  | 'less-memory'
                  | 'slower-cores'
                  | 'unknown-speed'
                  | 'shared-vcpus'
                  | 'burstable-vcpus'
                  | 'capped-vcpus'
                  | 'local-disk-lost'
                  | 'smaller-local-disk'
                  | 'slower-network'
                  | 'previous-generation'
                  | 'ending'
                  | 'kind'
                  | 'interconnect'
                  | 'sap'
                  | 'sap-lost'
                  | 'constrained-vcpu'
                  | 'constrained-vcpu-lost'
                  | 'no-premium-storage'
                )[]
                performance?: {
                  ratio: number
                  low: number
                  high: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                } | null
              }
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/instance_types/{provider}/{type}': {
    get: {
      parameters: { query?: { region?: string; currency?: string }; path: { provider: string; type: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              provider_key: string
              provider: string
              instance_type: string
              cpu_cores: number | null
              ram_gb: number | null
              architecture: string | null
              gpu: { count: number; name: string } | null
              regions: string[]
              operating_systems: string[]
              usage_types: string[]
              cost_per_hour_from: number | null
              cost_per_month_from: number | null
              price_day: string | null
              cost_per_hour_reserved_1y: number | null
              cost_per_hour_reserved_3y: number | null
              cost_per_hour_spot: number | null
              burstable_baseline: number | null
              cost_per_1000_coremark: number | null
              machine: {
                accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                vcpu_kind:
                  | (
                      | 'dedicated-core'
                      | 'dedicated-thread'
                      | 'dedicated-thread-capped'
                      | 'shared-pool'
                      | 'shared'
                      | 'burstable'
                      | 'bare-metal'
                    )
                  | null
                kinds: string[]
                generation: 'current' | 'previous' | 'retiring' | 'retired'
                ends_on: string | null
                speed: {
                  coremark_per_vcpu: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                  borrowed_from: string | null
                } | null
                processor: string | null
                local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                network: { baseline_gbps: number | null; max_gbps: number | null } | null
                spot_interruption: { band: string; as_of: string } | null
                carbon: {
                  grams_co2e_per_hour: number
                  low: number
                  high: number
                  method: string
                  grid: string
                  grid_year: number | null
                } | null
                changes?: (
                  | 'provider'
                  | 'region'
                  | 'country'
                  | 'partition'
                  | 'payment'
                  | 'term'
                  | 'architecture'
                  | 'unknown-architecture'
                  | 'hypervisor'
                  | 'image-generation'
                  | 'fewer-cores'
                  | 'less-memory'
                  | 'slower-cores'
                  | 'unknown-speed'
                  | 'shared-vcpus'
                  | 'burstable-vcpus'
                  | 'capped-vcpus'
                  | 'local-disk-lost'
                  | 'smaller-local-disk'
                  | 'slower-network'
                  | 'previous-generation'
                  | 'ending'
                  | 'kind'
                  | 'interconnect'
                  | 'sap'
                  | 'sap-lost'
                  | 'constrained-vcpu'
                  | 'constrained-vcpu-lost'
                  | 'no-premium-storage'
                )[]
                performance?: {
                  ratio: number
                  low: number
                  high: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                } | null
              }
              prices: {
                region: string
                operating_system: string
                usage_type: string
                term: string | null
                cost_per_hour: number
                cost_per_month: number
                day: string | null
              }[]
              equivalents: {
                region: string
                options: {
                  effort: 'resize' | 'region' | 'provider' | 'commit' | 'spot' | 'anywhere'
                  why: string
                  offers: {
                    provider: string
                    region: string
                    availability_zone: string
                    instance_type: string
                    operating_system: string
                    usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                    term: string | null
                    vm: { cpu_cores: number; ram_gb: number } | null
                    gpu: { count: number; name: string } | null
                    cost_per_hour: number
                    cost_per_month: number
                    price: {
                      price_source: 'list' | 'rule' | 'own' | 'base'
                      price_rules?: string[]
                      source: string
                      day: string | null
                      age_days: number | null
                      is_old: boolean
                      is_indicative: boolean
                    }
                    machine: {
                      accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                      vcpu_kind:
                        | (
                            | 'dedicated-core'
                            | 'dedicated-thread'
                            | 'dedicated-thread-capped'
                            | 'shared-pool'
                            | 'shared'
                            | 'burstable'
                            | 'bare-metal'
                          )
                        | null
                      kinds: string[]
                      generation: 'current' | 'previous' | 'retiring' | 'retired'
                      ends_on: string | null
                      speed: {
                        coremark_per_vcpu: number
                        basis:
                          | 'coremark'
                          | 'geekbench'
                          | 'passmark'
                          | 'same-family'
                          | 'same-generation'
                          | 'same-processor'
                        borrowed_from: string | null
                      } | null
                      processor: string | null
                      local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                      network: { baseline_gbps: number | null; max_gbps: number | null } | null
                      spot_interruption: { band: string; as_of: string } | null
                      carbon: {
                        grams_co2e_per_hour: number
                        low: number
                        high: number
                        method: string
                        grid: string
                        grid_year: number | null
                      } | null
                      changes?: (
                        | 'provider'
                        | 'region'
                        | 'country'
                        | 'partition'
                        | 'payment'
                        | 'term'
                        | 'architecture'
                        | 'unknown-architecture'
                        | 'hypervisor'
                        | 'image-generation'
                        | 'fewer-cores'
                        | 'less-memory'
                        | 'slower-cores'
                        | 'unknown-speed'
                        | 'shared-vcpus'
                        | 'burstable-vcpus'
                        | 'capped-vcpus'
                        | 'local-disk-lost'
                        | 'smaller-local-disk'
                        | 'slower-network'
                        | 'previous-generation'
                        | 'ending'
                        | 'kind'
                        | 'interconnect'
                        | 'sap'
                        | 'sap-lost'
                        | 'constrained-vcpu'
                        | 'constrained-vcpu-lost'
                        | 'no-premium-storage'
                      )[]
                      performance?: {
                        ratio: number
                        low: number
                        high: number
                        basis:
                          | 'coremark'
                          | 'geekbench'
                          | 'passmark'
                          | 'same-family'
                          | 'same-generation'
                          | 'same-processor'
                      } | null
                    }
                    savings: {
                      percentage: number
                      amount_per_hour: number
                      amount_per_month: number
                      amount_per_year: number
                    }
                    commitments?: {
                      commitments: string[]
                      saves_per_month: number
                      until: string
                      saves_per_month_after: number
                      stranded_per_month: number | null
                    }
                  }[]
                }[]
              } | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/marketplace/compute': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json':
            | {
                entries: {
                  cost_per_hour: number
                  cpu_cores: number
                  ram_gb: number
                  usage_type?: string
                  instance_type: string
                  region: string
                  raw_pricing_data?: Record<string, unknown>
                  provider?: string
                  service?: string
                  operating_system?: string
                  availability_zone?: string
                }[]
              }
            | {
                cost_per_hour: number
                cpu_cores: number
                ram_gb: number
                usage_type?: string
                instance_type: string
                region: string
                raw_pricing_data?: Record<string, unknown>
                provider?: string
                service?: string
                operating_system?: string
                availability_zone?: string
              }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': {
              data:
                | {
                    cpu_cores_cost_per_hour: number
                    ram_gb_cost_per_hour: number
                    cost_per_hour: number
                    usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                    instance_type: string
                    region: string
                    provider: string
                    service: string
                    operating_system: string
                    availability_zone: string
                    raw_pricing_data: Record<string, unknown>
                    id: string
                    architecture: string
                    cpu_cores: number
                    ram_gb: number
                    period_billing_hours: number
                    currency: 'USD'
                    native_cost_per_hour: number
                    gpu_count: number
                    gpu_type: string
                    gpu_cost_per_hour: number
                    tags: Record<string, string>
                    created_at: string | null
                    updated_at: string | null
                  }[]
                | {
                    cpu_cores_cost_per_hour: number
                    ram_gb_cost_per_hour: number
                    cost_per_hour: number
                    usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                    instance_type: string
                    region: string
                    provider: string
                    service: string
                    operating_system: string
                    availability_zone: string
                    raw_pricing_data: Record<string, unknown>
                    id: string
                    architecture: string
                    cpu_cores: number
                    ram_gb: number
                    period_billing_hours: number
                    currency: 'USD'
                    native_cost_per_hour: number
                    gpu_count: number
                    gpu_type: string
                    gpu_cost_per_hour: number
                    tags: Record<string, string>
                    created_at: string | null
                    updated_at: string | null
                  }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    get: {
      parameters: {
        query?: {
          limit?: number
          cursor?: string
          service?: string
          region?: string
          instance_type?: string
          usage_type?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: {
                cpu_cores_cost_per_hour: number
                ram_gb_cost_per_hour: number
                cost_per_hour: number
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                instance_type: string
                region: string
                provider: string
                service: string
                operating_system: string
                availability_zone: string
                raw_pricing_data: Record<string, unknown>
                id: string
                architecture: string
                cpu_cores: number
                ram_gb: number
                period_billing_hours: number
                currency: 'USD'
                native_cost_per_hour: number
                gpu_count: number
                gpu_type: string
                gpu_cost_per_hour: number
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }[]
              page: { has_more: boolean; next_cursor: string | null }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/marketplace/compute/{id}': {
    get: {
      parameters: { query?: never; path: { id: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              cpu_cores_cost_per_hour: number
              ram_gb_cost_per_hour: number
              cost_per_hour: number
              usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
              instance_type: string
              region: string
              provider: string
              service: string
              operating_system: string
              availability_zone: string
              raw_pricing_data: Record<string, unknown>
              id: string
              architecture: string
              cpu_cores: number
              ram_gb: number
              period_billing_hours: number
              currency: 'USD'
              native_cost_per_hour: number
              gpu_count: number
              gpu_type: string
              gpu_cost_per_hour: number
              tags: Record<string, string>
              created_at: string | null
              updated_at: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    patch: {
      parameters: { query?: never; path: { id: string } }
      requestBody: {
        content: {
          'application/json': {
            cost_per_hour?: number
            cpu_cores?: number
            ram_gb?: number
            usage_type?: string
            instance_type?: string
            region?: string
            raw_pricing_data?: Record<string, unknown>
            provider?: string
            service?: string
            operating_system?: string
            availability_zone?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              cpu_cores_cost_per_hour: number
              ram_gb_cost_per_hour: number
              cost_per_hour: number
              usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
              instance_type: string
              region: string
              provider: string
              service: string
              operating_system: string
              availability_zone: string
              raw_pricing_data: Record<string, unknown>
              id: string
              architecture: string
              cpu_cores: number
              ram_gb: number
              period_billing_hours: number
              currency: 'USD'
              native_cost_per_hour: number
              gpu_count: number
              gpu_type: string
              gpu_cost_per_hour: number
              tags: Record<string, string>
              created_at: string | null
              updated_at: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    delete: {
      parameters: { query?: never; path: { id: string } }
      responses: {
        204: { content: never }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/marketplace/filters/compute': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              kind: 'compute'
              filters: ('service' | 'region' | 'instance_type' | 'usage_type')[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/metrics': {
    get: {
      parameters: { query?: { days?: number; cluster?: string; limit?: number } }
      responses: {
        200: { content: { 'text/plain': string } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/namespace_recommendations': {
    get: {
      parameters: {
        query: {
          cluster?: string
          namespace?: string
          start_date: string
          end_date: string
          profile?: string
          risk?: number
          shortfall?: number
          limits?: 'none' | 'ratio' | 'quantile'
          min_cpu?: number
          max_cpu?: number
          min_memory?: number
          max_memory?: number
          cpu_memory_ratio?: string
          basis?: 'decision' | 'window'
          explain?: boolean
          limit?: number
          container_limit?: number
          cursor?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              APIVersion: string
              Cluster: string
              Namespace: string
              CreationTime: string
              CurrentSpend: number
              NewSpend: number
              TotalResourceSavingsAmount: number
              ExpectedUtilisationPercent: { cpu: number; memory: number }
              ContainerRecommendations: Record<
                string,
                {
                  Kind: string
                  Workload: string
                  Container: string
                  Init: boolean
                  RequestsUnknown?: boolean
                  CPU: {
                    Requests: {
                      Current: number | null
                      Recommended: number | null
                      LowerBound: number | null
                      UpperBound: number | null
                    }
                    Limits: {
                      Current: number | null
                      Recommended: number | null
                      LowerBound: number | null
                      UpperBound: number | null
                    }
                    Usage: {
                      Mean: number
                      P50: number
                      P90: number
                      P95: number
                      P99: number
                      Max: number
                    } | null
                  }
                  Memory: {
                    Requests: {
                      Current: number | null
                      Recommended: number | null
                      LowerBound: number | null
                      UpperBound: number | null
                    }
                    Limits: {
                      Current: number | null
                      Recommended: number | null
                      LowerBound: number | null
                      UpperBound: number | null
                    }
                    Usage: {
                      Mean: number
                      P50: number
                      P90: number
                      P95: number
                      P99: number
                      Max: number
                    } | null
                  }
                  Replicas: { Current: number; Highest: number; AutoscalerMaximum: number | null }
                  CurrentSpend: number
                  NewSpend: number
                  OOMKills: number
                  Restarts: number
                  ThrottledPercent: number
                  MemoryLeak: boolean
                  Confidence: number
                  Reasons: string[]
                  Explanation?: {
                    CPU: {
                      Days: number
                      LearntFromDays: number
                      Distribution: { From: number; To: number; Percent: number }[]
                      Estimates: {
                        By: string
                        Value: number | null
                        Decided: boolean
                        Steps: { Says: string; Value: number | null }[]
                      }[]
                    }
                    Memory: {
                      Days: number
                      LearntFromDays: number
                      Distribution: { From: number; To: number; Percent: number }[]
                      Estimates: {
                        By: string
                        Value: number | null
                        Decided: boolean
                        Steps: { Says: string; Value: number | null }[]
                      }[]
                    }
                    MemoryFacts?: {
                      Resident: number | null
                      PageCache: number | null
                      MappedPageCache: number | null
                      HeapAfterCollection: number | null
                      HeapLimit: number | null
                      NonHeap: number | null
                      KernelPeak: number | null
                    }
                    Constraints?: { Name: string; Value: string; From: string }[]
                    Reasons?: {
                      Code: string
                      Resource: ('cpu' | 'memory') | null
                      Figures: { Name: string; Value: number }[]
                    }[]
                  }
                }
              >
              ResourceQuotaRecommendations: {
                CPU: { Current: number; Recommended: number }
                Memory: { Current: number; Recommended: number }
              }
              TotalCPULimits: number
              TotalCPULimitsSavings: number
              TotalCPURequests: number
              TotalCPURequestsSavings: number
              TotalMemoryLimits: number
              TotalMemoryLimitsSavings: number
              TotalMemoryRequests: number
              TotalMemoryRequestsSavings: number
              CurrentUtilisationPercent: { cpu: number; memory: number }
              MeasuredHours: number
              MonthlyCurrentSpend: number
              MonthlyNewSpend: number
              MonthlySavings: number
              MonthlySavingsIfAllChange: number
              EstimatedSpend: number
              Prices: {
                Source: 'list' | 'rule' | 'own' | 'base' | 'metric'
                Rules?: string[]
                Date: string | null
                Nodes: number
              }[]
              Notes: string[]
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/namespace_recommendations/{cluster}/{namespace}/manifests': {
    get: {
      parameters: {
        query: {
          start_date: string
          end_date: string
          profile?: string
          risk?: number
          shortfall?: number
          limits?: 'none' | 'ratio' | 'quantile'
          min_cpu?: number
          max_cpu?: number
          min_memory?: number
          max_memory?: number
          cpu_memory_ratio?: string
          basis?: 'decision' | 'window'
          format?: 'patch' | 'vpa' | 'quota' | 'kustomize' | 'csv'
        }
        path: { cluster: string; namespace: string }
      }
      responses: {
        200: { content: { 'application/yaml': string; 'text/csv': string } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/price_rules': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              rules: {
                name: string
                note?: string
                provider?: string
                region?: string
                family?: string
                instance_type?: string
                usage_type?: string
                operating_system?: string
                percent_off?: number
                price_per_hour_usd?: number
                add_per_hour_usd?: number
                valid_from?: string
                valid_until?: string
              }[]
              etag: string
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    put: {
      parameters: { query?: { dry_run?: boolean } }
      requestBody: {
        content: {
          'application/json': {
            rules: {
              name: string
              note?: string
              provider?: string
              region?: string
              family?: string
              instance_type?: string
              usage_type?: string
              operating_system?: string
              percent_off?: number
              price_per_hour_usd?: number
              add_per_hour_usd?: number
              valid_from?: string
              valid_until?: string
            }[]
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              rules: {
                name: string
                note?: string
                provider?: string
                region?: string
                family?: string
                instance_type?: string
                usage_type?: string
                operating_system?: string
                percent_off?: number
                price_per_hour_usd?: number
                add_per_hour_usd?: number
                valid_from?: string
                valid_until?: string
              }[]
              etag: string
              preview?: {
                machines: number
                changed_machines: number
                cost_per_month: { before: number; after: number }
                changes: {
                  machines: string[]
                  count: number
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  before: { cost_per_hour: number | null; price_source: string; price_rules: string[] }
                  after: { cost_per_hour: number | null; price_source: string; price_rules: string[] }
                  difference_per_month: number
                }[]
                comparisons: {
                  provider: string
                  region: string
                  instance_type: string
                  count: number
                  before: {
                    provider: string
                    region: string
                    instance_type: string
                    usage_type: string
                    cost_per_hour: number
                    cost_per_month: number
                    savings_per_month: number
                  } | null
                  after: {
                    provider: string
                    region: string
                    instance_type: string
                    usage_type: string
                    cost_per_hour: number
                    cost_per_month: number
                    savings_per_month: number
                  } | null
                }[]
              }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        412: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/pricing/compute': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            id?: string
            provider?: string
            service?: string
            region?: string
            availability_zone?: string
            instance_type?: string
            operating_system?: string
            usage_type?: string
            vm?: { cpu_cores?: number; ram_gb?: number }
            include_metadata?: boolean
            fallback_to_base_pricing?: boolean
            use_base_pricing?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              cpu_cores_cost_per_hour: number
              ram_gb_cost_per_hour: number
              cost_per_hour: number
              usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
              instance_type: string
              region: string
              provider: string
              service: string
              operating_system: string
              availability_zone: string
              raw_pricing_data?: {
                term: string | null
                architecture: string | null
                gpu: { count: number; name: string } | null
                burstable_baseline: number | null
                monthly_cap: number | null
                sku_ids: string[]
                source: string
                day: string | null
                price_source: 'list' | 'rule' | 'own' | 'base'
                price_rules?: string[]
                accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                vcpu_kind:
                  | (
                      | 'dedicated-core'
                      | 'dedicated-thread'
                      | 'dedicated-thread-capped'
                      | 'shared-pool'
                      | 'shared'
                      | 'burstable'
                      | 'bare-metal'
                    )
                  | null
                kinds: string[]
                generation: 'current' | 'previous' | 'retiring' | 'retired'
                ends_on: string | null
                speed: {
                  coremark_per_vcpu: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                  borrowed_from: string | null
                } | null
                processor: string | null
                local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                network: { baseline_gbps: number | null; max_gbps: number | null } | null
                spot_interruption: { band: string; as_of: string } | null
                carbon: {
                  grams_co2e_per_hour: number
                  low: number
                  high: number
                  method: string
                  grid: string
                  grid_year: number | null
                } | null
                changes?: (
                  | 'provider'
                  | 'region'
                  | 'country'
                  | 'partition'
                  | 'payment'
                  | 'term'
                  | 'architecture'
                  | 'unknown-architecture'
                  | 'hypervisor'
                  | 'image-generation'
                  | 'fewer-cores'
                  | 'less-memory'
                  | 'slower-cores'
                  | 'unknown-speed'
                  | 'shared-vcpus'
                  | 'burstable-vcpus'
                  | 'capped-vcpus'
                  | 'local-disk-lost'
                  | 'smaller-local-disk'
                  | 'slower-network'
                  | 'previous-generation'
                  | 'ending'
                  | 'kind'
                  | 'interconnect'
                  | 'sap'
                  | 'sap-lost'
                  | 'constrained-vcpu'
                  | 'constrained-vcpu-lost'
                  | 'no-premium-storage'
                )[]
                performance?: {
                  ratio: number
                  low: number
                  high: number
                  basis:
                    | 'coremark'
                    | 'geekbench'
                    | 'passmark'
                    | 'same-family'
                    | 'same-generation'
                    | 'same-processor'
                } | null
                registered?: unknown
                notes?: string[]
              }
              id: string
              architecture: string
              cpu_cores: number
              ram_gb: number
              period_billing_hours: number
              currency: 'USD'
              native_cost_per_hour: number
              gpu_count: number
              gpu_type: string
              gpu_cost_per_hour: number
              tags: Record<string, string>
              created_at: string | null
              updated_at: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/pricing/disks': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            id?: string | null
            provider?: string | null
            service?: string | null
            region?: string | null
            availability_zone?: string | null
            type?: string | null
            usage_type?: string | null
            capacity_gb?: number | null
            iops?: number | null
            throughput_mbps?: number | null
            fallback_to_base_pricing?: boolean | null
            include_metadata?: boolean
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              provider: string
              service: string
              region: string
              availability_zone: string
              type: string
              usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
              cost_per_gb_hour: number
              cost_per_iops_hour: number
              cost_per_throughput_mbps_hour: number
              min_capacity_gb: number
              max_capacity_gb: number | null
              min_iops: number
              max_iops: number | null
              min_throughput_mbps: number
              max_throughput_mbps: number | null
              period_billing_hours: number
              raw_pricing_data: Record<string, unknown>
              tags: Record<string, string>
              created_at: string | null
              updated_at: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/providers': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': Record<
              string,
              {
                provider: string
                predicates: {
                  regions: string[]
                  usage_types: string[]
                  availability_zones: string[]
                  providers: string[]
                  operating_systems: string[]
                  services: string[]
                }
              }
            >
          }
        }
        304: { content: { 'application/json': unknown } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/recommendations': {
    get: {
      parameters: {
        query?: {
          kind?: string
          state?: string
          risk?: string
          finding?: string
          cluster?: string
          namespace?: string
          min_worth?: number
          min_confidence?: number
          q?: string
          idle_days?: number
          limit?: number
          cursor?: string
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              recommendations: {
                id: string
                kind: 'container' | 'machine' | 'idle' | 'cluster' | 'volume'
                title: string
                cluster: string | null
                namespace: string | null
                workload: string | null
                container: string | null
                init: boolean
                managed_by?: string
                machine: string | null
                worth_per_month: number
                cost_per_month: number | null
                risk: 'low' | 'medium' | 'high'
                effort: 'low' | 'medium' | 'high'
                confidence: number
                replicas: number | null
                current: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                }
                recommended: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                } | null
                pools?: {
                  provider: string
                  region: string
                  instance_type: string
                  operating_system: 'Linux' | 'Windows'
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  count: number
                }[]
                idle_days: number | null
                findings: (
                  | 'crash-loop'
                  | 'oom-kills'
                  | 'throttled'
                  | 'leak'
                  | 'no-requests'
                  | 'no-memory-limit'
                )[]
                reasons: string[]
                price_sources: string[]
                price_date: string | null
                is_estimate: boolean
                state: 'open' | 'accepted' | 'dismissed' | 'snoozed' | 'applied'
                state_reason: string | null
                state_until: string | null
                state_changed_at: string | null
                state_changed_by: string | null
                outdated_since: string | null
                realised: { since: string; per_month: number; total: number } | null
                etag: string
              }[]
              totals: {
                count: number
                worth_per_month: number
                estimated_per_month: number
                nodes_per_month: number
                savings: {
                  total_per_month: number
                  nodes_per_month: number
                  containers_per_month: number
                  machines_per_month: number
                  idle_per_month: number
                  volumes_per_month: number
                  estimated_per_month: number
                  raises_per_month: number
                  raises_count: number
                }
              }
              facets: {
                kind: { value: string; count: number; worth_per_month: number }[]
                state: { value: string; count: number; worth_per_month: number }[]
                risk: { value: string; count: number; worth_per_month: number }[]
                finding: { value: string; count: number; worth_per_month: number }[]
                cluster: { value: string; count: number; worth_per_month: number }[]
                namespace: { value: string; count: number; worth_per_month: number }[]
              }
              realised: { count: number; per_month: number; total: number; since: string | null }
              left_out: { count: number; worth_per_month: number }
              computed_at: string
              start_date: string
              end_date: string
              next_cursor: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    patch: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            ids: string[]
            state: 'open' | 'accepted' | 'dismissed' | 'snoozed'
            reason?: string
            until?: string
            if_match?: Record<string, string>
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              recommendations: {
                id: string
                kind: 'container' | 'machine' | 'idle' | 'cluster' | 'volume'
                title: string
                cluster: string | null
                namespace: string | null
                workload: string | null
                container: string | null
                init: boolean
                managed_by?: string
                machine: string | null
                worth_per_month: number
                cost_per_month: number | null
                risk: 'low' | 'medium' | 'high'
                effort: 'low' | 'medium' | 'high'
                confidence: number
                replicas: number | null
                current: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                }
                recommended: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                } | null
                pools?: {
                  provider: string
                  region: string
                  instance_type: string
                  operating_system: 'Linux' | 'Windows'
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  count: number
                }[]
                idle_days: number | null
                findings: (
                  | 'crash-loop'
                  | 'oom-kills'
                  | 'throttled'
                  | 'leak'
                  | 'no-requests'
                  | 'no-memory-limit'
                )[]
                reasons: string[]
                price_sources: string[]
                price_date: string | null
                is_estimate: boolean
                state: 'open' | 'accepted' | 'dismissed' | 'snoozed' | 'applied'
                state_reason: string | null
                state_until: string | null
                state_changed_at: string | null
                state_changed_by: string | null
                outdated_since: string | null
                realised: { since: string; per_month: number; total: number } | null
                etag: string
              }[]
              unknown: string[]
              changed_meanwhile: {
                id: string
                kind: 'container' | 'machine' | 'idle' | 'cluster' | 'volume'
                title: string
                cluster: string | null
                namespace: string | null
                workload: string | null
                container: string | null
                init: boolean
                managed_by?: string
                machine: string | null
                worth_per_month: number
                cost_per_month: number | null
                risk: 'low' | 'medium' | 'high'
                effort: 'low' | 'medium' | 'high'
                confidence: number
                replicas: number | null
                current: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                }
                recommended: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                } | null
                pools?: {
                  provider: string
                  region: string
                  instance_type: string
                  operating_system: 'Linux' | 'Windows'
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  count: number
                }[]
                idle_days: number | null
                findings: (
                  | 'crash-loop'
                  | 'oom-kills'
                  | 'throttled'
                  | 'leak'
                  | 'no-requests'
                  | 'no-memory-limit'
                )[]
                reasons: string[]
                price_sources: string[]
                price_date: string | null
                is_estimate: boolean
                state: 'open' | 'accepted' | 'dismissed' | 'snoozed' | 'applied'
                state_reason: string | null
                state_until: string | null
                state_changed_at: string | null
                state_changed_by: string | null
                outdated_since: string | null
                realised: { since: string; per_month: number; total: number } | null
                etag: string
              }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/recommendations/compute': {
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            instance: {
              id?: string
              provider?: string
              service?: string
              region?: string
              availability_zone?: string
              instance_type?: string
              operating_system?: string
              usage_type?: string
              vm?: { cpu_cores?: number; ram_gb?: number }
              include_metadata?: boolean
              fallback_to_base_pricing?: boolean
              use_base_pricing?: boolean
            }
            usage?: { cpu_cores?: number; ram_gb?: number }
            predicates?: {
              availability_zones?: string[]
              instance_types?: string[]
              providers?: string[]
              regions?: string[]
              usage_types?: string[]
              architectures?: string[]
              interconnects?: string[]
              near?: string
              distance_km?: number
              services?: string[]
              operating_systems?: string[]
            }
            include_metadata?: boolean
            performance?: 'conservative' | 'equivalent'
            target_utilisation?: { cpu?: number; ram?: number }
            limit?: number
            offers_per_type?: number
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              pricing: {
                cpu_cores_cost_per_hour: number
                ram_gb_cost_per_hour: number
                cost_per_hour: number
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                instance_type: string
                region: string
                provider: string
                service: string
                operating_system: string
                availability_zone: string
                raw_pricing_data?: {
                  term: string | null
                  architecture: string | null
                  gpu: { count: number; name: string } | null
                  burstable_baseline: number | null
                  monthly_cap: number | null
                  sku_ids: string[]
                  source: string
                  day: string | null
                  price_source: 'list' | 'rule' | 'own' | 'base'
                  price_rules?: string[]
                  accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                  vcpu_kind:
                    | (
                        | 'dedicated-core'
                        | 'dedicated-thread'
                        | 'dedicated-thread-capped'
                        | 'shared-pool'
                        | 'shared'
                        | 'burstable'
                        | 'bare-metal'
                      )
                    | null
                  kinds: string[]
                  generation: 'current' | 'previous' | 'retiring' | 'retired'
                  ends_on: string | null
                  speed: {
                    coremark_per_vcpu: number
                    basis:
                      | 'coremark'
                      | 'geekbench'
                      | 'passmark'
                      | 'same-family'
                      | 'same-generation'
                      | 'same-processor'
                    borrowed_from: string | null
                  } | null
                  processor: string | null
                  local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                  network: { baseline_gbps: number | null; max_gbps: number | null } | null
                  spot_interruption: { band: string; as_of: string } | null
                  carbon: {
                    grams_co2e_per_hour: number
                    low: number
                    high: number
                    method: string
                    grid: string
                    grid_year: number | null
                  } | null
                  changes?: (
                    | 'provider'
                    | 'region'
                    | 'country'
                    | 'partition'
                    | 'payment'
                    | 'term'
                    | 'architecture'
                    | 'unknown-architecture'
                    | 'hypervisor'
                    | 'image-generation'
                    | 'fewer-cores'
                    | 'less-memory'
                    | 'slower-cores'
                    | 'unknown-speed'
                    | 'shared-vcpus'
                    | 'burstable-vcpus'
                    | 'capped-vcpus'
                    | 'local-disk-lost'
                    | 'smaller-local-disk'
                    | 'slower-network'
                    | 'previous-generation'
                    | 'ending'
                    | 'kind'
                    | 'interconnect'
                    | 'sap'
                    | 'sap-lost'
                    | 'constrained-vcpu'
                    | 'constrained-vcpu-lost'
                    | 'no-premium-storage'
                  )[]
                  performance?: {
                    ratio: number
                    low: number
                    high: number
                    basis:
                      | 'coremark'
                      | 'geekbench'
                      | 'passmark'
                      | 'same-family'
                      | 'same-generation'
                      | 'same-processor'
                  } | null
                  registered?: unknown
                  notes?: string[]
                }
                id: string
                architecture: string
                cpu_cores: number
                ram_gb: number
                period_billing_hours: number
                currency: 'USD'
                native_cost_per_hour: number
                gpu_count: number
                gpu_type: string
                gpu_cost_per_hour: number
                tags: Record<string, string>
                created_at: string | null
                updated_at: string | null
              }
              savings: {
                percentage: number
                amount_per_hour: number
                amount_per_month: number
                amount_per_year: number
              }
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/recommendations/patches': {
    get: {
      parameters: { query: { ids: string; format?: 'patch' | 'kustomize' } }
      responses: {
        200: { content: { 'application/yaml': string } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/recommendations/{id}': {
    get: {
      parameters: { query?: { currency?: string }; path: { id: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              recommendation: {
                id: string
                kind: 'container' | 'machine' | 'idle' | 'cluster' | 'volume'
                title: string
                cluster: string | null
                namespace: string | null
                workload: string | null
                container: string | null
                init: boolean
                managed_by?: string
                machine: string | null
                worth_per_month: number
                cost_per_month: number | null
                risk: 'low' | 'medium' | 'high'
                effort: 'low' | 'medium' | 'high'
                confidence: number
                replicas: number | null
                current: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                }
                recommended: {
                  cpu_cores: number | null
                  cpu_limit_cores: number | null
                  memory_gib: number | null
                  memory_limit_gib: number | null
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  nodes?: number
                } | null
                pools?: {
                  provider: string
                  region: string
                  instance_type: string
                  operating_system: 'Linux' | 'Windows'
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  count: number
                }[]
                idle_days: number | null
                findings: (
                  | 'crash-loop'
                  | 'oom-kills'
                  | 'throttled'
                  | 'leak'
                  | 'no-requests'
                  | 'no-memory-limit'
                )[]
                reasons: string[]
                price_sources: string[]
                price_date: string | null
                is_estimate: boolean
                state: 'open' | 'accepted' | 'dismissed' | 'snoozed' | 'applied'
                state_reason: string | null
                state_until: string | null
                state_changed_at: string | null
                state_changed_by: string | null
                outdated_since: string | null
                realised: { since: string; per_month: number; total: number } | null
                etag: string
              }
              container: {
                Kind: string
                Workload: string
                Container: string
                Init: boolean
                RequestsUnknown?: boolean
                CPU: {
                  Requests: {
                    Current: number | null
                    Recommended: number | null
                    LowerBound: number | null
                    UpperBound: number | null
                  }
                  Limits: {
                    Current: number | null
                    Recommended: number | null
                    LowerBound: number | null
                    UpperBound: number | null
                  }
                  Usage: {
                    Mean: number
                    P50: number
                    P90: number
                    P95: number
                    P99: number
                    Max: number
                  } | null
                }
                Memory: {
                  Requests: {
                    Current: number | null
                    Recommended: number | null
                    LowerBound: number | null
                    UpperBound: number | null
                  }
                  Limits: {
                    Current: number | null
                    Recommended: number | null
                    LowerBound: number | null
                    UpperBound: number | null
                  }
                  Usage: {
                    Mean: number
                    P50: number
                    P90: number
                    P95: number
                    P99: number
                    Max: number
                  } | null
                }
                Replicas: { Current: number; Highest: number; AutoscalerMaximum: number | null }
                CurrentSpend: number
                NewSpend: number
                OOMKills: number
                Restarts: number
                ThrottledPercent: number
                MemoryLeak: boolean
                Confidence: number
                Reasons: string[]
                Explanation?: {
                  CPU: {
                    Days: number
                    LearntFromDays: number
                    Distribution: { From: number; To: number; Percent: number }[]
                    Estimates: {
                      By: string
                      Value: number | null
                      Decided: boolean
                      Steps: { Says: string; Value: number | null }[]
                    }[]
                  }
                  Memory: {
                    Days: number
                    LearntFromDays: number
                    Distribution: { From: number; To: number; Percent: number }[]
                    Estimates: {
                      By: string
                      Value: number | null
                      Decided: boolean
                      Steps: { Says: string; Value: number | null }[]
                    }[]
                  }
                  MemoryFacts?: {
                    Resident: number | null
                    PageCache: number | null
                    MappedPageCache: number | null
                    HeapAfterCollection: number | null
                    HeapLimit: number | null
                    NonHeap: number | null
                    KernelPeak: number | null
                  }
                  Constraints?: { Name: string; Value: string; From: string }[]
                  Reasons?: {
                    Code: string
                    Resource: ('cpu' | 'memory') | null
                    Figures: { Name: string; Value: number }[]
                  }[]
                }
              } | null
              machine: {
                vm: string
                creationTime: string
                totalCurrentCPU: number
                totalCurrentRAM: number
                totalRecommendedCPU: number
                totalRecommendedRAM: number
                expectedUtilisationCPU: number
                expectedUtilisationRAM: number
                measuredHours?: number
                idle?: boolean
                spend?: { total: number; processes: number; unused: number } | null
                rehost?: {
                  currentCostPerHour: number | null
                  currentCostPerMonth: number | null
                  anywhere: {
                    provider: string
                    region: string
                    availabilityZone: string
                    instanceType: string
                    usageType: string
                    cpuCores: number
                    ramGb: number
                    costPerHour: number
                    savingsPerHour: number | null
                    savingsPerMonth: number | null
                    commitments?: {
                      commitments: string[]
                      saves_per_month: number
                      until: string
                      saves_per_month_after: number
                      stranded_per_month: number | null
                    }
                  } | null
                  sameRegion: {
                    provider: string
                    region: string
                    availabilityZone: string
                    instanceType: string
                    usageType: string
                    cpuCores: number
                    ramGb: number
                    costPerHour: number
                    savingsPerHour: number | null
                    savingsPerMonth: number | null
                    commitments?: {
                      commitments: string[]
                      saves_per_month: number
                      until: string
                      saves_per_month_after: number
                      stranded_per_month: number | null
                    }
                  } | null
                  options: {
                    effort: 'resize' | 'region' | 'provider' | 'commit' | 'spot' | 'anywhere'
                    why: string
                    offers: {
                      provider: string
                      region: string
                      availability_zone: string
                      instance_type: string
                      operating_system: string
                      usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                      term: string | null
                      vm: { cpu_cores: number; ram_gb: number } | null
                      gpu: { count: number; name: string } | null
                      cost_per_hour: number
                      cost_per_month: number
                      price: {
                        price_source: 'list' | 'rule' | 'own' | 'base'
                        price_rules?: string[]
                        source: string
                        day: string | null
                        age_days: number | null
                        is_old: boolean
                        is_indicative: boolean
                      }
                      machine: {
                        accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                        vcpu_kind:
                          | (
                              | 'dedicated-core'
                              | 'dedicated-thread'
                              | 'dedicated-thread-capped'
                              | 'shared-pool'
                              | 'shared'
                              | 'burstable'
                              | 'bare-metal'
                            )
                          | null
                        kinds: string[]
                        generation: 'current' | 'previous' | 'retiring' | 'retired'
                        ends_on: string | null
                        speed: {
                          coremark_per_vcpu: number
                          basis:
                            | 'coremark'
                            | 'geekbench'
                            | 'passmark'
                            | 'same-family'
                            | 'same-generation'
                            | 'same-processor'
                          borrowed_from: string | null
                        } | null
                        processor: string | null
                        local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                        network: { baseline_gbps: number | null; max_gbps: number | null } | null
                        spot_interruption: { band: string; as_of: string } | null
                        carbon: {
                          grams_co2e_per_hour: number
                          low: number
                          high: number
                          method: string
                          grid: string
                          grid_year: number | null
                        } | null
                        changes?: (
                          | 'provider'
                          | 'region'
                          | 'country'
                          | 'partition'
                          | 'payment'
                          | 'term'
                          | 'architecture'
                          | 'unknown-architecture'
                          | 'hypervisor'
                          | 'image-generation'
                          | 'fewer-cores'
                          | 'less-memory'
                          | 'slower-cores'
                          | 'unknown-speed'
                          | 'shared-vcpus'
                          | 'burstable-vcpus'
                          | 'capped-vcpus'
                          | 'local-disk-lost'
                          | 'smaller-local-disk'
                          | 'slower-network'
                          | 'previous-generation'
                          | 'ending'
                          | 'kind'
                          | 'interconnect'
                          | 'sap'
                          | 'sap-lost'
                          | 'constrained-vcpu'
                          | 'constrained-vcpu-lost'
                          | 'no-premium-storage'
                        )[]
                        performance?: {
                          ratio: number
                          low: number
                          high: number
                          basis:
                            | 'coremark'
                            | 'geekbench'
                            | 'passmark'
                            | 'same-family'
                            | 'same-generation'
                            | 'same-processor'
                        } | null
                      }
                      savings: {
                        percentage: number
                        amount_per_hour: number
                        amount_per_month: number
                        amount_per_year: number
                      }
                      commitments?: {
                        commitments: string[]
                        saves_per_month: number
                        until: string
                        saves_per_month_after: number
                        stranded_per_month: number | null
                      }
                    }[]
                  }[]
                  priceSource: 'list' | 'rule' | 'own' | 'base' | 'metric' | 'commitment'
                  priceRules?: string[]
                  priceDate: string | null
                  commitments?: {
                    commitments: string[]
                    saves_per_month: number
                    until: string
                    saves_per_month_after: number
                    stranded_per_month: number | null
                  }
                  needed: {
                    cpuCores: { lowerBound: number; recommended: number; upperBound: number }
                    ramGb: { lowerBound: number; recommended: number; upperBound: number }
                  }
                  confidence: number
                  reasons: string[]
                  notes: string[]
                }
              } | null
              nodes: {
                cluster: string
                start_date: string
                end_date: string
                measured_hours: number
                nodes: {
                  provider: string | null
                  region: string | null
                  instance_type: string | null
                  usage_type: string | null
                  count: number
                  mean_count?: number
                  count_by_hour_of_week?: (number | null)[]
                  zones?: Record<string, number>
                  cpu_cores: number
                  memory_gib: number
                  shared_vcpus?: boolean
                  cost_per_hour: number | null
                  cost_per_month: number | null
                  price_source: string
                  price_rules?: string[]
                  price_date: string | null
                  requested: { cpu: number; memory: number } | null
                  used: { cpu: number; memory: number } | null
                }[]
                pods: number
                cost_per_month: {
                  now: number | null
                  with_sizes: number | null
                  with_sizes_and_nodes: number | null
                  lower_bound: number | null
                }
                commitments?: {
                  commitments: string[]
                  saves_per_month: number
                  until: string
                  saves_per_month_after: number
                  stranded_per_month: number | null
                }
                confidence: number
                recommended: string | null
                options: {
                  id: string
                  effort: 'fewer' | 'resize' | 'region' | 'provider'
                  spot_share: number
                  why: string
                  pools: {
                    provider: string | null
                    region: string | null
                    instance_type: string | null
                    usage_type: string | null
                    count: number
                    mean_count?: number
                    count_by_hour_of_week?: (number | null)[]
                    zones?: Record<string, number>
                    cpu_cores: number
                    memory_gib: number
                    shared_vcpus?: boolean
                    cost_per_hour: number | null
                    cost_per_month: number | null
                    price_source: string
                    price_rules?: string[]
                    price_date: string | null
                  }[]
                  requested: { cpu: number; memory: number }
                  cost_per_month: number
                  savings: { amount_per_month: number; percentage: number }
                  needs_sizes: boolean
                  steps: string[]
                  commands: string[]
                  formats: string[]
                  commitments?: {
                    commitments: string[]
                    saves_per_month: number
                    until: string
                    saves_per_month_after: number
                    stranded_per_month: number | null
                  }
                }[]
                pods_without_node: {
                  workload: string
                  pods: number
                  cpu_cores: number
                  memory_gib: number
                  why: string
                }[]
                reasons: string[]
                notes: string[]
              } | null
              start_date: string
              end_date: string
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    patch: {
      parameters: { query?: never; path: { id: string } }
      requestBody: {
        content: {
          'application/json': {
            state: 'open' | 'accepted' | 'dismissed' | 'snoozed'
            reason?: string
            until?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              kind: 'container' | 'machine' | 'idle' | 'cluster' | 'volume'
              title: string
              cluster: string | null
              namespace: string | null
              workload: string | null
              container: string | null
              init: boolean
              managed_by?: string
              machine: string | null
              worth_per_month: number
              cost_per_month: number | null
              risk: 'low' | 'medium' | 'high'
              effort: 'low' | 'medium' | 'high'
              confidence: number
              replicas: number | null
              current: {
                cpu_cores: number | null
                cpu_limit_cores: number | null
                memory_gib: number | null
                memory_limit_gib: number | null
                provider: string | null
                region: string | null
                instance_type: string | null
                nodes?: number
              }
              recommended: {
                cpu_cores: number | null
                cpu_limit_cores: number | null
                memory_gib: number | null
                memory_limit_gib: number | null
                provider: string | null
                region: string | null
                instance_type: string | null
                nodes?: number
              } | null
              pools?: {
                provider: string
                region: string
                instance_type: string
                operating_system: 'Linux' | 'Windows'
                usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                count: number
              }[]
              idle_days: number | null
              findings: (
                | 'crash-loop'
                | 'oom-kills'
                | 'throttled'
                | 'leak'
                | 'no-requests'
                | 'no-memory-limit'
              )[]
              reasons: string[]
              price_sources: string[]
              price_date: string | null
              is_estimate: boolean
              state: 'open' | 'accepted' | 'dismissed' | 'snoozed' | 'applied'
              state_reason: string | null
              state_until: string | null
              state_changed_at: string | null
              state_changed_by: string | null
              outdated_since: string | null
              realised: { since: string; per_month: number; total: number } | null
              etag: string
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        412: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/regions': {
    get: {
      parameters: { query?: { provider?: string; near?: string; limit?: number } }
      responses: {
        200: {
          content: {
            'application/json': {
              provider_key: string
              provider: string
              region: string
              city: string | null
              country: string | null
              continent: string | null
              partition: string | null
              distance_km: number | null
              grams_co2e_per_kwh: number | null
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/reviews': {
    post: {
      parameters: { query?: { currency?: string } }
      requestBody: {
        content: {
          'application/json': {
            plan: Record<string, unknown>
            name?: string
            efforts?: ('resize' | 'region' | 'provider' | 'commit' | 'spot' | 'anywhere')[]
            suggestions?: number
            prices?: Record<string, number>
            regions?: Record<string, string>
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              version: 1
              hours_per_month: number
              plans: string[]
              totals: {
                before_per_month: number
                after_per_month: number
                difference_per_month: number
                possible_savings_per_month: number
              }
              price_days: {
                oldest: string
                newest: string
                is_old: boolean
                is_outdated: boolean
                outdated: string[]
              } | null
              changes: {
                plan: string
                address: string
                type: string
                action: 'create' | 'delete' | 'update' | 'replace' | 'no-op' | 'forget'
                before: {
                  machines: {
                    provider: string
                    region: string
                    availability_zone: string
                    instance_type: string
                    operating_system: 'Linux' | 'Windows'
                    usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                    count: number
                    cost_per_hour: number
                    cost_per_month: number
                    price_day: string | null
                    price_source: 'list' | 'rule' | 'own' | 'base'
                    price_rules?: string[]
                    minimum: { count: number; cost_per_month: number } | null
                    maximum: { count: number; cost_per_month: number } | null
                  }[]
                  charges: {
                    name: string
                    provider: string
                    region: string
                    count: number
                    cost_per_month: number
                    price_day: string | null
                    source: string
                    is_estimate: boolean
                  }[]
                  cost_per_month: number
                } | null
                after: {
                  machines: {
                    provider: string
                    region: string
                    availability_zone: string
                    instance_type: string
                    operating_system: 'Linux' | 'Windows'
                    usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                    count: number
                    cost_per_hour: number
                    cost_per_month: number
                    price_day: string | null
                    price_source: 'list' | 'rule' | 'own' | 'base'
                    price_rules?: string[]
                    minimum: { count: number; cost_per_month: number } | null
                    maximum: { count: number; cost_per_month: number } | null
                  }[]
                  charges: {
                    name: string
                    provider: string
                    region: string
                    count: number
                    cost_per_month: number
                    price_day: string | null
                    source: string
                    is_estimate: boolean
                  }[]
                  cost_per_month: number
                } | null
                difference_per_month: number
                notes: string[]
                suggestions: {
                  replaces: number
                  effort: 'resize' | 'region' | 'provider' | 'commit' | 'spot' | 'anywhere'
                  provider: string
                  region: string
                  availability_zone: string
                  instance_type: string
                  operating_system: 'Linux' | 'Windows'
                  usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                  term: string | null
                  cpu_cores: number | null
                  ram_gb: number | null
                  count: number
                  cost_per_hour: number
                  cost_per_month: number
                  price_day: string | null
                  price_source: 'list' | 'rule' | 'own' | 'base'
                  price_rules?: string[]
                  savings_per_month: number
                  savings_percentage: number
                  changes: string[]
                  sized_for: { cpu_cores: number; ram_gb: number } | null
                }[]
                cheaper_disks: {
                  replaces: string
                  type: string
                  count: number
                  cost_per_month: number
                  savings_per_month: number
                  is_less_durable: boolean
                }[]
              }[]
              unpriced: {
                plan: string
                address: string
                type: string
                action: 'create' | 'delete' | 'update' | 'replace' | 'no-op' | 'forget'
                may_raise_cost: boolean
                reason: string
              }[]
              unknown: {
                plan: string
                address: string
                type: string
                action: 'create' | 'delete' | 'update' | 'replace' | 'no-op' | 'forget'
                may_raise_cost: boolean
              }[]
              free: {
                plan: string
                address: string
                type: string
                action: 'create' | 'delete' | 'update' | 'replace' | 'no-op' | 'forget'
              }[]
              drifted: number
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/reviews/saved': {
    get: {
      parameters: { query?: { currency?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              at: string
              by: string
              name: string
              before_per_month: number
              after_per_month: number
              difference_per_month: number
              unpriced: number
              has_resources: boolean
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    post: {
      parameters: { query?: never }
      requestBody: {
        content: {
          'application/json': {
            name: string
            before_per_month: number
            after_per_month: number
            unpriced: number
            review?: Record<string, unknown>
          }
        }
      }
      responses: {
        201: {
          content: {
            'application/json': {
              id: string
              at: string
              by: string
              name: string
              before_per_month: number
              after_per_month: number
              difference_per_month: number
              unpriced: number
              has_resources: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/reviews/saved/{id}': {
    get: {
      parameters: { query?: { currency?: string }; path: { id: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              at: string
              by: string
              name: string
              before_per_month: number
              after_per_month: number
              difference_per_month: number
              unpriced: number
              has_resources: boolean
              review: Record<string, unknown> | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    delete: {
      parameters: { query?: never; path: { id: string } }
      responses: {
        204: { content: never }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/session': {
    post: {
      parameters: { query?: never }
      responses: {
        201: {
          content: {
            'application/json': {
              expires_at: string
              key: {
                id: string
                organisation: string
                name: string
                scopes: (
                  | 'pricing:read'
                  | 'marketplace:write'
                  | 'gateway:read'
                  | 'gateway:write'
                  | 'usage:write'
                  | 'admin'
                )[]
                state: 'active' | 'rotating' | 'expired' | 'revoked'
                created_at: string
                expires_at: string | null
                revoked_at: string | null
                last_used_at: string | null
                replaced_by: string | null
              }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    delete: {
      parameters: { query?: never }
      responses: {
        204: { content: never }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/settings': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              version: string
              retention_days: number
              price_refresh_hours: number
              cost_labels: string[]
              measures_own_host: boolean
              is_loading_demo: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/sizing_profile': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              profile: string | null
              risk: number | null
              set: boolean
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/sizing_rules': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              organisation: string
              rules: {
                cluster?: string
                namespace?: string
                workload?: string
                container?: string
                image?: string
                labels?: Record<string, string>
                limits?: 'none' | 'ratio' | 'quantile'
                min_cpu?: number
                max_cpu?: number
                min_memory?: number
                max_memory?: number
                cpu_memory_ratio?: string
                profile?: string
                risk?: number
                qos?: 'guaranteed' | 'burstable'
                exclude?: boolean
                managed_by?: string
              }[]
              etag: string
              would_change?: {
                containers: number
                unmatched_rules: number[]
                cost_per_month: { before: number; after: number }
                cpu_request_cores: { before: number; after: number }
                memory_request_gib: { before: number; after: number }
                largest: {
                  cluster: string
                  namespace: string
                  workload: string
                  container: string
                  before: {
                    cpu_cores: number | null
                    cpu_limit_cores: number | null
                    memory_gib: number | null
                    memory_limit_gib: number | null
                  }
                  after: {
                    cpu_cores: number | null
                    cpu_limit_cores: number | null
                    memory_gib: number | null
                    memory_limit_gib: number | null
                  }
                  cost_per_month: { before: number; after: number }
                }[]
              }
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/sources': {
    get: {
      parameters: { query?: never }
      responses: {
        200: {
          content: {
            'application/json': {
              kind: 'cluster' | 'machine'
              name: string
              last_seen: string
              is_silent: boolean
              first_sample: string
              last_sample: string | null
              interval_seconds: number | null
              metrics: { name: string; last_sample: string; interval_seconds: number | null }[]
              missing: { metrics: string[]; unlocks: string; is_optional: boolean }[]
              problems: {
                code:
                  | 'essential-metric-missing'
                  | 'no-cluster-label'
                  | 'clock-ahead'
                  | 'late-samples'
                  | 'duplicate-senders'
                  | 'long-interval'
                  | 'metric-stopped'
                message: string
              }[]
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/usage/{kind}/{id}': {
    get: {
      parameters: {
        query?: { step?: string; start_date?: string; end_date?: string }
        path: { kind: 'container' | 'process'; id: string }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              kind: string
              id: string
              steps: {
                start: string
                end: string
                replicas: number
                cpu_cores: {
                  mean: number | null
                  p50: number | null
                  p95: number | null
                  max: number | null
                  request: number | null
                  limit: number | null
                }
                memory_gib: {
                  mean: number | null
                  p50: number | null
                  p95: number | null
                  max: number | null
                  request: number | null
                  limit: number | null
                }
                oom_kills: number
                restarts: number
              }[]
              decisions?: { start: string; cpu_cores: number | null; memory_gib: number | null }[]
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/views': {
    get: {
      parameters: { query?: never }
      responses: {
        200: { content: { 'application/json': { id: string; name: string; address: string; by: string }[] } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
    post: {
      parameters: { query?: never }
      requestBody: { content: { 'application/json': { name: string; address: string } } }
      responses: {
        201: { content: { 'application/json': { id: string; name: string; address: string; by: string } } }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        409: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/views/{id}': {
    delete: {
      parameters: { query?: never; path: { id: string } }
      responses: {
        204: { content: never }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        404: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        408: { content: { 'application/problem+json': Problem } }
        413: { content: { 'application/problem+json': Problem } }
        415: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/vm_metadata': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              name: string
              hostname: string
              provider: string
              region: string
              availabilityZone: string
              instanceType: string
              architecture: string
              operatingSystem: string
              cpucores: number | null
              ramgiB: number | null
              costPerHour: number | null
              costPerMonth: number | null
              priceSource: 'list' | 'rule' | 'own' | 'base' | 'metric'
              creationTime: string
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/vm_recommendations': {
    get: {
      parameters: {
        query?: {
          vm?: string
          process_group?: string
          start_date?: string
          end_date?: string
          cursor?: string
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              vm: string
              process: string
              processGroup: 'kubernetes' | 'docker' | 'system' | 'user' | 'unknown'
              cgroup: string
              costDriver: 'cpu' | 'memory'
              currentSpend: number
              creationTime: string
              cpu: {
                baseline: { costInDollars: number; value: number }
                current: { costInDollars: number; value: number }
                recommended: { costInDollars: number; value: number }
              }
              memory: {
                baseline: { costInDollars: number; value: number }
                current: { costInDollars: number; value: number }
                recommended: { costInDollars: number; value: number }
              }
              priceSource: 'list' | 'rule' | 'own' | 'base' | 'metric'
              priceRules?: string[]
              priceDate: string | null
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/vm_summaries': {
    get: {
      parameters: {
        query?: {
          vm?: string
          process_group?: string
          start_date?: string
          end_date?: string
          cursor?: string
          limit?: number
          include_rehost?: boolean
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              vm: string
              creationTime: string
              totalCurrentCPU: number
              totalCurrentRAM: number
              totalRecommendedCPU: number
              totalRecommendedRAM: number
              expectedUtilisationCPU: number
              expectedUtilisationRAM: number
              measuredHours?: number
              idle?: boolean
              spend?: { total: number; processes: number; unused: number } | null
              rehost?: {
                currentCostPerHour: number | null
                currentCostPerMonth: number | null
                anywhere: {
                  provider: string
                  region: string
                  availabilityZone: string
                  instanceType: string
                  usageType: string
                  cpuCores: number
                  ramGb: number
                  costPerHour: number
                  savingsPerHour: number | null
                  savingsPerMonth: number | null
                  commitments?: {
                    commitments: string[]
                    saves_per_month: number
                    until: string
                    saves_per_month_after: number
                    stranded_per_month: number | null
                  }
                } | null
                sameRegion: {
                  provider: string
                  region: string
                  availabilityZone: string
                  instanceType: string
                  usageType: string
                  cpuCores: number
                  ramGb: number
                  costPerHour: number
                  savingsPerHour: number | null
                  savingsPerMonth: number | null
                  commitments?: {
                    commitments: string[]
                    saves_per_month: number
                    until: string
                    saves_per_month_after: number
                    stranded_per_month: number | null
                  }
                } | null
                options: {
                  effort: 'resize' | 'region' | 'provider' | 'commit' | 'spot' | 'anywhere'
                  why: string
                  offers: {
                    provider: string
                    region: string
                    availability_zone: string
                    instance_type: string
                    operating_system: string
                    usage_type: 'ONDEMAND' | 'RESERVED' | 'SPOT_PREEMPTIBLE'
                    term: string | null
                    vm: { cpu_cores: number; ram_gb: number } | null
                    gpu: { count: number; name: string } | null
                    cost_per_hour: number
                    cost_per_month: number
                    price: {
                      price_source: 'list' | 'rule' | 'own' | 'base'
                      price_rules?: string[]
                      source: string
                      day: string | null
                      age_days: number | null
                      is_old: boolean
                      is_indicative: boolean
                    }
                    machine: {
                      accelerator_kind: ('gpu' | 'npu' | 'fpga' | 'video') | null
                      vcpu_kind:
                        | (
                            | 'dedicated-core'
                            | 'dedicated-thread'
                            | 'dedicated-thread-capped'
                            | 'shared-pool'
                            | 'shared'
                            | 'burstable'
                            | 'bare-metal'
                          )
                        | null
                      kinds: string[]
                      generation: 'current' | 'previous' | 'retiring' | 'retired'
                      ends_on: string | null
                      speed: {
                        coremark_per_vcpu: number
                        basis:
                          | 'coremark'
                          | 'geekbench'
                          | 'passmark'
                          | 'same-family'
                          | 'same-generation'
                          | 'same-processor'
                        borrowed_from: string | null
                      } | null
                      processor: string | null
                      local_disk: { gib: number | null; kind: string; is_root: boolean } | null
                      network: { baseline_gbps: number | null; max_gbps: number | null } | null
                      spot_interruption: { band: string; as_of: string } | null
                      carbon: {
                        grams_co2e_per_hour: number
                        low: number
                        high: number
                        method: string
                        grid: string
                        grid_year: number | null
                      } | null
                      changes?: (
                        | 'provider'
                        | 'region'
                        | 'country'
                        | 'partition'
                        | 'payment'
                        | 'term'
                        | 'architecture'
                        | 'unknown-architecture'
                        | 'hypervisor'
                        | 'image-generation'
                        | 'fewer-cores'
                        | 'less-memory'
                        | 'slower-cores'
                        | 'unknown-speed'
                        | 'shared-vcpus'
                        | 'burstable-vcpus'
                        | 'capped-vcpus'
                        | 'local-disk-lost'
                        | 'smaller-local-disk'
                        | 'slower-network'
                        | 'previous-generation'
                        | 'ending'
                        | 'kind'
                        | 'interconnect'
                        | 'sap'
                        | 'sap-lost'
                        | 'constrained-vcpu'
                        | 'constrained-vcpu-lost'
                        | 'no-premium-storage'
                      )[]
                      performance?: {
                        ratio: number
                        low: number
                        high: number
                        basis:
                          | 'coremark'
                          | 'geekbench'
                          | 'passmark'
                          | 'same-family'
                          | 'same-generation'
                          | 'same-processor'
                      } | null
                    }
                    savings: {
                      percentage: number
                      amount_per_hour: number
                      amount_per_month: number
                      amount_per_year: number
                    }
                    commitments?: {
                      commitments: string[]
                      saves_per_month: number
                      until: string
                      saves_per_month_after: number
                      stranded_per_month: number | null
                    }
                  }[]
                }[]
                priceSource: 'list' | 'rule' | 'own' | 'base' | 'metric' | 'commitment'
                priceRules?: string[]
                priceDate: string | null
                commitments?: {
                  commitments: string[]
                  saves_per_month: number
                  until: string
                  saves_per_month_after: number
                  stranded_per_month: number | null
                }
                needed: {
                  cpuCores: { lowerBound: number; recommended: number; upperBound: number }
                  ramGb: { lowerBound: number; recommended: number; upperBound: number }
                }
                confidence: number
                reasons: string[]
                notes: string[]
              }
            }[]
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
  '/v1/volumes': {
    get: {
      parameters: {
        query?: {
          cluster?: string
          namespace?: string
          state?: 'used' | 'unused' | 'without-claim' | 'unknown'
          limit?: number
          cursor?: string
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              volumes: {
                cluster: string
                namespace: string | null
                claim: string | null
                volume: string | null
                storage_class: string
                state: 'used' | 'unused' | 'without-claim' | 'unknown'
                unused_days: number | null
                measured_days: number
                size_gib: number
                used_gib: number | null
                provider: string | null
                region: string | null
                disk_type: string | null
                iops: number | null
                cost_per_month: number | null
                without_price: string | null
                price_source: string | null
                price_date: string | null
                is_estimate: boolean
                better: {
                  type: string
                  tier: string
                  size_gib: number
                  iops: number
                  throughput_mbps: number
                  cost_per_month: number
                  savings_per_month: number
                } | null
                smaller_saves_per_month: number
              }[]
              totals: {
                count: number
                size_gib: number
                cost_per_month: number
                without_price: number
                removable_per_month: number
                savings_per_month: number
              }
              next_cursor: string | null
            }
          }
        }
        400: { content: { 'application/problem+json': Problem } }
        401: { content: { 'application/problem+json': Problem } }
        403: { content: { 'application/problem+json': Problem } }
        406: { content: { 'application/problem+json': Problem } }
        422: { content: { 'application/problem+json': Problem } }
        429: { content: { 'application/problem+json': Problem } }
        431: { content: { 'application/problem+json': Problem } }
        503: { content: { 'application/problem+json': Problem } }
      }
    }
  }
}
