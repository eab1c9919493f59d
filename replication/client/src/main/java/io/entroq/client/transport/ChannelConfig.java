package io.entroq.client.transport;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How servers are connected to.
 *
 * @param addresses of servers that are members of one queue; at least one
 * @param isTls whether connections are encrypted
 * @param certificateAuthority a file of certificates in PEM that servers' certificates are checked
 *     by; empty: those that the JVM trusts
 * @param certificate a file of the client's own certificates in PEM; empty: none
 * @param key a file of the key to it in PEM; empty: none
 * @param messageBytesMax how long an answer may be, in bytes
 * @param keepAlive after which a silent connection with something under way is asked whether it is
 *     there
 * @param keepAliveTimeout how long it has for an answer to that
 */
public record ChannelConfig(
    List<Address> addresses,
    boolean isTls,
    Optional<Path> certificateAuthority,
    Optional<Path> certificate,
    Optional<Path> key,
    int messageBytesMax,
    Duration keepAlive,
    Duration keepAliveTimeout) {
  /** Copies the list. */
  public ChannelConfig {
    addresses = List.copyOf(addresses);
  }

  /** The addresses, for people. */
  public String where() {
    return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
  }
}
