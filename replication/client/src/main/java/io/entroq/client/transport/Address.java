package io.entroq.client.transport;

import io.entroq.api.EntroQException;

/**
 * Where a server is.
 *
 * @param host a name, an IPv4 address, or an IPv6 address in brackets
 * @param port from 1 to 65,535
 */
public record Address(String host, int port) {
  /** The port of servers that are not told another. */
  public static final int PORT_DEFAULT = 37_706;

  private static final String HOST_DEFAULT = "localhost";
  private static final int PORT_MAX = 65_535;

  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public Address {
    if (port < 1 || port > PORT_MAX) {
      throw new EntroQException.InvalidArgument("port must be from 1 to 65535, is " + port);
    }
  }

  /**
   * Reads {@code host:port}. Without a host it is this machine; without a port, 37706.
   *
   * @throws EntroQException.InvalidArgument if it is none
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

  private static EntroQException.InvalidArgument invalid(String text, Throwable cause) {
    return new EntroQException.InvalidArgument(
        "address must be HOST:PORT, is \"" + text + "\"", cause);
  }

  /** As gRPC takes it. */
  String target() {
    return "dns:///" + this;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
