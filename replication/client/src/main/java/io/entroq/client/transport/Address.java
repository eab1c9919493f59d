package io.entroq.client.transport;

import io.entroq.api.EntroQException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The address of a server.
 *
 * @param host a name, an IPv4 address, or an IPv6 address in brackets
 * @param port from 1 to 65,535
 */
public record Address(String host, int port) {
  /** The default port of servers. */
  public static final int PORT_DEFAULT = 37_706;

  private static final String HOST_DEFAULT = "localhost";
  private static final int PORT_MAX = 65_535;

  /**
   * Checks the port.
   *
   * @throws EntroQException.InvalidArgument if the port is out of range
   */
  public Address {
    if (port < 1 || port > PORT_MAX) {
      throw new EntroQException.InvalidArgument("port must be from 1 to 65535, is " + port);
    }
  }

  /**
   * Parses {@code host:port}. The default host is localhost, the default port 37706.
   *
   * @throws EntroQException.InvalidArgument if the format is wrong
   */
  public static Address of(String text) {
    int colon = text.lastIndexOf(':');
    boolean isAllHost = colon < 0 || text.endsWith("]");
    String host = isAllHost ? text : text.substring(0, colon);
    boolean isBare = host.indexOf(':') >= 0 && !(host.startsWith("[") && host.endsWith("]"));
    if (isBare || host.contains("/") || host.contains(" ")) {
      throw invalid(text, null);
    }
    try {
      int port = isAllHost ? PORT_DEFAULT : Integer.parseInt(text.substring(colon + 1));
      return new Address(host.isEmpty() ? HOST_DEFAULT : host, port);
    } catch (NumberFormatException e) {
      throw invalid(text, e);
    }
  }

  /**
   * Parses a comma-separated list of {@code host:port}. Spaces around the addresses are allowed.
   *
   * @throws EntroQException.InvalidArgument if an address is malformed or repeated
   */
  public static List<Address> list(String text) {
    List<Address> addresses = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      if (one.isBlank()) {
        throw new EntroQException.InvalidArgument(
            "addresses must be HOST:PORT,..., but one is empty in \"" + text + "\"");
      }
      addresses.add(of(one.strip()));
    }
    requireDistinct(addresses);
    return addresses;
  }

  /**
   * Refuses a list with a repeated address, which is most likely a mistake.
   *
   * @throws EntroQException.InvalidArgument if an address is repeated
   */
  public static void requireDistinct(List<Address> addresses) {
    Set<String> seen = new HashSet<>();
    for (Address address : addresses) {
      if (!seen.add(address.toString().toLowerCase(Locale.ROOT))) {
        throw new EntroQException.InvalidArgument(
            "address " + address + " is repeated; name each member of the cluster once");
      }
    }
  }

  private static EntroQException.InvalidArgument invalid(String text, Throwable cause) {
    return new EntroQException.InvalidArgument(
        "address must be HOST:PORT, is \"" + text + "\"", cause);
  }

  /** The address in gRPC's format. */
  String target() {
    return "dns:///" + this;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
