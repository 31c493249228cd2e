{{- define "ganglion.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "ganglion.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "ganglion.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "ganglion.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- /* Labels that never change, for selectors. Arguments: root, component, and for workers pool and build. */}}
{{- define "ganglion.selectorLabels" -}}
app.kubernetes.io/name: {{ include "ganglion.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- if .pool }}
ganglion/pool: {{ .pool }}
ganglion/build: {{ .build | default "none" | quote }}
{{- end }}
{{- end }}

{{- define "ganglion.labels" -}}
{{ include "ganglion.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "ganglion.metadata" -}}
name: {{ include "ganglion.fullname" .root }}{{ with .suffix }}-{{ . }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "ganglion.labels" . | nindent 2 }}
  {{- with .moreLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* Suffix of the names of a worker pool's objects. Each build has its own objects. */}}
{{- define "ganglion.workerSuffix" -}}
worker-{{ .pool }}{{ with .build }}-{{ . | lower | replace "." "-" | replace "_" "-" }}{{ end }}
{{- end }}

{{- /* The settings of all pods, as a YAML map of strings. */}}
{{- define "ganglion.config" -}}
{{- $config := dict "HOST" "0.0.0.0" "PORT" "8080" "WORKER_HEALTH_HOST" "0.0.0.0" "WORKER_HEALTH_PORT" "8081" "SHUTDOWN_SECONDS" "20" "SHUTDOWN_DELAY_SECONDS" "5" }}
{{- if .Values.metrics.podMonitor.enabled }}
{{- $config = merge $config (dict "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464" "WORKER_METRICS_PORT" "9465") }}
{{- end }}
{{- if .Values.workerController.enabled }}
{{- $worker := printf "%s-worker-%s" (include "ganglion.fullname" .) (keys .Values.workers | first) }}
{{- $_ := set $config "TEMPORAL_DEPLOYMENT_NAME" (printf "%s/%s" .Release.Namespace $worker) }}
{{- end }}
{{- range $name, $value := mergeOverwrite $config .Values.config }}
{{- $name }}: {{ include "ganglion.settingValue" $value }}
{{ end }}
{{- end }}

{{- /* A quoted string. JSON keeps numbers such as 268435456 as they are. */}}
{{- define "ganglion.settingValue" -}}
{{- if kindIs "string" . }}{{ . | quote }}{{ else }}{{ toJson . | quote }}{{ end }}
{{- end }}

{{- /* Names of the secrets of the API and the workers. */}}
{{- define "ganglion.appSecrets" -}}
{{- without (keys .Values.secrets | sortAlpha) "DATABASE_ADMIN_URL" | join "," }}
{{- end }}

{{- define "ganglion.image" -}}
{{- $tag := .tag | default .root.Chart.AppVersion }}
{{- .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ $tag }}{{ end }}
{{- end }}

{{- /* A pod spec with one container. Arguments:
       root, component, pool, build; command; resources; secrets: names of the mounted secrets;
       settings: names of inline settings, for hooks, which run before the ConfigMap exists. Default: the ConfigMap;
       env: more environment variables; container: more fields of the container, in YAML; image: overrides;
       job: true for pods that end. */}}
{{- define "ganglion.podSpec" -}}
{{- $values := .root.Values }}
{{- $config := mergeOverwrite (include "ganglion.config" .root | fromYaml) (.env | default dict) }}
{{- $secrets := list }}
{{- range .secrets }}
{{- if get $values.secrets . }}{{ $secrets = append $secrets . }}{{ end }}
{{- end }}
{{- if .job -}}
restartPolicy: Never
{{- else -}}
serviceAccountName: {{ $values.serviceAccount.name | default (include "ganglion.fullname" .root) }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with $values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if not .job }}
terminationGracePeriodSeconds: {{ add 10 $config.SHUTDOWN_SECONDS $config.SHUTDOWN_DELAY_SECONDS }}
topologySpreadConstraints:
  {{- $labels := include "ganglion.selectorLabels" . }}
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- $labels | nindent 8 }}
  {{- end }}
{{- end }}
containers:
  - name: {{ .component }}
    image: {{ include "ganglion.image" (merge (dict "root" .root) (.image | default dict) $values.image) }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    # The entry point of the image stays: it reaps orphaned processes.
    args: {{ toJson .command }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    {{- if not .settings }}
    envFrom:
      - configMapRef: { name: {{ include "ganglion.fullname" .root }} }
    {{- end }}
    env:
      {{- range .settings }}
      {{- if hasKey $config . }}
      - { name: {{ . }}, value: {{ get $config . | quote }} }
      {{- end }}
      {{- end }}
      {{- range $secrets }}
      {{- /* Certificate settings take a path. Other secrets have another setting for the path. */}}
      {{- $takesPath := has . (list "REDIS_TLS_CA" "TEMPORAL_TLS_CA" "TEMPORAL_TLS_CERT") }}
      - { name: {{ ternary . (printf "%s_FILE" .) $takesPath }}, value: /run/secrets/ganglion/{{ . }} }
      {{- end }}
      {{- range $name, $value := .env }}
      - { name: {{ $name }}, value: {{ include "ganglion.settingValue" $value }} }
      {{- end }}
      {{- with $values.extraEnv }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- with .container }}
    {{- . | nindent 4 }}
    {{- end }}
    resources:
      {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if $secrets }}
      - { name: secrets, mountPath: /run/secrets/ganglion, readOnly: true }
      {{- end }}
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: {{ $values.tmpSizeLimit }}
  {{- if $secrets }}
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $secrets }}
        {{- $secret := get $values.secrets . }}
        - secret:
            name: {{ $secret.existingSecret }}
            items: [{ key: {{ $secret.key | default . | quote }}, path: {{ . }} }]
        {{- end }}
  {{- end }}
{{- end }}

{{- /* Metadata of a pod. `checksum` restarts the pods when the settings change. */}}
{{- define "ganglion.podMetadata" -}}
labels:
  {{- include "ganglion.selectorLabels" . | nindent 2 }}
  {{- with .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  checksum/config: {{ include "ganglion.config" .root | sha256sum }}
  {{- with .root.Values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "ganglion.hookAnnotations" -}}
helm.sh/hook: {{ .hook }}
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}

{{- /* A hook Job. Arguments as in ganglion.podSpec, hook and weight. */}}
{{- define "ganglion.hookJob" -}}
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "ganglion.metadata" (merge (dict "suffix" .component) .) | nindent 2 }}
  annotations:
    {{- include "ganglion.hookAnnotations" . | nindent 4 }}
spec:
  backoffLimit: 3
  podFailurePolicy:
    rules:
      # ganglion-admin exits with 2 if a retry can't help.
      - action: FailJob
        onExitCodes: { operator: In, values: [2] }
  template:
    metadata:
      labels:
        {{- include "ganglion.labels" . | nindent 8 }}
    spec:
      {{- include "ganglion.podSpec" (merge (dict "job" true "resources" .root.Values.jobResources) .) | nindent 6 }}
{{- end }}
