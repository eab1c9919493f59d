package io.entroq.workers;

import io.entroq.api.EntroQException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A range of IP addresses, such as {@code 10.0.0.0/8}. Immutable.
 *
 * @param address an address in the range; an IPv4 address that is mapped to IPv6 is an IPv4 address
 * @param bits how many leading bits all addresses in it share
 */
record AddressRange(InetAddress address, int bits) {
  /** Without names, which {@link InetAddress} would look up. */
  private static final Pattern LITERAL =
      Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

  /**
   * What is not a host on the public internet, by the registries of special-purpose addresses of
   * IANA: this machine, private networks, links (and so the metadata of cloud machines), groups,
   * and addresses that stand for another one.
   */
  private static final List<AddressRange> NOT_PUBLIC =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.88.99.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "224.0.0.0/4",
              "240.0.0.0/4",
              "::/96",
              "64:ff9b::/96",
              "64:ff9b:1::/48",
              "100::/64",
              "2001::/23",
              "2001:db8::/32",
              "2002::/16",
              "3fff::/20",
              "5f00::/16",
              "fc00::/7",
              "fe80::/10",
              "fec0::/10",
              "ff00::/8")
          .map(AddressRange::parse)
          .toList();

  /**
   * Parses a range, or a single address.
   *
   * @throws EntroQException.InvalidArgument if it is malformed
   */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String literal = slash < 0 ? text : text.substring(0, slash);
    try {
      if (!LITERAL.matcher(literal).matches()) {
        throw new UnknownHostException("not an address");
      }
      InetAddress address = InetAddress.getByName(literal);
      int all = address.getAddress().length * Byte.SIZE;
      int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
      if (bits < 0 || bits > all) {
        throw new NumberFormatException("out of range");
      }
      return new AddressRange(address, bits);
    } catch (UnknownHostException | NumberFormatException e) {
      throw new EntroQException.InvalidArgument(
          "'%s' is not a range of addresses such as 10.0.0.0/8, fd00::/8 or 127.0.0.1"
              .formatted(text),
          e);
    }
  }

  /** Whether an address is one of a host on the public internet. */
  static boolean isPublic(InetAddress address) {
    return NOT_PUBLIC.stream().noneMatch(range -> range.contains(address));
  }

  boolean contains(InetAddress other) {
    byte[] mine = address.getAddress();
    byte[] its = other.getAddress();
    if (mine.length != its.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % Byte.SIZE);
      int at = bit / Byte.SIZE;
      if ((mine[at] & mask) != (its[at] & mask)) {
        return false;
      }
    }
    return true;
  }
}
