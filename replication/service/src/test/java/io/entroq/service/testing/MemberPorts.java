package io.entroq.service.testing;

import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.UnusedPorts;
import java.util.List;
import java.util.stream.Stream;

/** Ports for members on this machine. */
public final class MemberPorts {
  private MemberPorts() {}

  /** The first ones of so many members. */
  public static List<Integer> take(int count) {
    UnusedPorts unused = new UnusedPorts("127.0.0.1");
    return Stream.generate(() -> unused.take(MemberAddress.PORTS)).limit(count).toList();
  }
}
