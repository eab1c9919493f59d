{{/* The name of everything in a release. The longest pod name is a label, so 63 with "-members-0" at the most. */}}
{{- define "entroq.name" -}}
{{- if contains "entroq" .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-entroq" .Release.Name }}{{ end -}}
{{- end }}

{{- define "entroq.image" -}}
{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}

{{- define "entroq.selectorLabels" -}}
app.kubernetes.io/name: entroq
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "entroq.labels" -}}
{{ include "entroq.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* The name of a member's pod in DNS; called with the root and the id. */}}
{{- define "entroq.host" -}}
{{- $root := index . 0 -}}
{{- $name := include "entroq.name" $root -}}
{{ printf "%s-%d.%s-members.%s.svc.%s" $name (index . 1 | int) $name $root.Release.Namespace $root.Values.clusterDomain }}
{{- end }}

{{/* All members, as --members. The same for all, in the same order, at every start. */}}
{{- define "entroq.members" -}}
{{- $all := list -}}
{{- range $id := until (int .Values.replicas) -}}
{{- $all = append $all (printf "%s:%d" (include "entroq.host" (list $ $id)) (int $.Values.members.port)) -}}
{{- end -}}
{{ join "," $all }}
{{- end }}

{{- define "entroq.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "entroq.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* A pod that is started anew has another address. Java would remember the old one for 30 s. */}}
{{- define "entroq.javaOptions" -}}
-Xmx{{ .Values.java.maxHeap }} -XX:MaxDirectMemorySize={{ .Values.java.maxDirectMemory }} -Djava.io.tmpdir=/tmp -Dsun.net.inetaddr.ttl=5{{ with .Values.java.options }} {{ . }}{{ end }}
{{- end }}

{{/* Volumes and mounts of members and of the job that replaces one. */}}
{{- define "entroq.mounts" -}}
- {name: data, mountPath: /data}
- {name: shm, mountPath: /dev/shm}
- {name: tmp, mountPath: /tmp}
{{- if .Values.members.existingSecret }}
- {name: members-secret, mountPath: /etc/entroq/members, readOnly: true}
{{- end }}
{{- if .Values.tls.existingSecret }}
- {name: tls, mountPath: /etc/entroq/tls, readOnly: true}
{{- end }}
{{- end }}

{{- define "entroq.volumes" -}}
- name: shm
  emptyDir: {medium: Memory, sizeLimit: {{ .Values.sharedMemory }}}
- name: tmp
  emptyDir: {sizeLimit: 64Mi}
{{- with .Values.members.existingSecret }}
- name: members-secret
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with .Values.tls.existingSecret }}
- name: tls
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end }}

{{/* A probe that asks a page; called with the root, the page and the flag of `entroq health`. */}}
{{- define "entroq.probe" -}}
{{- $root := index . 0 -}}
{{- if $root.Values.tls.clientCertificates -}}
# The kubelet has no certificate that the members accept.
exec:
  command: [sh, -c, "JDK_JAVA_OPTIONS=-Xmx32m exec entroq health{{ index . 2 }}"]
{{- else -}}
httpGet:
  path: {{ index . 1 }}
  port: http
  {{- if $root.Values.tls.existingSecret }}
  scheme: HTTPS
  {{- end }}
{{- end }}
{{- end }}

{{/* Arguments of commands that call members. */}}
{{- define "entroq.tlsArgs" -}}
{{- if .Values.tls.existingSecret -}}
- --tls-ca=/etc/entroq/tls/ca.crt
{{- if .Values.tls.clientCertificates }}
- --tls-cert=/etc/entroq/tls/tls.crt
- --tls-key=/etc/entroq/tls/tls.key
{{- end }}
{{- end }}
{{- end }}
