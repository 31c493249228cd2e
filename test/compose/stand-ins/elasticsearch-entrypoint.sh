set -eu
: "${ELASTIC_PASSWORD:?}"
printf '%s\n' network.host:\ 127.0.0.1 http.port:\ 9201 discovery.type:\ single-node 'xpack.security.enabled: false' \
  'cluster.routing.allocation.disk.threshold_enabled: false' > config/elasticsearch.yml
export ES_JAVA_HOME="$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")"
python3 /elasticsearch-security.py &
exec bin/elasticsearch
