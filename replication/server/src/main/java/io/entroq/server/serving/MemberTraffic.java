package io.entroq.server.serving;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What protects the UDP traffic between members: the weakest of what the paths to their addresses
 * have. It is judged from addresses and interfaces alone; nothing is sent.
 */
final class MemberTraffic {
  /** What this machine's network says. */
  interface Network {
    /** All addresses of a host; empty if it is not known now. */
    List<InetAddress> addresses(String host);

    /** The WireGuard interface by which an address is reached, this machine's own too. */
    Optional<String> wireGuard(InetAddress address);
  }

  /** From the best to the worst. */
  private enum Protection {
    LOOPBACK,
    WIREGUARD,
    PRIVATE,
    UNKNOWN,
    PUBLIC
  }

  /**
   * The path to one address of a member.
   *
   * @param what the address for people, or the interface
   */
  private record Path(Protection protection, String what) {}

  private final Network network;
  private final List<Path> paths = new ArrayList<>();

  private MemberTraffic(Network network) {
    this.network = network;
  }

  /**
   * Looks at the paths to all members, this one included.
   *
   * @param hosts names or addresses, IPv6 addresses in brackets
   */
  static MemberTraffic between(List<String> hosts, Network network) {
    MemberTraffic traffic = new MemberTraffic(network);
    hosts.stream().distinct().forEach(traffic::look);
    return traffic;
  }

  private void look(String host) {
    List<InetAddress> addresses = network.addresses(host);
    if (addresses.isEmpty()) {
      paths.add(new Path(Protection.UNKNOWN, host + " has no address now"));
    }
    for (InetAddress address : addresses) {
      paths.add(path(host, address));
    }
  }

  private Path path(String host, InetAddress address) {
    String text = address.getHostAddress();
    String what = host.contains(text) ? host : host + " (" + text + ")";
    if (address.isLoopbackAddress()) {
      return new Path(Protection.LOOPBACK, what);
    }
    return network
        .wireGuard(address)
        .map(name -> new Path(Protection.WIREGUARD, name))
        .orElseGet(
            () -> new Path(isPrivate(address) ? Protection.PRIVATE : Protection.PUBLIC, what));
  }

  /** Private and link-local addresses of both kinds, and those that carriers share. */
  private static boolean isPrivate(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean isShared =
        address instanceof Inet4Address && bytes[0] == 100 && (bytes[1] & 0xc0) == 0x40;
    boolean isUniqueLocal = !(address instanceof Inet4Address) && (bytes[0] & 0xfe) == 0xfc;
    return address.isSiteLocalAddress()
        || address.isLinkLocalAddress()
        || isShared
        || isUniqueLocal;
  }

  /** Why the member should not start; empty if it may. */
  Optional<String> objection() {
    return worst() == Protection.PUBLIC
        ? Optional.of(
            "public addresses without WireGuard: %s. Traffic between members is not encrypted, and"
                    .formatted(whatIs(Protection.PUBLIC))
                + " whoever can send to their ports can change what they store")
        : Optional.empty();
  }

  boolean isEncryptedOrLocal() {
    return worst().compareTo(Protection.WIREGUARD) <= 0;
  }

  /** In one line, for people. */
  String describe(boolean hasSecret) {
    String protection =
        switch (worst()) {
          case LOOPBACK -> "loopback";
          case WIREGUARD -> "WireGuard " + whatIs(Protection.WIREGUARD);
          case PRIVATE -> "private network, not encrypted";
          case UNKNOWN -> "not known to be encrypted: " + whatIs(Protection.UNKNOWN);
          case PUBLIC -> "public network, not encrypted: " + whatIs(Protection.PUBLIC);
        };
    return "members' traffic: %s, %s".formatted(protection, hasSecret ? "secret set" : "no secret");
  }

  private Protection worst() {
    return paths.stream()
        .map(Path::protection)
        .max(Comparator.naturalOrder())
        .orElse(Protection.UNKNOWN);
  }

  private String whatIs(Protection protection) {
    return paths.stream()
        .filter(path -> path.protection == protection)
        .map(Path::what)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(", "));
  }
}
