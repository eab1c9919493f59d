package io.entroq.cluster.member;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The five {@code host:port} addresses of a member. All members have the same list, in the same
 * order, at every start.
 *
 * @param ingress where members send commands to the leader
 * @param consensus where members vote
 * @param log where the leader sends the log
 * @param catchup where a member that fell behind receives what it lacks
 * @param archive where other members read recordings
 */
public record MemberAddress(
    String ingress, String consensus, String log, String catchup, String archive) {
  /** Consecutive ports of a member. */
  public static final int PORTS = 5;

  private static final int PORT_MAX = 65_535;

  public MemberAddress {
    for (String endpoint : List.of(ingress, consensus, log, catchup, archive)) {
      check(endpoint);
    }
  }

  public List<String> endpoints() {
    return List.of(ingress, consensus, log, catchup, archive);
  }

  /**
   * Five consecutive ports.
   *
   * @param firstPort from 1 to 65,531
   */
  public static MemberAddress of(String host, int firstPort) {
    if (firstPort < 1 || firstPort > PORT_MAX - PORTS + 1) {
      throw new IllegalArgumentException(
          "the first of five ports must be from 1 to %d, is %d"
              .formatted(PORT_MAX - PORTS + 1, firstPort));
    }
    return new MemberAddress(
        host + ":" + firstPort,
        host + ":" + (firstPort + 1),
        host + ":" + (firstPort + 2),
        host + ":" + (firstPort + 3),
        host + ":" + (firstPort + 4));
  }

  /**
   * Parses the members of a cluster: host and first port of each, separated by commas.
   *
   * @throws IllegalArgumentException if one is invalid
   */
  public static List<MemberAddress> list(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).map(MemberAddress::parse).toList();
  }

  private static MemberAddress parse(String text) {
    check(text);
    int colon = text.lastIndexOf(':');
    return of(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** The host of the ingress address, which stands for the member. */
  public String host() {
    return ingress.substring(0, ingress.lastIndexOf(':'));
  }

  private static void check(String endpoint) {
    Objects.requireNonNull(endpoint, "endpoint");
    int colon = endpoint.lastIndexOf(':');
    if (colon < 1 || !isPort(endpoint.substring(colon + 1))) {
      throw new IllegalArgumentException("an address must be HOST:PORT, is '" + endpoint + "'");
    }
    if (endpoint.matches("(?s).*[,|=\\s].*")) {
      throw new IllegalArgumentException(
          "'" + endpoint + "' has a character that is not allowed in an address");
    }
  }

  private static boolean isPort(String text) {
    return text.matches("\\d{1,5}")
        && Integer.parseInt(text) >= 1
        && Integer.parseInt(text) <= PORT_MAX;
  }

  /** All members in the consensus module's format; a member's id is its index. */
  static String forConsensus(List<MemberAddress> members) {
    StringBuilder text = new StringBuilder();
    for (int id = 0; id < members.size(); id++) {
      MemberAddress member = members.get(id);
      text.append(id == 0 ? "" : "|").append(id);
      for (String endpoint : member.endpoints()) {
        text.append(',').append(endpoint);
      }
    }
    return text.toString();
  }

  /** All members in the format of cluster clients. */
  static String forIngress(List<MemberAddress> members) {
    return IntStream.range(0, members.size())
        .mapToObj(id -> id + "=" + members.get(id).ingress())
        .collect(Collectors.joining(","));
  }
}
