package io.entroq.service.http;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.ReadTimeout;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of an HTTP server.
 *
 * @param host the address to listen on; empty for all
 * @param port 0 for any free port
 * @param tls empty for no TLS
 * @param messageBytesMax bytes of the body of a request, uncompressed
 * @param headerBytesMax bytes of the headers of a request
 * @param callBytesMax bytes of all request and response bodies in memory
 * @param connectionsMax open connections; further ones are closed at once
 * @param idleMax how long a connection may be without a request
 * @param stallMax how long a request may take to arrive, and a response may go unread
 * @param claimHeartbeat how often a caller whose claim waits gets a blank, and a quiet feed a
 *     comment, so that proxies keep the connection; 0 for never
 * @param health of the server's dependencies; empty if it depends only on the engine
 * @param uploads what takes documents, by path
 * @param sites what serves everything at and below a path, by that path, without a slash at its end
 * @param hasApi whether the v1 API is served, besides pages and sites
 */
public record HttpServerConfig(
    Optional<String> host,
    int port,
    Optional<HttpTls> tls,
    int messageBytesMax,
    int headerBytesMax,
    long callBytesMax,
    int connectionsMax,
    Duration idleMax,
    Duration stallMax,
    Duration claimHeartbeat,
    Optional<Health> health,
    Map<String, UploadTarget> uploads,
    Map<String, Site> sites,
    boolean hasApi) {
  /** The default port of clients and of metrics scrapers, contract 1.1. */
  public static final int PORT_DEFAULT = 9_100;

  /** Half of the shortest limit that is common among proxies. */
  private static final Duration CLAIM_HEARTBEAT_DEFAULT = Duration.ofSeconds(15);

  /** Defaults for everything but the port. */
  public static HttpServerConfig on(int port) {
    return builder(port).build();
  }

  public static Builder builder(int port) {
    return new Builder(port);
  }

  /** Every option has a default; see {@link HttpServerConfig}. */
  public static final class Builder {
    private final int port;
    private Optional<String> host = Optional.empty();
    private Optional<HttpTls> tls = Optional.empty();
    private int messageBytesMax = Limit.MESSAGE_BYTES.standard();
    private int headerBytesMax = Limit.HEADER_BYTES.standard();
    private long callBytesMax = Runtime.getRuntime().maxMemory() / 8;
    private int connectionsMax = Limit.CONNECTIONS.standard();
    private Duration idleMax = Duration.ofMillis(Limit.HTTP_IDLE.standard());
    private Duration stallMax = ReadTimeout.STALL_MAX_DEFAULT;
    private Duration claimHeartbeat = CLAIM_HEARTBEAT_DEFAULT;
    private Optional<Health> health = Optional.empty();
    private final Map<String, UploadTarget> uploads = new HashMap<>();
    private final Map<String, Site> sites = new HashMap<>();
    private boolean hasApi = true;

    private Builder(int port) {
      this.port = port;
    }

    public Builder host(String address) {
      host = Optional.of(address);
      return this;
    }

    public Builder tls(HttpTls value) {
      tls = Optional.of(value);
      return this;
    }

    public Builder messageBytesMax(int value) {
      messageBytesMax = value;
      return this;
    }

    public Builder headerBytesMax(int value) {
      headerBytesMax = value;
      return this;
    }

    public Builder callBytesMax(long value) {
      callBytesMax = value;
      return this;
    }

    public Builder connectionsMax(int value) {
      connectionsMax = value;
      return this;
    }

    public Builder idleMax(Duration value) {
      idleMax = value;
      return this;
    }

    public Builder stallMax(Duration value) {
      stallMax = value;
      return this;
    }

    public Builder claimHeartbeat(Duration value) {
      claimHeartbeat = value;
      return this;
    }

    public Builder health(Health value) {
      health = Optional.of(value);
      return this;
    }

    /** Accepts documents at a path. */
    public Builder upload(String path, UploadTarget target) {
      uploads.put(path, target);
      return this;
    }

    /**
     * Serves everything at a path, and below it, from a site.
     *
     * @param path begins with a slash and does not end with one
     */
    public Builder site(String path, Site site) {
      sites.put(path, site);
      return this;
    }

    /** Serves pages and sites alone. */
    public Builder withoutApi() {
      hasApi = false;
      return this;
    }

    public HttpServerConfig build() {
      return new HttpServerConfig(
          host,
          port,
          tls,
          messageBytesMax,
          headerBytesMax,
          callBytesMax,
          connectionsMax,
          idleMax,
          stallMax,
          claimHeartbeat,
          health,
          Map.copyOf(uploads),
          Map.copyOf(sites),
          hasApi);
    }
  }
}
