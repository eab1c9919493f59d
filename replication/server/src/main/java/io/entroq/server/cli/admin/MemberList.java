package io.entroq.server.cli.admin;

import io.entroq.cluster.member.MemberAddress;
import java.util.Arrays;
import java.util.List;

/** The value of {@code --members} of commands. */
final class MemberList {
  private MemberList() {}

  /**
   * Parses hosts and first ports, separated by commas.
   *
   * @throws IllegalArgumentException if one is not valid
   */
  static List<MemberAddress> parse(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).map(MemberList::address).toList();
  }

  private static MemberAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
      throw new IllegalArgumentException("not a host and a port: '" + text + "'");
    }
    return MemberAddress.of(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
