package io.entroq.cluster.member;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where a member is reached, as {@code host:port} five times. All members are told the same of
 * each, in the same order, at every start.
 *
 * @param ingress where members send commands to the leader
 * @param consensus where members vote
 * @param log where the leader's log goes to
 * @param catchup where a member that has fallen behind gets what it lacks
 * @param archive where others ask for recordings
 */
public record MemberAddress(
    String ingress, String consensus, String log, String catchup, String archive) {
  /** How many follow each other. */
  public static final int PORTS = 5;

  private static final int PORT_MAX = 65_535;

  /** Nothing is null, and each names host and port. */
  public MemberAddress {
    for (String endpoint : List.of(ingress, consensus, log, catchup, archive)) {
      check(endpoint);
    }
  }

  /** All five. */
  public List<String> endpoints() {
    return List.of(ingress, consensus, log, catchup, archive);
  }

  /**
   * Five ports that follow each other.
   *
   * @param firstPort from 1 to 65,531
   */
  public static MemberAddress of(String host, int firstPort) {
    if (firstPort < 1 || firstPort > PORT_MAX - PORTS + 1) {
      throw new IllegalArgumentException(
          "five ports from " + firstPort + " on: they have to be from 1 to " + PORT_MAX);
    }
    return new MemberAddress(
        host + ":" + firstPort,
        host + ":" + (firstPort + 1),
        host + ":" + (firstPort + 2),
        host + ":" + (firstPort + 3),
        host + ":" + (firstPort + 4));
  }

  /** The host by which the member is known to the others: that of its ingress. */
  public String host() {
    return ingress.substring(0, ingress.lastIndexOf(':'));
  }

  private static void check(String endpoint) {
    Objects.requireNonNull(endpoint, "endpoint");
    int colon = endpoint.lastIndexOf(':');
    if (colon < 1 || !isPort(endpoint.substring(colon + 1))) {
      throw new IllegalArgumentException("not a host and a port: '" + endpoint + "'");
    }
    if (endpoint.matches("(?s).*[,|=\\s].*")) {
      throw new IllegalArgumentException("'" + endpoint + "' has a sign that no address has");
    }
  }

  private static boolean isPort(String text) {
    return text.matches("\\d{1,5}")
        && Integer.parseInt(text) >= 1
        && Integer.parseInt(text) <= PORT_MAX;
  }

  /** All members as the consensus module wants them; a member's id is its place. */
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

  /** All members as those want them who send commands. */
  static String forIngress(List<MemberAddress> members) {
    return IntStream.range(0, members.size())
        .mapToObj(id -> id + "=" + members.get(id).ingress())
        .collect(Collectors.joining(","));
  }
}
