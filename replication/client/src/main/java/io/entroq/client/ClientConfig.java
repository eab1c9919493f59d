package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.api.worker.Backoff;
import io.entroq.client.transport.Address;
import io.entroq.client.transport.ChannelConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The configuration of a client. Immutable; built by {@link #to}. */
public final class ClientConfig {
  private final ChannelConfig channels;
  private final int requestBytesMax;
  private final Supplier<String> authorization;
  private final Duration connectTimeout;
  private final Duration callTimeout;
  private final Duration claimInterval;
  private final Backoff backoff;
  private final String claimant;
  private final LongSupplier nanoClock;
  private final boolean isStreaming;
  private final Duration silence;
  private final Optional<String> asOf;

  private ClientConfig(Builder builder) {
    channels =
        new ChannelConfig(
            builder.addresses,
            builder.isTls,
            Optional.ofNullable(builder.certificateAuthority),
            Optional.ofNullable(builder.certificate),
            Optional.ofNullable(builder.key),
            builder.messageBytesMax,
            builder.keepAlive,
            builder.keepAliveTimeout);
    requestBytesMax = builder.requestBytesMax;
    authorization = builder.authorization;
    connectTimeout = builder.connectTimeout;
    callTimeout = builder.callTimeout;
    claimInterval = builder.claimInterval;
    backoff = builder.backoff;
    claimant = builder.claimant;
    nanoClock = builder.nanoClock;
    isStreaming = builder.isStreaming;
    silence = builder.silence;
    asOf = builder.asOf;
  }

  /**
   * Configures a client of one server or of the members of one cluster. With several addresses, the
   * client uses one at random and fails over to another.
   *
   * @param addresses each {@code host:port}, or several separated by commas; the default port is
   *     37706
   * @throws EntroQException.InvalidArgument if the list is empty, or an address is malformed or
   *     repeated
   */
  public static Builder to(String... addresses) {
    return to(Arrays.asList(addresses));
  }

  /** The same with a list. */
  public static Builder to(List<String> addresses) {
    List<Address> all = addresses.stream().flatMap(text -> Address.list(text).stream()).toList();
    Address.requireDistinct(all);
    return new Builder(all);
  }

  /** How to connect to servers. */
  public ChannelConfig channels() {
    return channels;
  }

  /** The longest request, in bytes. */
  public int requestBytesMax() {
    return requestBytesMax;
  }

  /** The {@code authorization} header, requested for each call; empty: none. */
  public Supplier<String> authorization() {
    return authorization;
  }

  /** The time for the first answer from a server. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** How long a request is retried, not counting the time that a claim waits. */
  public Duration callTimeout() {
    return callTimeout;
  }

  /** How often a waiting claim is resent. */
  public Duration claimInterval() {
    return claimInterval;
  }

  /** The pause before a retry. */
  public Backoff backoff() {
    return backoff;
  }

  /** The claimant of requests that do not name one; empty: a random name. */
  public String claimant() {
    return claimant;
  }

  /** Whether claims and modifies share a stream if the server supports streams. */
  public boolean isStreaming() {
    return isStreaming;
  }

  /**
   * With several servers: how long one may be silent while requests are open before a health check,
   * and the time to answer that check.
   */
  public Duration silence() {
    return silence;
  }

  /** The point of the history to show, as servers read it; empty: the present. */
  public Optional<String> asOf() {
    return asOf;
  }

  /** Measures the time between two samples of the server's clock. */
  LongSupplier nanoClock() {
    return nanoClock;
  }

  /** Builds a configuration. Not thread-safe. */
  public static final class Builder {
    private final List<Address> addresses;
    private boolean isTls;
    private Path certificateAuthority;
    private Path certificate;
    private Path key;
    private int messageBytesMax = 64 << 20;
    private int requestBytesMax = 10 << 20;
    private Duration keepAlive = Duration.ofSeconds(30);
    private Duration keepAliveTimeout = Duration.ofSeconds(10);
    private Supplier<String> authorization = () -> "";
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration callTimeout = Duration.ofSeconds(30);
    private Duration claimInterval = Duration.ofMinutes(2);
    private Backoff backoff = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(2), 0.5);
    private String claimant = "";
    private LongSupplier nanoClock = System::nanoTime;
    private boolean isStreaming = true;
    private Duration silence = Duration.ofSeconds(2);
    private Optional<String> asOf = Optional.empty();

    private Builder(List<Address> addresses) {
      if (addresses.isEmpty()) {
        throw new EntroQException.InvalidArgument("there is no address to connect to");
      }
      this.addresses = new ArrayList<>(addresses);
    }

    /** Uses TLS. The JVM must trust the server's certificate. */
    public Builder tls() {
      isTls = true;
      return this;
    }

    /** Uses TLS. A CA of this PEM file must have signed the server's certificate. */
    public Builder tls(Path newCertificateAuthority) {
      certificateAuthority = newCertificateAuthority;
      return tls();
    }

    /** Uses TLS with a client certificate; PEM files. */
    public Builder clientCertificate(Path newCertificate, Path newKey) {
      certificate = newCertificate;
      key = newKey;
      return tls();
    }

    /** Sends a bearer token with each request. */
    public Builder token(String token) {
      return token(() -> token);
    }

    /**
     * Like {@link #token(String)}, for a token that changes. Called for each request; must be
     * quick. If it throws, the request is not sent and fails as if the server had refused it, with
     * {@link EntroQException.PermissionDenied}.
     */
    public Builder token(Supplier<String> token) {
      authorization = () -> "Bearer " + token.get();
      return this;
    }

    /** The longest response, in bytes; 64 MiB by default. */
    public Builder messageBytesMax(int bytes) {
      messageBytesMax = bytes;
      return this;
    }

    /** The longest request, in bytes; 10 MiB by default, the default limit of servers. */
    public Builder requestBytesMax(int bytes) {
      requestBytesMax = bytes;
      return this;
    }

    /**
     * Idle time before a keep-alive ping on a connection with open requests, and the time to answer
     * it; 30 and 10 seconds by default. Servers close connections that ping more often than every
     * 10 seconds.
     */
    public Builder keepAlive(Duration after, Duration timeout) {
      keepAlive = positive("keepAlive", after);
      keepAliveTimeout = positive("keepAliveTimeout", timeout);
      return this;
    }

    /**
     * How long {@link EntroQClient#connect} waits for the first answer from a server; 10 seconds by
     * default.
     */
    public Builder connectTimeout(Duration timeout) {
      connectTimeout = positive("connectTimeout", timeout);
      return this;
    }

    /**
     * How long a request is retried; 30 seconds by default. For a waiting claim: how long the
     * server may be unreachable.
     */
    public Builder callTimeout(Duration timeout) {
      callTimeout = positive("callTimeout", timeout);
      return this;
    }

    /** How often a waiting claim is resent; every 2 minutes by default. */
    public Builder claimInterval(Duration interval) {
      claimInterval = positive("claimInterval", interval);
      return this;
    }

    /** The pause before a retry; 20 ms to 2 s by default. */
    public Builder backoff(Backoff newBackoff) {
      backoff = newBackoff;
      return this;
    }

    /** The claimant of requests that do not name one; by default a random name. */
    public Builder claimant(String newClaimant) {
      claimant = newClaimant;
      return this;
    }

    /**
     * Measures the time between two samples of the server's clock, in nanoseconds. For tests with a
     * manual clock.
     */
    public Builder nanoClock(LongSupplier clock) {
      nanoClock = clock;
      return this;
    }

    /**
     * Whether claims and modifies share a stream if the server supports streams; true by default.
     * Otherwise each is a call, which costs more but is visible to intermediaries. If streams are
     * blocked, requests go as calls and a stream is tried again once a minute. Authorization is
     * checked when a stream opens; a changed token opens a new stream, at most once a second.
     */
    public Builder streaming(boolean newStreaming) {
      isStreaming = newStreaming;
      return this;
    }

    /**
     * With several servers: how long one may be silent while requests are open before a health
     * check, and the time to answer that check; 2 seconds by default. Then the client fails over.
     */
    public Builder silence(Duration newSilence) {
      silence = positive("silence", newSilence);
      return this;
    }

    /**
     * Shows the queue as it was right after a record; by default, as it is. All reads are as of
     * then; claims and changes are refused with {@link EntroQException.PermissionDenied}. The first
     * read may take seconds. A point that the server does not keep is refused with {@link
     * EntroQException.OutOfRange}, and a server that does not know points with {@link
     * EntroQException.InvalidArgument}.
     *
     * @param sequence of the record, from 1
     */
    public Builder asOf(long sequence) {
      if (sequence < 1) {
        throw new EntroQException.InvalidArgument("asOf must be at least 1, is " + sequence);
      }
      asOf = Optional.of(Long.toString(sequence));
      return this;
    }

    /** The same after the last record until a time, and with what was due by then. */
    public Builder asOf(Instant time) {
      asOf = Optional.of(time.toString());
      return this;
    }

    /** Builds the configuration. */
    public ClientConfig build() {
      return new ClientConfig(this);
    }

    private static Duration positive(String name, Duration duration) {
      if (duration.isZero() || duration.isNegative()) {
        throw new EntroQException.InvalidArgument(name + " must be above zero, is " + duration);
      }
      return duration;
    }
  }
}
