package io.entroq.system.member;

import java.util.List;

/**
 * The location of a member.
 *
 * @param host an address that no other member uses
 * @param firstPort the first port for other members
 * @param serverPort for callers; the next one is for those that use HTTP
 * @param launcher prefix of its command line; may be empty
 */
public record MemberLocation(String host, int firstPort, int serverPort, List<String> launcher) {
  public MemberLocation {
    launcher = List.copyOf(launcher);
  }

  public String server() {
    return host + ":" + serverPort;
  }

  public String httpServer() {
    return host + ":" + (serverPort + 1);
  }

  String member() {
    return host + ":" + firstPort;
  }
}
