package io.entroq.system.member;

import java.util.List;

/**
 * Where a member runs.
 *
 * @param host an address that no other member has
 * @param firstPort of those by which members know each other
 * @param serverPort where callers ask
 * @param launcher what stands before its command line; empty: nothing
 */
public record Place(String host, int firstPort, int serverPort, List<String> launcher) {
  /** Copies the list. */
  public Place {
    launcher = List.copyOf(launcher);
  }

  /** Where callers ask. */
  public String server() {
    return host + ":" + serverPort;
  }

  /** By what other members know it. */
  String member() {
    return host + ":" + firstPort;
  }
}
