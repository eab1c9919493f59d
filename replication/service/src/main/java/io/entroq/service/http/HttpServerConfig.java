package io.entroq.service.http;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.ReadTimeout;
import java.time.Duration;
import java.util.Optional;

/**
 * What a server of HTTP is told.
 *
 * @param host the address to listen on; empty: all
 * @param port 0: any that is free
 * @param tls empty: none
 * @param messageBytesMax how long the body of a request may be, unpacked, in bytes
 * @param headerBytesMax how long its headers may be, in bytes
 * @param callBytesMax how long all bodies may be that are in memory at a time, of requests and of
 *     answers that list things, in bytes
 * @param connectionsMax how many there may be at a time; one more is cut at once
 * @param idleMax after which time a connection is closed on which nothing is asked
 * @param stallMax how long a request may take to come in, and how long its reader may take nothing
 *     of the answer
 * @param claimWait after which time a claim that waits is answered without a task
 * @param flatErrors whether all errors of the service are 500 without details, as with EntroQ's own
 *     server
 * @param health how what it stands on is; empty: as it answers
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

  /** A server on a port, and more to be said of it. */
  public static Builder builder(int port) {
    return new Builder(port);
  }

  /** What is not said is the default. */
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
