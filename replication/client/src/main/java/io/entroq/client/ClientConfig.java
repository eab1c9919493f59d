package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.api.worker.Backoff;
import io.entroq.client.transport.Address;
import io.entroq.client.transport.ChannelConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How a client is set up. Immutable; made by {@dispatcher #to}. */
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
  }

  /**
   * Begins the set-up of a client of one server, or of several that are members of one cluster: it
   * asks one of them, at random, until that cannot answer, and then another.
   *
   * @param addresses each {@code host:port}, or several of them with commas in between; without a
   *     port it is 37706
   * @throws EntroQException.InvalidArgument if there is none, or one is none, or is there twice
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

  /** How servers are connected to. */
  public ChannelConfig channels() {
    return channels;
  }

  /** How long a request may be, in bytes. */
  public int requestBytesMax() {
    return requestBytesMax;
  }

  /** What stands in the header {@code authorization}; asked for each request; empty: nothing. */
  public Supplier<String> authorization() {
    return authorization;
  }

  /** How long a server has to answer for the first time. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** How long a request is tried for; claims that wait leave out the time in which they do. */
  public Duration callTimeout() {
    return callTimeout;
  }

  /** How often a claim that waits is sent anew. */
  public Duration claimInterval() {
    return claimInterval;
  }

  /** How long to wait before a request is sent again. */
  public Backoff backoff() {
    return backoff;
  }

  /** Who asks where requests do not say; empty: a name of the client's own. */
  public String claimant() {
    return claimant;
  }

  /** Whether claims and modifies share a stream, if the server has streams. */
  public boolean isStreaming() {
    return isStreaming;
  }

  /**
   * How long one of several servers may be silent with something open before it is asked whether it
   * is there, and how long it has to say so.
   */
  public Duration silence() {
    return silence;
  }

  /** What the time between two looks at the server's clock is measured by. */
  LongSupplier nanoClock() {
    return nanoClock;
  }

  /** Gathers a set-up. For one thread. */
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

    private Builder(List<Address> addresses) {
      if (addresses.isEmpty()) {
        throw new EntroQException.InvalidArgument("there is no address to connect to");
      }
      this.addresses = new ArrayList<>(addresses);
    }

    /** Encrypts connections; the server must have a certificate that the JVM trusts. */
    public Builder tls() {
      isTls = true;
      return this;
    }

    /** Encrypts connections; the server must have a certificate that one of a PEM file signed. */
    public Builder tls(Path newCertificateAuthority) {
      certificateAuthority = newCertificateAuthority;
      return tls();
    }

    /** Encrypts connections, and shows servers a certificate of the client's own; PEM files. */
    public Builder clientCertificate(Path newCertificate, Path newKey) {
      certificate = newCertificate;
      key = newKey;
      return tls();
    }

    /** Sends {@code Bearer} and a token with each request. */
    public Builder token(String token) {
      return token(() -> token);
    }

    /** The same with a token that may change; called for each request, so it must be quick. */
    public Builder token(Supplier<String> token) {
      authorization = () -> "Bearer " + token.get();
      return this;
    }

    /** How long an answer may be, in bytes: 64 MiB by default. */
    public Builder messageBytesMax(int bytes) {
      messageBytesMax = bytes;
      return this;
    }

    /**
     * How long a request may be, in bytes: 10 MiB by default, which is what servers take if they
     * are not told otherwise.
     */
    public Builder requestBytesMax(int bytes) {
      requestBytesMax = bytes;
      return this;
    }

    /**
     * After how long a silent connection with something under way is asked whether it is there, and
     * how long it has to answer: 30 and 10 seconds by default. Servers take offence at less than
     * 10.
     */
    public Builder keepAlive(Duration after, Duration timeout) {
      keepAlive = positive("keepAlive", after);
      keepAliveTimeout = positive("keepAliveTimeout", timeout);
      return this;
    }

    /** How long a server has to answer for the first time: 10 seconds by default. */
    public Builder connectTimeout(Duration timeout) {
      connectTimeout = positive("connectTimeout", timeout);
      return this;
    }

    /**
     * How long a request is tried for, over as many connections as it takes: 30 seconds by default.
     * For a claim that waits: how long a server may be away.
     */
    public Builder callTimeout(Duration timeout) {
      callTimeout = positive("callTimeout", timeout);
      return this;
    }

    /** How often a claim that waits is sent anew: every 2 minutes by default. */
    public Builder claimInterval(Duration interval) {
      claimInterval = positive("claimInterval", interval);
      return this;
    }

    /** How long to wait before a request is sent again: 20 ms to 2 s by default. */
    public Builder backoff(Backoff newBackoff) {
      backoff = newBackoff;
      return this;
    }

    /** Who asks where requests do not say; by default a random name. */
    public Builder claimant(String newClaimant) {
      claimant = newClaimant;
      return this;
    }

    /**
     * What the time between two looks at the server's clock is measured by, in nanoseconds. For
     * tests whose servers have clocks of their own.
     */
    public Builder nanoClock(LongSupplier clock) {
      nanoClock = clock;
      return this;
    }

    /**
     * Whether claims and modifies share a stream, if the server has streams; by default they do.
     * Else each is a call of its own, which costs more, and which an intermediary can tell from
     * others. Where no stream is let through they go as calls anyway, and once a minute a stream is
     * tried again. What a token lets in is decided when a stream opens; another token opens another
     * stream, once a second at most.
     */
    public Builder streaming(boolean newStreaming) {
      isStreaming = newStreaming;
      return this;
    }

    /**
     * How long one of several servers may be silent with something open before it is asked whether
     * it is there, and how long it has to say so: 2 seconds by default. Then another one is asked.
     */
    public Builder silence(Duration newSilence) {
      silence = positive("silence", newSilence);
      return this;
    }

    /** What was gathered. */
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
