package io.entroq.cluster.member;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** How long the datagrams are in which members send each other commands and log. */
final class Datagrams {
  /** Fits into a frame of every Ethernet, with what goes around it. */
  static final int NETWORK_BYTES = 1_408;

  /** On one machine each costs as much whatever is in it, so a batch is to take few of them. */
  static final int LOOPBACK_BYTES = 8_192;

  private Datagrams() {}

  /**
   * Those of a new log: longer ones if all members are on this machine, and will be.
   *
   * @param termBytes of the log, which bound a message
   */
  static int bytes(List<MemberAddress> members, int termBytes) {
    boolean isOneMachine =
        members.stream().map(MemberAddress::host).allMatch(Datagrams::isLoopback);
    return isOneMachine ? Math.min(LOOPBACK_BYTES, termBytes / 8) : NETWORK_BYTES;
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
