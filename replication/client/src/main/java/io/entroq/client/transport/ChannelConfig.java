package io.entroq.client.transport;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How to connect to servers.
 *
 * @param addresses of one server, or of the members of one cluster
 * @param isTls whether connections are encrypted
 * @param certificateAuthority PEM file of the CAs for servers' certificates; empty: the JVM's CAs
 * @param certificate PEM file of the client's certificates; empty: none
 * @param key PEM file of the client's private key; empty: none
 * @param messageBytesMax longest response, in bytes
 * @param keepAlive idle time before a keep-alive ping on a connection with open requests
 * @param keepAliveTimeout time to answer the ping
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
  public ChannelConfig {
    addresses = List.copyOf(addresses);
  }

  /** The addresses, separated by commas. */
  public String addressText() {
    return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
  }
}
