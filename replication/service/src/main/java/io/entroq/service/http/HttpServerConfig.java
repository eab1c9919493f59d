package io.entroq.service.http;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.ReadTimeout;
import java.time.Duration;
import java.util.Optional;

/**
 * The configuration of an HTTP server.
 *
 * @param host the address to listen on; empty: all
 * @param port 0: any free port
 * @param tls empty: no TLS
 * @param messageBytesMax bytes of the body of a request, uncompressed
 * @param headerBytesMax bytes of the headers of a request
 * @param callBytesMax bytes of all bodies in memory, of requests and of listings
 * @param connectionsMax open connections; one more is closed at once
 * @param idleMax how long a connection may be without a request
 * @param stallMax how long a request may take to arrive, and how long a reader may read nothing
 * @param claimWait after which a waiting claim is answered without a task
 * @param flatErrors whether all errors are 500 without details, as of EntroQ's own server
 * @param health of what the server depends on; empty: whether the engine answers
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
    Duration claimWait,
    boolean flatErrors,
    Optional<Health> health) {
  /** The port that clients go to, and who collects metrics, contract 1.1. */
  public static final int PORT_DEFAULT = 9_100;

  /** A server on a port, with defaults for the rest. */
  public static HttpServerConfig on(int port) {
    return builder(port).build();
  }

  /** A builder for a server on a port. */
  public static Builder builder(int port) {
    return new Builder(port);
  }

  /** Builds a configuration; everything has a default. */
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
    private Duration claimWait = Duration.ofMinutes(1);
    private boolean flatErrors;
    private Optional<Health> health = Optional.empty();

    private Builder(int port) {
      this.port = port;
    }

    /** See {@link HttpServerConfig#host}. */
    public Builder host(String address) {
      host = Optional.of(address);
      return this;
    }

    /** See {@link HttpServerConfig#tls}. */
    public Builder tls(HttpTls value) {
      tls = Optional.of(value);
      return this;
    }

    /** See {@link HttpServerConfig#messageBytesMax}. */
    public Builder messageBytesMax(int value) {
      messageBytesMax = value;
      return this;
    }

    /** See {@link HttpServerConfig#headerBytesMax}. */
    public Builder headerBytesMax(int value) {
      headerBytesMax = value;
      return this;
    }

    /** See {@link HttpServerConfig#callBytesMax}. */
    public Builder callBytesMax(long value) {
      callBytesMax = value;
      return this;
    }

    /** See {@link HttpServerConfig#connectionsMax}. */
    public Builder connectionsMax(int value) {
      connectionsMax = value;
      return this;
    }

    /** See {@link HttpServerConfig#idleMax}. */
    public Builder idleMax(Duration value) {
      idleMax = value;
      return this;
    }

    /** See {@link HttpServerConfig#stallMax}. */
    public Builder stallMax(Duration value) {
      stallMax = value;
      return this;
    }

    /** See {@link HttpServerConfig#claimWait}. */
    public Builder claimWait(Duration value) {
      claimWait = value;
      return this;
    }

    /** See {@link HttpServerConfig#flatErrors}. */
    public Builder flatErrors(boolean value) {
      flatErrors = value;
      return this;
    }

    /** See {@link HttpServerConfig#health}. */
    public Builder health(Health value) {
      health = Optional.of(value);
      return this;
    }

    /** The config. */
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
          claimWait,
          flatErrors,
          health);
    }
  }
}
