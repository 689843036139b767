#!/bin/sh
# A tour of the API. Start the service (npm start), then:  KEY=csk_... sh examples/tour.sh
set -eu
URL=${URL:-http://127.0.0.1:8080}
: "${KEY:?set KEY to the key that the first start printed}"

call() { curl -sS --fail-with-body -H "X-API-KEY: $KEY" -H 'Content-Type: application/json' "$@"; echo; }

echo '# Which machines could replace a half-used m5.xlarge for less?'
question='{
  "provider": "aws", "region": "us-east-1", "availability_zone": "", "service": "AmazonEC2",
  "instance_type": "m5.xlarge", "operating_system": "Linux", "usage_type": "ondemand",
  "vm": {"cpu_cores": 4, "ram_gb": 16}, "usage": {"cpu_cores": 1.5, "ram_gb": 6},
  "predicates": {"providers": [], "regions": [], "instance_types": [], "availability_zones": [], "usage_types": []}}'
call "$URL/recommendations" -d "$question"

echo '# Which providers, regions and usage types can a predicate name?'
call "$URL/providers"

echo '# Register a price of your own.'
call "$URL/marketplace/providers" -d '{"name": "tour-racks", "entries": [
  {"instance_type": "rack-8", "region": "basement", "cost_per_hour": 0.005, "cpu_cores": 8, "ram_gb": 32}]}'

echo '# The same request again: rack-8 is among the answers, for your organisation only.'
call "$URL/recommendations" -d "$question"

echo '# Which private providers are registered?'
call "$URL/marketplace/providers"

echo '# Remove it.'
call -X DELETE "$URL/marketplace/providers/tour-racks"
