package io.entroq.workers;

import io.entroq.api.EntroQException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Where {@link HttpRequestHandler} may send requests. Immutable.
 *
 * <p>A URL must be of scheme http or https, without a user, and of an allowed host and port. Each
 * address of the host must be on the public internet, or in an allowed range: without one, no
 * request reaches this machine, a private network, or the metadata of a cloud machine.
 *
 * <p>A host is looked up before the connection is made, and the JVM keeps the answer, by default
 * for 30 seconds, so the connection goes to an address that was checked. With the security property
 * {@code networkaddress.cache.ttl=0} the name is looked up twice: an allowed host whose owner means
 * harm could then change its address in between.
 */
public final class Destinations {
  private final List<HostPattern> hosts;
  private final List<AddressRange> ranges;
  private final Lookup lookup;

  /** Finds the addresses of a host. */
  @FunctionalInterface
  interface Lookup {
    /** All of them, at least one. */
    InetAddress[] of(String host) throws UnknownHostException;
  }

  private Destinations(List<HostPattern> hosts, List<AddressRange> ranges, Lookup lookup) {
    this.hosts = hosts;
    this.ranges = ranges;
    this.lookup = lookup;
  }

  /**
   * Allows hosts.
   *
   * @param patterns at least one: {@code api.example.com} for the ports 80 of http and 443 of
   *     https, {@code api.example.com:8443}, {@code *.example.com} for all names below it, {@code
   *     *} for all
   * @throws EntroQException.InvalidArgument if there is none, or one is malformed
   */
  public static Destinations hosts(String... patterns) {
    return hosts(List.of(patterns));
  }

  /** The same. */
  public static Destinations hosts(Collection<String> patterns) {
    if (patterns.isEmpty()) {
      throw new EntroQException.InvalidArgument("no host is allowed; name at least one");
    }
    return new Destinations(
        patterns.stream().map(HostPattern::parse).toList(), List.of(), InetAddress::getAllByName);
  }

  /**
   * Allows addresses that are not public, such as {@code 10.0.0.0/8} or {@code 127.0.0.1}, for the
   * allowed hosts.
   *
   * @throws EntroQException.InvalidArgument if one is malformed
   */
  public Destinations withRanges(Collection<String> texts) {
    List<AddressRange> all = new ArrayList<>(ranges);
    texts.forEach(text -> all.add(AddressRange.parse(text)));
    return new Destinations(hosts, List.copyOf(all), lookup);
  }

  /** The same with another lookup. For tests. */
  Destinations withLookup(Lookup newLookup) {
    return new Destinations(hosts, ranges, newLookup);
  }

  /**
   * Checks where a request would go.
   *
   * @throws RefusedException if it may not go there
   * @throws IOException if the host is not known
   */
  void check(URI uri) throws IOException {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new RefusedException("the URL must begin with http:// or https://");
    }
    if (uri.getHost() == null) {
      throw new RefusedException("the URL has no valid host");
    }
    if (uri.getRawUserInfo() != null) {
      throw new RefusedException("the URL must have no user");
    }
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    int defaultPort = scheme.equals("http") ? 80 : 443;
    int port = uri.getPort() < 0 ? defaultPort : uri.getPort();
    if (hosts.stream().noneMatch(pattern -> pattern.matches(host, port, port == defaultPort))) {
      throw new RefusedException("%s:%d is not an allowed host".formatted(host, port));
    }
    for (InetAddress address : lookup.of(host)) {
      if (!AddressRange.isPublic(address)
          && ranges.stream().noneMatch(range -> range.contains(address))) {
        throw new RefusedException(
            "%s has the address %s, which is not public and not in an allowed range"
                .formatted(host, address.getHostAddress()));
      }
    }
  }

  /** A request may not go where it should. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }
}
