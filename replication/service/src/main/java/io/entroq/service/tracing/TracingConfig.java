package io.entroq.service.tracing;

import java.net.URI;
import java.util.Locale;
import java.util.Map;

/**
 * Where traces go.
 *
 * @param endpoint of an OTLP/HTTP collector, without the path; empty for no traces
 * @param service this server's name in traces
 */
public record TracingConfig(String endpoint, String service) {
  public static final String SERVICE_DEFAULT = "entroq";

  public static final TracingConfig OFF = new TracingConfig("", SERVICE_DEFAULT);

  private static final String PATH = "/v1/traces";

  public TracingConfig {
    if (!endpoint.isEmpty()) {
      URI uri = URI.create(endpoint);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (!(scheme.equals("http") || scheme.equals("https")) || uri.getHost() == null) {
        throw new IllegalArgumentException(
            "endpoint for traces: must be http://HOST:PORT or https://HOST:PORT: " + endpoint);
      }
    }
  }

  /** Reads the standard OpenTelemetry variables. */
  public static TracingConfig of(Map<String, String> environment) {
    return new TracingConfig(
        environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", ""),
        environment.getOrDefault("OTEL_SERVICE_NAME", SERVICE_DEFAULT));
  }

  /** Whether there is a collector. */
  public boolean isOn() {
    return !endpoint.isEmpty();
  }

  String url() {
    return (endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint)
        + PATH;
  }
}
