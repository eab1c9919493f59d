package io.entroq.simulator.replica;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One life of a member, as the log sees it, and the clients that it has proposed for in it. When
 * the life is over the log says that they are gone; until then nobody else serves them.
 */
final class Session {
  final Member member;
  private final Set<Client> clients = new LinkedHashSet<>();
  private boolean isClosed;

  /** The two halves of a client's identity. */
  record Client(long high, long low) {}

  Session(Member member) {
    this.member = member;
  }

  /** Something is proposed for a client of this identity. */
  void serves(long high, long low) {
    clients.add(new Client(high, low));
  }

  /** In the order in which they came. */
  Set<Client> clients() {
    return clients;
  }

  /** The log has said that its clients are gone. */
  void close() {
    isClosed = true;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Whether the member is still in this life. */
  boolean isLive() {
    return member.session() == this;
  }
}
